import { hostname } from 'node:os';
import type { AttemptBook } from '../attempts/book.js';
import type { Log } from '../base/log.js';
import type { AllMail } from '../inbox/all/all-mail.js';
import type { Inboxes } from '../inbox/inboxes.js';
import type { AddressRange } from '../limits/client-address.js';
import type { RunBook } from '../runs/run-book.js';
import { Access, type AccessOptions, type Limit } from './access/access.js';
import { checkHead, checkHost, hostOf, pathOf } from './access/host.js';
import { Peers } from './access/peers.js';
import { checkSite, Viewers, type ViewersOptions } from './access/viewers.js';
import { Answers } from './answer/answers.js';
import type { OpenStreams } from './answer/open-streams.js';
import { type RequestError, type Tell, type ToldError, tellOurs } from './answer/request-error.js';
import type { BuiltApi } from './built-api.js';
import { type Admit, type App, type AppOptions, createApp, type Request } from './framework.js';
import { type Source, sourceLabel } from './http-events.js';
import { addAllMailRoutes } from './routes/all-mail.js';
import { AttemptAnswers, addAttemptRoutes } from './routes/attempts.js';
import { addEmailRoutes } from './routes/email.js';
import { addInboxRoutes } from './routes/inbox.js';
import { addPageRoutes, lostPage, type PageFile } from './routes/inbox-page.js';
import { addMcpRoute } from './routes/mcp-endpoint.js';
import { addPartRoute } from './routes/part-file.js';
import { addPreviewRoutes } from './routes/preview.js';
import { addRunRoutes } from './routes/runs.js';
import {
  addHealthRoutes,
  addOpenApiRoute,
  addSettingsRoute,
  addWaitlistRoute,
  type JoinWaitlist,
  type Probes,
  type PublicSettings,
} from './routes/service.js';
import { addStreamRoute } from './routes/stream.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: Limit;
    /** The plugin that owns the route, unless it is ours. */
    plugin?: string;
    /** Whether links of other pages may lead here. */
    isOpenedByLinks?: boolean;
    /** Whether our page shows the response in a frame. */
    isFramed?: boolean;
    source?: Source;
  }
}

export interface RouteOptions
  extends Pick<BuiltApi, 'document'>,
    Pick<AccessOptions, 'spaces' | 'clock' | 'fetchRate' | 'readRate' | 'events'> {
  readonly inboxes: Inboxes;
  readonly all: AllMail;
  readonly runs: RunBook;
  readonly attempts: AttemptBook;
  readonly joinWaitlist: JoinWaitlist;
  readonly streams: OpenStreams;
  readonly probes: Probes;
  readonly settings: Omit<PublicSettings, 'fetchRate' | 'readRate'>;
  readonly page: readonly PageFile[] | null;
  readonly mcp: boolean;
  readonly log: Log;
}

export interface ApiOptions
  extends Omit<AppOptions, 'answerLost' | 'peers' | 'held' | 'clock'>,
    AccessOptions,
    RouteOptions,
    // On loopback alone, pages of other sites are refused (D17).
    ViewersOptions {
  readonly trusted: readonly AddressRange[];
  readonly plugins: readonly PluginRoutes[];
  /** On a stop: resolves when the port may close, with all new requests refused until then. */
  drained?(): Promise<unknown>;
}

/** Routes of another interface, which the API document omits. */
export interface PluginRoutes {
  /** The path that its routes are below, or empty. */
  readonly root: string;
  /** Name of an external plugin, for the log. */
  readonly plugin?: string | undefined;
  /** The limit of routes that name none. */
  readonly limit?: Limit;
  add(api: App, guard: RouteGuard): void | Promise<void>;
  /** Formats an error outside any route, for a requested path; null if the path is not the plugin's. */
  tell?(error: RequestError, path: string): ToldError | null;
}

export interface RouteGuard {
  readonly access: Access;
  readonly streams: OpenStreams;
  readonly viewers: Viewers;
  /** Throws 403 for a page of another site that the operator does not allow. */
  checkPage(request: Request): void;
}

