import { createServer } from 'node:http';
import { hostname } from 'node:os';
import type { AttemptBook } from '../attempts/book.js';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Inboxes } from '../inbox/inboxes.js';
import type { Rate } from '../limits/rate-limiter.js';
import { Access, type AccessOptions, type Limit } from './access/access.js';
import { checkHead, checkHost, hostOf, pathOf } from './access/host.js';
import { checkSite, Viewers, type ViewersOptions } from './access/viewers.js';
import { AttemptAnswers } from './answer/attempt-answers.js';
import { Compressing } from './answer/compressing.js';
import { EventStreams } from './answer/event-stream.js';
import { LargeAnswers } from './answer/large-answers.js';
import type { OpenStreams } from './answer/open-streams.js';
import { type RequestError, type Tell, type ToldError, tellOurs } from './answer/request-error.js';
import { SHARED_SCHEMAS } from './answer/schemas.js';
import type { BuiltApi, CheckFactory } from './built-api.js';
import { createHttpServer, type HttpLimits } from './connection/http-server.js';
import { Peers } from './connection/peers.js';
import { type AddedRoute, type Admit, type App, type AppOptions, createApp, type Request } from './framework.js';
import { type HttpEvents, type Source, sourceLabel } from './http-events.js';
import { firstBy, isAtOrBelow, type LaterPaths, LaterRoutes } from './later-routes.js';
import { addAttemptRoutes } from './routes/attempts.js';
import { addEmailRoutes, addMessageRoute } from './routes/email.js';
import { addExplanationRoute } from './routes/explanation.js';
import { addHealthRoutes, type Probes } from './routes/health.js';
import { addClearRoute, addInboxRoute } from './routes/inbox.js';
import { addPageRoutes, lostPage, type PageFile } from './routes/inbox-page.js';
import { addWaitlistRoute, type JoinWaitlist } from './routes/join-waitlist.js';
import { addMcpRoute } from './routes/mcp-endpoint.js';
import { addOpenApiRoute } from './routes/openapi.js';
import { addPartRoute } from './routes/part-file.js';
import { addPartsRoute } from './routes/parts.js';
import { addPreviewRoutes } from './routes/preview.js';
import { addSettingsRoute, type PublicSettings } from './routes/public-settings.js';
import { addReleaseRoute, type Release } from './routes/release.js';
import { addStreamRoute } from './routes/stream.js';
import { addSummaryRoute } from './routes/summaries.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: Limit;
    /** Whose route it is, if it is not ours. */
    plugin?: string;
    /** Whether links of other pages may lead here. */
    isOpenedByLinks?: boolean;
    /** Whether our page shows what a route answers in a frame. */
    isFramed?: boolean;
    source?: Source;
  }
}

export interface RouteOptions extends Pick<BuiltApi, 'document'> {
  readonly inboxes: Inboxes;
  readonly release: Release;
  readonly attempts: AttemptBook;
  readonly spaces: AccessOptions['spaces'];
  readonly joinWaitlist: JoinWaitlist;
  readonly streams: OpenStreams;
  readonly clock: Clock;
  readonly fetchRate: Rate | null;
  readonly lookRate: Rate | null;
  readonly probes: Probes;
  readonly settings: Omit<PublicSettings, 'fetchRate' | 'lookRate'>;
  readonly page: readonly PageFile[] | null;
  readonly mcp: boolean;
  readonly log: Log;
  readonly events?: HttpEvents | undefined;
}

export interface ApiOptions
  extends Omit<AppOptions, 'answerLost' | 'limits' | 'openServer' | 'posted'>,
    AccessOptions,
    RouteOptions,
    // On loopback alone, pages of other sites are refused (D17).
    ViewersOptions {
  readonly limits: HttpLimits;
  readonly plugins: readonly PluginRoutes[];
  /** On a stop: resolves when the port may close, with all new requests refused until then. */
  drained?(): Promise<unknown>;
}

/**
 * Routes beside those of `addRoutes`: another interface, which the API document leaves out, or rare routes of our own.
 */
export interface PluginRoutes {
  /** The path that its routes are below, or empty. */
  readonly root: string;
  /** Of a plugin from outside, for the log. */
  readonly plugin?: string | undefined;
  /** The limit of routes that name none. */
  readonly limit?: Limit;
  /** Where its routes are, built when the first request for one comes. Left out where they are built at the start. */
  readonly later?: LaterPaths | undefined;
  /** The checks of its requests, if its routes have schemas and are built later. */
  checks?(): Promise<CheckFactory>;
  add(api: App, guard: RouteGuard): void | Promise<void>;
  /** How its clients are told an error that no route answers, by the path that they asked for; null for others'. */
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
  const { limits, clock, log, localOnly, page, plugins, corsOrigins, events } = options;
  const { held } = options.inboxes;
  const peers = new Peers(options.trusted);
  const access = new Access(options, peers);
  const [compressing, largeAnswers] = [new Compressing(), new LargeAnswers(clock, held, events)];
  const admit: Admit = (request) => {
    checkHead(request.raw);
    // First: requests of a foreign page must not use up the limits of the user who has it open.
    if (localOnly && !peers.of(request.socket).isTrusted) checkLocal(request, options);
    return access.check(request, request.routeOptions.config.limit);
  };
  const tell = tellFor(plugins);
  const posted = plugins.flatMap(({ later }) => later?.posted ?? []);
  const open = async (openServer: AppOptions['openServer'], checks = options.checks) => {
    const app = await createApp(
      { ...options, checks, openServer, posted, tell, answerLost: page && lostPage(page) },
      admit,
    );
    app.addHook('onRoute', leaveOutAnswers);
    app.decorate('compressing', compressing);
    app.decorate('largeAnswers', largeAnswers);
    if (log.isLevelEnabled('debug')) logAnswers(app, log);
    return app;
  };
  const viewers = new Viewers(options, access, peers);
  const guard = {
    access,
    streams: options.streams,
    viewers,
    checkPage: (request: Request) => checkSite(request, corsOrigins),
  };
  const add = (app: App, plugin: PluginRoutes) => {
    const others = plugins.filter((other) => other !== plugin);
    const taken = others.flatMap(({ later }) => later?.below ?? []);
    return addPlugin(app, plugin, { guard, probes: options.probes, taken });
  };

