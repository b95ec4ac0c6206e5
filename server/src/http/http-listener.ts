import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { withPort } from '../listen-address.js';
import { type ApiOptions, buildApi } from './app.js';
import { isLocalOnly } from './host.js';
import { OpenStreams } from './open-streams.js';

export interface HttpOptions extends Omit<ApiOptions, 'streams' | 'localOnly'> {
  readonly host: string;
  /** 0 takes any port that is free. */
  readonly port: number;
  readonly maxStreams: number;
  readonly maxStreamsPerClient: number;
}

export interface RunningHttp {
  readonly url: string;
  isListening(): boolean;
  /** Ends the streams and whoever waits for a turn, lets answers that are under way finish for so long, and closes every connection. */
  stop(graceMs: number): Promise<void>;
}

/** Starts the HTTP listener. Rejects when the port is taken. */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { host, port, log, inboxes, maxStreams, maxStreamsPerClient, events, counting } = options;
  const streams = new OpenStreams({ total: maxStreams, perClient: maxStreamsPerClient }, events, counting);
  const app = await buildApi({ ...options, streams, localOnly: isLocalOnly(host) });
  // By its address: of the name localhost the framework makes a listener for each family, and all but one without our bounds.
  const { address } = await lookup(host);
  await app.listen({ host: address, port });
  const { port: bound } = app.server.address() as AddressInfo;
  const url = `http://${withPort(host, bound)}`;
  log.info(`HTTP is listening at ${url}`);
  return {
    url,
    isListening: () => app.server.listening,
    async stop(graceMs) {
      streams.endAll();
      inboxes.endInspections();
      app.largeAnswers.close();
      const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
      await app.close().finally(() => clearTimeout(timer));
    },
  };
}
