import { httpErrors } from '../errors.js';
import type { Inboxes } from '../inbox/inboxes.js';
import { Access, type AccessOptions, type Limit } from './access.js';
import { type App, type AppOptions, createApp, type InvalidRequest } from './framework.js';
import { checkHost } from './host.js';
import type { OpenStreams } from './open-streams.js';
import { RequestError } from './request-error.js';
import { addExplanationRoute, addMessageRoute } from './routes/email.js';
import { addHealthRoutes, type Probes } from './routes/health.js';
import { addClearRoute, addInboxRoute } from './routes/inbox.js';
import { addPageRoutes, type PageFile } from './routes/inbox-page.js';
import { addWaitlistRoute } from './routes/join-waitlist.js';
import { addOpenApiRoute, beginOpenApi } from './routes/openapi.js';
import { addPreviewRoutes } from './routes/preview.js';
import { addSettingsRoute, type PublicSettings } from './routes/public-settings.js';
import { addStreamRoute } from './routes/stream.js';
import { QUERY_RULES, SHARED_SCHEMAS } from './schemas.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which limit the requests of a route are counted against. */
    limit?: Limit;
  }
}

export interface ApiOptions extends Omit<AppOptions, 'explainInvalid'>, AccessOptions {
  readonly inboxes: Inboxes;
  readonly streams: OpenStreams;
  readonly probes: Probes;
  /** What of the settings anybody may know. */
  readonly settings: Omit<PublicSettings, 'fetchRate'>;
  /** The inbox page; null serves none. */
  readonly page: readonly PageFile[] | null;
  /** Whether the listener is reachable from this machine alone, so that a foreign Host is refused (design D17). */
  readonly localOnly: boolean;
}

/** The whole HTTP interface, not listening yet. */
export async function buildApi(options: ApiOptions): Promise<App> {
  const { inboxes, streams, clock, probes, settings, fetchRate, page, localOnly, trusted } = options;
  const app = await createApp({ ...options, explainInvalid });
  const access = new Access(options);
  app.addHook('onRequest', async (request) => {
    access.check(request, request.routeOptions.config.limit);
    if (localOnly) checkHost(request, trusted);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, query } = request;
    // An inbox's name is its secret, so the log has the route and not the path.
    const label = { method, route: routeOptions.url, status: reply.statusCode, source: sourceLabel(query) };
    request.log.debug({ ...label, ms: Math.round(reply.elapsedTime) }, 'answered');
  });

  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await beginOpenApi(app);
  await app.register(async (api) => {
    addInboxRoute(api, inboxes, access);
    addClearRoute(api, inboxes, access);
    addStreamRoute(api, inboxes, access, streams, clock);
    addMessageRoute(api, inboxes, access);
    addPreviewRoutes(api, inboxes, access);
    addExplanationRoute(api, inboxes, access);
    addWaitlistRoute(api, inboxes);
    addSettingsRoute(api, { ...settings, fetchRate }, clock);
    addHealthRoutes(api, probes);
    if (page !== null) addPageRoutes(api, page);
    addOpenApiRoute(api);
  });
  await app.ready();
  return app;
}

/** Which error tells what is wrong with a request that breaks its schema. */
function explainInvalid({ part, field }: InvalidRequest): RequestError {
  if (part === 'params') {
    return new RequestError(field === 'receivedAt' ? httpErrors.badReceivedAt : httpErrors.badInboxName);
  }
  if (part === 'body')
    return new RequestError(field === 'key' ? httpErrors.badPreviewForm : httpErrors.badWaitlistEmail);
  return new RequestError(httpErrors.badQuery, { name: field, rule: QUERY_RULES[field as keyof typeof QUERY_RULES] });
}

/** The label of a client: the interface's two, and `other` for whatever else it calls itself (design D11). */
function sourceLabel(query: unknown): string | undefined {
  const { source } = query as { source?: unknown };
  return source === undefined || source === 'browser' || source === 'sdk' ? source : 'other';
}