export async function buildApi(options: ApiOptions): Promise<App> {
  const { clock, log, localOnly, page, plugins, corsOrigins, events } = options;
  const { held } = options.inboxes;
  const peers = new Peers(options.trusted);
  const access = new Access(options, peers);
  const admit: Admit = async (request) => {
    checkHead(request.raw);
    // First, because requests of a foreign page must not use up the limits of the user who has it open.
    if (localOnly && !peers.of(request.socket).isTrusted) checkLocal(request, options);
    await access.check(request, request.routeOptions.config.limit);
  };
  const tookForSmtp = (client: string) => options.attempts.tookHttpForSmtp(client);
  const served = { peers, held, tell: tellFor(plugins), tookForSmtp, answerLost: page && lostPage(page) };
  const app = await createApp({ ...options, ...served }, admit);
  app.decorate('answers', new Answers(clock, held, events));
  if (log.isLevelEnabled('debug')) logAnswers(app, log);
  const viewers = new Viewers(options, access, peers);
  const guard = {
    access,
    streams: options.streams,
    viewers,
    checkPage: (request: Request) => checkSite(request, corsOrigins),
  };
  await addRoutes(app, options, access, viewers);
  for (const plugin of plugins) await addPlugin(app, plugin, guard, options.probes);
  // Last, and below the root, whose hooks run first: plugins end requests that wait, such as bodies without a place.
  await app.register(async (api) => {
    api.addHook('preClose', async () => void (await options.drained?.()));
  });
  await app.ready();
  return app;
}

async function addPlugin(app: App, { root, plugin, limit, add }: PluginRoutes, guard: RouteGuard, probes: Probes) {
  await app.register(
    async (api) => {
      if (limit !== undefined) {
        api.addHook('onRoute', (route) => {
          route.config = { limit, ...route.config, ...(plugin !== undefined && { plugin }) };
          const { limit: named } = route.config;
          // A route with the limit `send` counts by itself and needs no key.
          if (!guard.access.hasLimit(named) || (plugin !== undefined && named === 'send'))
            throw new Error(`the route ${route.url} names the limit "${named}", which is not in "limits"`);
        });
      }
      await add(api, guard);
      // Health checks also have a path below the root.
      if (root !== '') addHealthRoutes(api, probes);
    },
    { prefix: root },
  );
}

/** Formats errors in the shape of the plugin that serves the path, or in ours. */
function tellFor(plugins: readonly PluginRoutes[]): Tell {
  return (error, url) => {
    for (const one of url === undefined ? [] : plugins) {
      const told = one.tell?.(error, pathOf(url ?? ''));
      if (told) return told;
    }
    return tellOurs(error, url);
  };
}

/** Adds all routes. The build derives the checks and the API document from their schemas. */
export async function addRoutes(app: App, options: RouteOptions, access: Access, viewers: Viewers): Promise<void> {
  const { inboxes, settings, page } = options;
  const service = { ...options, access, viewers, answers: app.answers, node: hostname() };
  const attempts = new AttemptAnswers(service);
  await app.register(async (api) => {
    addInboxRoutes(api, inboxes, access);
    addStreamRoute(api, service);
    addAttemptRoutes(api, attempts, access);
    addEmailRoutes(api, inboxes, access);
    addPreviewRoutes(api, inboxes, access);
    addPartRoute(api, inboxes, access);
    addWaitlistRoute(api, options.joinWaitlist);
    addSettingsRoute(
      api,
      { ...settings, fetchRate: options.fetchRate, readRate: options.readRate },
      viewers,
      options.clock,
    );
    addHealthRoutes(api, options.probes);
    if (page !== null) addPageRoutes(api, page, viewers);
    if (options.mcp) addMcpRoute(api, { ...service, hasPage: page !== null, attempts });
    addAllMailRoutes(api, service);
    addRunRoutes(api, service);
    addOpenApiRoute(api, options.document);
  });
}

function logAnswers(app: App, log: Log): void {
  app.addHook('onResponse', async ({ method, routeOptions, query }, reply) => {
    // Logs the route instead of the path, because an inbox's name is its secret.
    const label = { method, route: routeOptions.url, status: reply.statusCode, source: sourceLabel(query) };
    log.debug({ ...label, ms: Math.round(reply.elapsedTime) }, 'Answered a request.');
  });
}

/** Refuses requests that web pages may send. A trusted proxy is responsible for its clients. Throws 400 and 403. */
function checkLocal(request: Request, { corsOrigins }: ApiOptions): void {
  const { routeOptions, method } = request;
  checkHost(hostOf(request), request.socket.remoteAddress ?? '127.0.0.1');
  if (routeOptions.config.isOpenedByLinks && (method === 'GET' || method === 'HEAD')) return;
  checkSite(request, corsOrigins);
}
