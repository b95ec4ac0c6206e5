import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { BACKLOG, withPort } from '../base/listen-address.js';
import { isLocalOnly } from '../limits/client-address.js';
import { withScarcity } from '../limits/quota.js';
import { listenError } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import { Access } from './access/access.js';
import { checkHead, checkHost, hostOf, pathOf } from './access/host.js';
import { peersOf } from './access/peers.js';
import { checkSite, Viewers } from './access/viewers.js';
import { answersOf } from './answer/answers.js';
import { openStreams, scarceStreams } from './answer/open-streams.js';
import type { HttpLimits } from './connection/connections.js';
import { type Admit, type App, type AppOptions, createApp, type Request } from './framework.js';
import { sourceLabel } from './http-events.js';
import type { HttpParts, PluginRoutes, RouteGuard, Served } from './parts.js';
import { addAllMailRoutes } from './routes/all-mail.js';
import { addAttemptRoutes } from './routes/attempts.js';
import { addEmailRoutes } from './routes/email.js';
import { addInboxRoutes } from './routes/inbox.js';
import { addPageRoutes, lostPage } from './routes/inbox-page.js';
import { addMcpRoute } from './routes/mcp-endpoint.js';
import { addRunRoutes } from './routes/runs.js';
import { addHealthRoutes, addServiceRoutes } from './routes/service.js';
import { addStreamRoute } from './routes/stream.js';

/** Connections in addition to those of streams, for clients that only fetch. */
const SPARE_CONNECTIONS = 5_000;

export async function startHttp(settings: Settings, parts: HttpParts) {
  const { log, inboxes, events, counting } = parts;
  const { host, streams: total, 'streams-per-client': perClient } = settings;
  const streams = openStreams(withScarcity({ total, perClient }, scarceStreams(perClient)), events, counting);
  let drained: Promise<unknown> = Promise.resolve();
  const app = await buildApi({ ...parts, settings, limits: limitsOf(settings), streams, drained: () => drained });
  // Resolves the address first, because Fastify would listen twice on the name localhost, once without our bounds.
  await lookup(host)
    .then(({ address }) => app.listen({ host: address, port: settings['http-port'], backlog: BACKLOG }))
    .catch((error) => {
      throw listenError(error, 'http-port', settings);
    });
  const { port: bound } = app.server.address() as AddressInfo;
  const url = `http://${withPort(host, bound)}`;
  log.info(`HTTP is listening at ${url}`);
  return {
    url,
    /**
     * Allows running answers `graceMs` to finish, and closes every connection. Until those answers and `others` are
     * done, new requests get a 503, so that a load balancer that polls `/readyz` notices the stop.
     */
    async stop(graceMs: number, others: Promise<unknown> | undefined): Promise<void> {
      drained = Promise.all([others?.catch(() => {}), app.connections.stop()]);
      streams.endAll();
      inboxes.messages.close();
      app.answers.turns.close();
      const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
      await app.close().finally(() => clearTimeout(timer));
    },
  };
}

/** Allows a connection for each stream and some more. Once half of all are open, each client may have fewer. */
function limitsOf(settings: Settings): HttpLimits {
  const { streams, 'streams-per-client': perClient, 'http-connections': more } = settings;
  const bounds = { total: streams + SPARE_CONNECTIONS, perClient: perClient + more };
  return {
    connections: withScarcity(bounds, scarceStreams(perClient) + more),
    headerTimeoutMs: settings['http-header-time'],
    requestTimeoutMs: settings['http-request-time'],
    maxBodyBytes: settings['http-max-body'],
  };
}

export interface ApiOptions extends HttpParts, Pick<Served, 'settings' | 'streams'>, Pick<AppOptions, 'limits'> {
  /** Called on a stop. Resolves when the port may close; until then, the service refuses new requests. */
  drained?(): Promise<unknown>;
}