  const later = plugins.flatMap((plugin) => {
    const { later: paths } = plugin;
    if (paths === undefined) return [];
    const build = async () => {
      // It is handed its requests by the server of the others.
      const app = await open(() => createServer(), await plugin.checks?.());
      await add(app, plugin);
      await app.ready();
      return app;
    };
    return new LaterRoutes({ paths, build, log });
  });
  const tookForSmtp = (client: string) => options.attempts.tookHttpForSmtp(client);
  const served = { limits, peers, clock, held, events, tell, tookForSmtp };
  const app = await open((answer) => createHttpServer({ ...served, answer: firstBy(later, answer) }));
  for (const routes of later) app.addHook('preClose', () => routes.close());
  await addRoutes(app, options, access, viewers);
  for (const plugin of plugins) if (plugin.later === undefined) await add(app, plugin);
  // Last, and below the root, whose hooks come first: plugins end what waits, such as bodies without a place.
  await app.register(async (api) => {
    api.addHook('preClose', async () => void (await options.drained?.()));
  });
  await app.ready();
  return app;
}

/** Schemas of answers serve only the API document, which is built. The framework would prepare each at every start. */
function leaveOutAnswers(route: AddedRoute): void {
  if (route.schema !== undefined) route.schema = { ...route.schema, response: undefined };
}

interface PluginPlace {
  readonly guard: RouteGuard;
  readonly probes: Probes;
  /** Where all paths are others', which are built later. */
  readonly taken: readonly string[];
}

async function addPlugin(
  app: App,
  { root, plugin, limit, add }: PluginRoutes,
  { guard, probes, taken }: PluginPlace,
): Promise<void> {
  await app.register(
    async (api) => {
      if (limit !== undefined) {
        api.addHook('onRoute', (route) => {
          route.config = { limit, ...route.config, ...(plugin !== undefined && { plugin }) };
          const { limit: named } = route.config;
          // Who names `send` counts by itself, and passes keys by.
          if (!guard.access.hasLimit(named) || (plugin !== undefined && named === 'send'))
            throw new Error(`the route ${route.url} names the limit "${named}", which is not in "limits"`);
          const other = taken.find((path) => isAtOrBelow(route.url, path));
          if (other !== undefined)
            throw new Error(`the route ${route.url} is below ${other}, which the service serves`);
        });
      }
      await add(api, guard);
      // Health checks are also below a path.
      if (root !== '') addHealthRoutes(api, probes);
    },
    { prefix: root },
  );
}

/** In the shape of the plugin that serves the path, or in ours. */
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
  const {
    inboxes,
    release,
    attempts,
    spaces,
    joinWaitlist,
    streams,
    clock,
    probes,
    settings,
    fetchRate,
    lookRate,
    page,
    mcp,
    document,
    log,
    events,
  } = options;
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  const node = hostname();
  const facts = { inboxes, access, viewers, settings, clock };
  const answers = new AttemptAnswers({ book: attempts, spaces, node, ...facts });
  await app.register(async (api) => {
    addInboxRoute(api, inboxes, access);
    addClearRoute(api, inboxes, access);
    addStreamRoute(
      api,
      access,
      new EventStreams({ inboxes, access, streams, largeAnswers: app.largeAnswers, clock, log, events }),
    );
    addSummaryRoute(api, inboxes, access);
    addAttemptRoutes(api, answers, access);
    addEmailRoutes(api, inboxes, access);
    addMessageRoute(api, inboxes, access);
    addPreviewRoutes(api, inboxes, access);
    addExplanationRoute(api, inboxes, access);
    addPartsRoute(api, inboxes, access);
    addPartRoute(api, inboxes, access);
    addReleaseRoute(api, release, access);
    addWaitlistRoute(api, joinWaitlist);
    addSettingsRoute(api, { ...settings, fetchRate, lookRate }, viewers, clock);
    addHealthRoutes(api, probes);
    if (page !== null) addPageRoutes(api, page, viewers);
    if (mcp)
      addMcpRoute(api, {
        inboxes,
        access,
        viewers,
        streams,
        clock,
        settings,
        hasPage: page !== null,
        attempts: answers,
        log,
      });
    addOpenApiRoute(api, document);
  });
}

function logAnswers(app: App, log: Log): void {
  app.addHook('onResponse', async ({ method, routeOptions, query }, reply) => {
    // The route and not the path: an inbox's name is its secret.
    const label = { method, route: routeOptions.url, status: reply.statusCode, source: sourceLabel(query) };
    log.debug({ ...label, ms: Math.round(reply.elapsedTime) }, 'Answered a request.');
  });
}

/** Refuses what web pages may send. A trusted proxy answers for its clients. Throws 400 and 403. */
function checkLocal(request: Request, { corsOrigins }: ApiOptions): void {
  const { routeOptions, method } = request;
  checkHost(hostOf(request), request.socket.remoteAddress ?? '127.0.0.1');
  if (routeOptions.config.isOpenedByLinks && (method === 'GET' || method === 'HEAD')) return;
  checkSite(request, corsOrigins);
}
