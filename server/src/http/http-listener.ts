import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { BACKLOG, withPort } from '../base/listen-address.js';
import { scarcity } from '../fairness/quota.js';
import { isLocalOnly } from '../limits/client-address.js';
import { OpenStreams, scarceStreams } from './answer/open-streams.js';
import { type ApiOptions, buildApi } from './app.js';
import type { HttpLimits } from './connection/http-server.js';

/** More connections than streams, for those who only fetch. */
const SPARE_CONNECTIONS = 5_000;

export interface HttpOptions extends Omit<ApiOptions, 'streams' | 'localOnly' | 'limits'> {
  readonly host: string;
  readonly port: number;
  readonly maxStreams: number;
  readonly maxStreamsPerClient: number;
  readonly maxConnectionsPerClient: number;
  readonly limits: Pick<HttpLimits, 'headerTimeoutMs' | 'requestTimeoutMs' | 'maxBodyBytes'>;
}

export interface RunningHttp {
  readonly url: string;
  isListening(): boolean;
  /** Ends streams and waits, gives answers that are under way so many milliseconds to finish, and closes every connection. */
  stop(graceMs: number): Promise<void>;
}

/** Starts the HTTP listener. Rejects when the port is taken. */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { host, port, log, inboxes, maxStreams, maxStreamsPerClient, events, counting } = options;
  const bounds = { total: maxStreams, perClient: maxStreamsPerClient };
  const scarce = scarcity(bounds, scarceStreams(maxStreamsPerClient));
  const streams = new OpenStreams({ ...bounds, ...scarce }, events, counting);
  const limits = { ...options.limits, ...connectionBounds(options) };
  const app = await buildApi({ ...options, limits, streams, localOnly: isLocalOnly(host) });
  // By its address: the framework would listen twice for the name localhost, and once without our bounds.
  const { address } = await lookup(host);
  await app.listen({ host: address, port, backlog: BACKLOG });
  const { port: bound } = app.server.address() as AddressInfo;
  const url = `http://${withPort(host, bound)}`;
  log.info(`HTTP is listening at ${url}`);
  return {
    url,
    isListening: () => app.server.listening,
    async stop(graceMs) {
      streams.endAll();
      inboxes.messages.close();
      app.largeAnswers.close();
      const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
      await app.close().finally(() => clearTimeout(timer));
    },
  };
}

/** As many connections as streams, and more for all else; where half of all are open, a client has a smaller share of both. */
function connectionBounds({ maxStreams, maxStreamsPerClient, maxConnectionsPerClient: beside }: HttpOptions) {
  const [maxConnections, maxConnectionsPerClient] = [maxStreams + SPARE_CONNECTIONS, maxStreamsPerClient + beside];
  const bounds = { total: maxConnections, perClient: maxConnectionsPerClient };
  return { maxConnections, maxConnectionsPerClient, ...scarcity(bounds, scarceStreams(maxStreamsPerClient) + beside) };
}
