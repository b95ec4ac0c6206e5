import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { BACKLOG, withPort } from '../base/listen-address.js';
import { scarcity } from '../limits/quota.js';
import { listenError } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import { OpenStreams, scarceStreams } from './answer/open-streams.js';
import { buildApi } from './app.js';
import type { HttpLimits } from './connection/connections.js';
import type { HttpParts } from './parts.js';

/** Connections in addition to those of streams, for clients that only fetch. */
const SPARE_CONNECTIONS = 5_000;

export interface RunningHttp {
  readonly url: string;
  /**
   * Allows running answers `graceMs` to finish, and closes every connection. Until those answers and `others` are done,
   * new requests get a 503, so that a load balancer that polls `/readyz` notices the stop.
   */
  stop(graceMs: number, others: Promise<unknown> | undefined): Promise<void>;
}

export async function startHttp(settings: Settings, parts: HttpParts): Promise<RunningHttp> {
  const { log, inboxes, events, counting } = parts;
  const { host, streams: total, 'streams-per-client': perClient } = settings;
  const scarce = scarcity({ total, perClient }, scarceStreams(perClient));
  const streams = new OpenStreams({ total, perClient, ...scarce }, events, counting);
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

/** Allows a connection for each stream and some more. Once half of all are open, each client may have fewer. */
function limitsOf(settings: Settings): HttpLimits {
  const { streams, 'streams-per-client': perClient, 'http-connections': beside } = settings;
  const [maxConnections, maxConnectionsPerClient] = [streams + SPARE_CONNECTIONS, perClient + beside];
  const bounds = { total: maxConnections, perClient: maxConnectionsPerClient };
  return {
    ...{ maxConnections, maxConnectionsPerClient, ...scarcity(bounds, scarceStreams(perClient) + beside) },
    headerTimeoutMs: settings['http-header-time'],
    requestTimeoutMs: settings['http-request-time'],
    maxBodyBytes: settings['http-max-body'],
  };
}