export async function buildApi(options: ApiOptions): Promise<App> {
  const { settings, attempts, clock, log, page, plugins, streams, events } = options;
  const { held } = options.inboxes;
  const corsOrigins = settings['cors-origin'];
  const peers = peersOf(settings['trust-proxy']);
  const access = new Access(options);
  const viewers = new Viewers(settings, access, peers);
  const localOnly = isLocalOnly(settings.host);
  const checkPage = (request: Request) => checkSite(request, corsOrigins);
  const admit: Admit = async (request) => {
    const { config } = request.routeOptions;
    checkHead(request.raw);
    // A foreign page must not use up the limits of the user who has opened it. A trusted proxy has to check the hosts
    // and pages of its clients.
    if (localOnly && !peers.of(request.socket).isTrusted) {
      checkHost(hostOf(request), request.socket.remoteAddress ?? '127.0.0.1');
      const isLink = config.isOpenedByLinks && (request.method === 'GET' || request.method === 'HEAD');
      if (!isLink) checkPage(request);
    }
    const owner = request.is404 ? ownerOf(request.url) : null;
    if (owner === null) await access.check(request, config.limit);
    else owner.admit(request);
  };
  const tookForSmtp = (client: string) => attempts.tookHttpForSmtp(client);
  const ownerOf = (url: string) => {
    for (const plugin of plugins) {
      const owner = plugin.ownerOf?.(pathOf(url));
      if (owner) return owner;
    }
    return null;
  };
  const answered = { ownerOf, tookForSmtp, answerLost: page && lostPage(page) };
  const app = await createApp({ ...options, peers, held, corsOrigins, ...answered }, admit);
  app.decorate('answers', answersOf(clock, held, events));
  if (log.isLevelEnabled('debug')) logAnswers(app, log);
  await addRoutes(app, { ...options, access, viewers });
  const guard = { access, streams, viewers, checkPage };
  for (const plugin of plugins) await addPlugin(app, plugin, guard, options);
  // Added last, in a child context, so that this hook runs after the root's, with which plugins end waiting requests.
  await app.register(async (api) => {
    api.addHook('preClose', async () => void (await options.drained?.()));
  });
  await app.ready();
  return app;
}

async function addPlugin(app: App, { root, plugin, limit, add }: PluginRoutes, guard: RouteGuard, parts: HttpParts) {
  await app.register(
    async (api) => {
      if (limit !== undefined) {
        api.addHook('onRoute', (route) => {
          route.config = { limit, ...route.config, ...(plugin !== undefined && { plugin }) };
          const { limit: named } = route.config;
          // A plugin may not use `send`, because a route with that limit counts requests by itself and needs no key.
          if (!guard.access.hasLimit(named) || (plugin !== undefined && named === 'send'))
            throw new Error(`the route ${route.url} names the limit "${named}", which is not in "limits"`);
        });
      }
      await add(api, guard);
      // Health checks also have paths below the plugin's root.
      if (root !== '') addHealthRoutes(api, parts);
    },
    { prefix: root },
  );
}

/** Adds all routes. From their schemas, the build derives the checks of requests and the API document. */
export async function addRoutes(app: App, served: Served): Promise<void> {
  const { page, viewers } = served;
  await app.register(async (api) => {
    addInboxRoutes(api, served);
    addStreamRoute(api, served);
    addAttemptRoutes(api, served);
    addEmailRoutes(api, served);
    addHealthRoutes(api, served);
    addServiceRoutes(api, served);
    if (page !== null) addPageRoutes(api, page, viewers);
    if (served.settings.mcp) addMcpRoute(api, served);
    addAllMailRoutes(api, served);
    addRunRoutes(api, served);
  });
}

function logAnswers(app: App, log: HttpParts['log']): void {
  app.addHook('onResponse', async ({ method, routeOptions, query }, reply) => {
    // Logs the route instead of the path, because an inbox's name is its secret.
    const label = { method, route: routeOptions.url, status: reply.statusCode, source: sourceLabel(query) };
    log.debug({ ...label, ms: Math.round(reply.elapsedTime) }, 'Answered a request.');
  });
}
