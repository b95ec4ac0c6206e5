import type { Clock } from '../clock.js';
import type { Inboxes } from '../inbox/inboxes.js';
import type { Rate } from '../limits/limiter.js';
import type { Log } from '../log.js';
import { Access, type AccessOptions, type Limit } from './access.js';
import type { BuiltApi } from './built-api.js';
import { Compressing } from './compressing.js';
import { checkInitiator } from './cross-site.js';
import { EventStreams } from './event-stream.js';
import { type App, type AppOptions, createApp, type Request } from './framework.js';
import { checkHost } from './host.js';
import { type HttpEvents, type Source, sourceLabel } from './http-events.js';
import { LargeAnswers } from './large-answers.js';
import type { OpenStreams } from './open-streams.js';
import { Peers } from './peers.js';
import { addEmailRoutes } from './routes/email.js';
import { addExplanationRoute } from './routes/explanation.js';
import { addHealthRoutes, type Probes } from './routes/health.js';
import { addClearRoute, addInboxRoute } from './routes/inbox.js';
import { addPageRoutes, lostPage, type PageFile } from './routes/inbox-page.js';
import { addWaitlistRoute } from './routes/join-waitlist.js';
import { addMcpRoute } from './routes/mcp.js';
import { addOpenApiRoute } from './routes/openapi.js';
import { addPartRoute } from './routes/part.js';
import { addPartsRoute } from './routes/parts.js';
import { addPreviewRoutes } from './routes/preview.js';
import { addSettingsRoute, type PublicSettings } from './routes/public-settings.js';
import { addMessageRoute } from './routes/raw-message.js';
import { addStreamRoute } from './routes/stream.js';
import { addSummaryRoute } from './routes/summary.js';
import { SHARED_SCHEMAS } from './schemas.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which limit the requests of a route are counted against. */
    limit?: Limit;
    /** Whether links of other pages may lead here. */
    isOpenedByLinks?: boolean;
    /** Whether our page shows what a route answers in a frame. */
    isFramed?: boolean;
    /** Who uses a route, where only one kind of client does. */
    source?: Source;
  }
}

/** What the routes answer from. */
export interface RouteOptions extends Pick<BuiltApi, 'document'> {
  readonly inboxes: Inboxes;
  readonly streams: OpenStreams;
  readonly clock: Clock;
  readonly fetchRate: Rate | null;
  readonly lookRate: Rate | null;
  readonly probes: Probes;
  /** What of the settings anybody may know. */
  readonly settings: Omit<PublicSettings, 'fetchRate' | 'lookRate'>;
  /** The inbox page; null serves none. */
  readonly page: readonly PageFile[] | null;
  /** Whether coding agents are served. */
  readonly mcp: boolean;
  readonly log: Log;
  /** Left out where nobody counts. */
  readonly events?: HttpEvents | undefined;
}

export interface ApiOptions extends Omit<AppOptions, 'answerLost'>, AccessOptions, RouteOptions {
  /** Whether the listener is reachable from this machine alone, so that strangers' pages are refused (D17). */
  readonly localOnly: boolean;
  /** Adds the routes of another mail catcher; null where there are none. */
  readonly dropIn: AddDropIn | null;
}

/** Adds the routes of another mail catcher, which the API document does not have. */
export type AddDropIn = (api: App, guard: DropInGuard) => void;

/** Who may ask for what those routes answer. */
export interface DropInGuard {
  readonly access: Access;
  readonly streams: OpenStreams;
  /** Whether a request comes from this machine itself, and through no proxy. */
  isOwn(request: Request): boolean;
}

/** The whole HTTP interface, not listening yet. */
export async function buildApi(options: ApiOptions): Promise<App> {
  const { log, localOnly, page } = options;
  const peers = new Peers(options.trusted);
  const access = new Access(options, peers);
  const app = await createApp({ ...options, answerLost: page && lostPage(page) }, peers, (request) => {
    // Before anything is counted: what a stranger's page asks for must not use up the limits of whoever has it open.
    if (localOnly && !peers.of(request.socket).isTrusted) checkLocal(request, options);
    return access.check(request, request.routeOptions.config.limit);
  });
  app.decorate('compressing', new Compressing());
  app.decorate('largeAnswers', new LargeAnswers(options.clock, options.events));
  if (log.isLevelEnabled('debug')) logAnswers(app, log);

  await addRoutes(app, options, access);
  const { dropIn } = options;
  const guard = {
    access,
    streams: options.streams,
    isOwn: (request: Request) => localOnly && !peers.of(request.socket).isTrusted && !isPassedOn(request),
  };
  if (dropIn !== null) await app.register(async (api) => dropIn(api, guard));
  await app.ready();
  return app;
}

/** Adds all routes with what they say of themselves, from which the build makes the checks and the API document. */
export async function addRoutes(app: App, options: RouteOptions, access: Access): Promise<void> {
  const { inboxes, streams, clock, probes, settings, fetchRate, lookRate, page, mcp, document, log, events } = options;
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await app.register(async (api) => {
    addInboxRoute(api, inboxes, access);
    addClearRoute(api, inboxes, access);
    addStreamRoute(
      api,
      access,
      new EventStreams({ inboxes, access, streams, largeAnswers: app.largeAnswers, clock, log, events }),
    );
    addSummaryRoute(api, inboxes, access);
    addEmailRoutes(api, inboxes, access);
    addMessageRoute(api, inboxes, access);
    addPreviewRoutes(api, inboxes, access);
    addExplanationRoute(api, inboxes, access);
    addPartsRoute(api, inboxes, access);
    addPartRoute(api, inboxes, access);
    addWaitlistRoute(api, inboxes);
    addSettingsRoute(api, { ...settings, fetchRate, lookRate }, clock);
    addHealthRoutes(api, probes);
    if (page !== null) addPageRoutes(api, page);
    if (mcp) addMcpRoute(api, { inboxes, access, streams, clock, settings, hasPage: page !== null, log });
    addOpenApiRoute(api, document);
  });
}

function logAnswers(app: App, log: Log): void {
  app.addHook('onResponse', async ({ method, routeOptions, query }, reply) => {
    // An inbox's name is its secret, so the log has the route and not the path.
    const label = { method, route: routeOptions.url, status: reply.statusCode, source: sourceLabel(query) };
    log.debug({ ...label, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
}

/** Refuses what did not come from this machine's own doing. A trusted proxy answers for whomever it lets in. Throws 400 and 403. */
function checkLocal({ headers, routeOptions, method }: Request, { corsOrigins }: ApiOptions): void {
  const { host = '', origin } = headers;
  checkHost(host);
  if (routeOptions.config.isOpenedByLinks && (method === 'GET' || method === 'HEAD')) return;
  const site = headers['sec-fetch-site'];
  checkInitiator({ site: Array.isArray(site) ? site[0] : site, origin, host }, corsOrigins);
}

/** Whether a request says that somebody passes it on: a proxy on this machine that nobody told us of asks for others all the same. */
function isPassedOn({ headers }: Request): boolean {
  return PROXY_HEADERS.some((name) => headers[name] !== undefined);
}

/** What proxies add: by RFC 7239 and RFC 9110 section 7.6.3, and as their manuals have it written. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
