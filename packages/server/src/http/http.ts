import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { BACKLOG, withPort } from '../base/listen-address.js';
import { isLocalOnly } from '../limits/client-address.js';
import { scarcity } from '../limits/quota.js';
import { listenError } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import { OpenStreams, scarceStreams } from './answer/open-streams.js';
import { type ApiOptions, buildApi } from './app.js';

/**
 * The door of this folder: other parts import no other file of it. `service` starts the interface, `metrics` counts
 * requests and refuses by the same rules, and `plugin` re-exports what plugins' routes need.
 */

export { isLocalOnly } from '../limits/client-address.js';
export type { AddedLimit } from './access/access.js';
export { checkHead, checkHost, hostOf, pathOf } from './access/host.js';
export { basicCredentials } from './access/keys.js';
export { Peers } from './access/peers.js';
export {
  messageIfThere,
  readerOf,
  sendJson,
  streamOf,
  textBody,
  waitForTurn,
  whenOver,
} from './answer/answers.js';
export type { OpenStream } from './answer/open-streams.js';
export {
  ANSWER_HEADERS,
  JSON_TYPE,
  RETRY_SOON,
  RequestError,
  retryAfter,
  stoppingError,
  type ToldError,
} from './answer/request-error.js';
export type { PluginRoutes, RouteGuard } from './app.js';
export { readBuiltApi } from './built-api.js';
export { type App, createApp, faultOf, type Reply, type Request } from './framework.js';
export { HTTP_LIMITS, type HttpEvents, STREAM_RESULTS } from './http-events.js';
export { addRawRoutes } from './request/bodies.js';
export { reading, readQuery } from './request/fields.js';
export { KnownPaths, type OptionalPart } from './request/known-paths.js';
export { addInspectionRoute, ifThere } from './request/one-email.js';
export { INBOX_FIELDS } from './request/parameters.js';
export { readPageFiles } from './routes/inbox-page.js';
export { partHeaders } from './routes/part-file.js';

/** Beyond streams: for clients that only fetch. */
const SPARE_CONNECTIONS = 5_000;

/** Dependencies of HTTP in addition to the settings. */
export interface HttpParts
  extends Omit<
      ApiOptions,
      'streams' | 'localOnly' | 'limits' | 'drained' | 'settings' | keyof ReturnType<typeof optionsOf>
    >,
    Pick<ApiOptions['settings'], 'smtp' | 'smtpOffers' | 'sendApis'> {}

export interface RunningHttp {
  readonly url: string;
  /**
   * Allows running answers `graceMs` to finish, and closes every connection. Until they and `others` are done, new
   * requests get a 503, so that a balancer that polls `/readyz` notices.
   */
  stop(graceMs: number, others: Promise<unknown> | undefined): Promise<void>;
}

export async function startHttp(settings: Settings, parts: HttpParts): Promise<RunningHttp> {
  const { log, inboxes, events, counting, smtp, smtpOffers, sendApis } = parts;
  const { host, domain: domains, retention: retentionMs, waitlist } = settings;
  const bounds = { total: settings.streams, perClient: settings['streams-per-client'] };
  const scarce = scarcity(bounds, scarceStreams(bounds.perClient));
  const streams = new OpenStreams({ ...bounds, ...scarce }, events, counting);
  const limits = {
    headerTimeoutMs: settings['http-header-time'],
    requestTimeoutMs: settings['http-request-time'],
    maxBodyBytes: settings['http-max-body'],
    ...connectionBounds(settings),
  };
  let drained: Promise<unknown> = Promise.resolve();
  const app = await buildApi({
    ...{ ...parts, ...optionsOf(settings), limits, streams, localOnly: isLocalOnly(host) },
    settings: { domains, retentionMs, waitlist, smtp, smtpOffers, sendApis },
    drained: () => drained,
  });
  // Resolves the address first: Fastify would listen twice on the name localhost, once without our bounds.
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
    async stop(graceMs, others) {
      drained = Promise.all([others?.catch(() => {}), app.connections.stop()]);
      streams.endAll();
      inboxes.messages.close();
      app.answers.turns.close();
      const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
      await app.close().finally(() => clearTimeout(timer));
    },
  };
}

function optionsOf(settings: Settings) {
  return {
    fetchRate: settings['fetch-limit'],
    readRate: settings['read-limit'],
    workspaceRate: settings['workspace-limit'],
    streamRate: settings['stream-limit'],
    waitlistRate: settings['waitlist-limit'],
    wrongKeyRate: settings['wrong-key-limit'],
    nameRate: settings['name-limit'],
    mcp: settings.mcp,
    workspaces: settings.workspace,
    corsOrigins: settings['cors-origin'],
    trusted: settings['trust-proxy'],
  };
}

/** As many connections as streams, and some spare ones; clients get fewer of both once half are open. */
function connectionBounds(settings: Settings) {
  const { streams, 'streams-per-client': perClient, 'http-connections': beside } = settings;
  const [maxConnections, maxConnectionsPerClient] = [streams + SPARE_CONNECTIONS, perClient + beside];
  const bounds = { total: maxConnections, perClient: maxConnectionsPerClient };
  return { maxConnections, maxConnectionsPerClient, ...scarcity(bounds, scarceStreams(perClient) + beside) };
}
