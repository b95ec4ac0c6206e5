import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.js';
import { withPort } from '../base/listen-address.js';
import type { Log } from '../base/log.js';
import { httpErrors } from '../errors.js';
import { checkHead, checkHost, hostOf, pathOf } from '../http/access/host.js';
import { Peers } from '../http/access/peers.js';
import { RequestError } from '../http/answer/request-error.js';
import { createApp } from '../http/framework.js';
import { isLocalOnly } from '../limits/client-address.js';
import { version } from '../manifest.js';
import type { ListenAddress } from '../settings/kinds.js';
import { listenError } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import type { Usage } from '../store/store.js';
import { createMetrics } from './metrics.js';

const PATH = '/metrics';

/** Maximum number of concurrent connections. Others are closed without a reply. */
const MAX_CONNECTIONS = 32;

const TIMEOUT_MS = 5_000;

const MAX_BODY_BYTES = 1024;

/** Serves event counts at `/metrics` without a login. Rejects with an error for the operator if it cannot listen. */
export async function startMetrics(settings: Settings, usage: () => Promise<Usage>, clock: Clock, log: Log) {
  const { host, port } = settings.metrics as ListenAddress;
  const events = createMetrics(version(), usage);
  const localOnly = isLocalOnly(host);
  const app = await createApp(
    {
      limits: {
        headerTimeoutMs: TIMEOUT_MS,
        requestTimeoutMs: TIMEOUT_MS,
        maxBodyBytes: MAX_BODY_BYTES,
        connections: { total: MAX_CONNECTIONS, perClient: MAX_CONNECTIONS },
      },
      ...{ peers: new Peers([]), clock, log },
      ...{ corsOrigins: [], answerLost: null },
      checks() {
        throw new Error('no metrics route has a schema');
      },
    },
    async ({ raw }) => {
      checkHead(raw);
      // A stranger's web page, whose host name resolves to this machine, must not read the metrics (D17).
      if (localOnly) checkHost(hostOf(raw));
      if (pathOf(raw.url ?? '') !== PATH) throw new RequestError(httpErrors.notMetrics);
    },
  );
  let collecting: Promise<string> | null = null;
  // Scrapes are rare, and an idle connection would take one of few places.
  app.addHook('onSend', async (_request, reply) => void reply.header('connection', 'close'));
  app.get(PATH, async (_request, reply) => {
    reply.type(events.contentType);
    // Collects once for simultaneous scrapes.
    collecting ??= events.text().finally(() => {
      collecting = null;
    });
    return collecting;
  });
  await app.listen({ host, port }).catch((error) => {
    throw listenError(error, 'metrics', settings);
  });
  const { port: bound } = app.server.address() as AddressInfo;
  const url = `http://${withPort(host, bound)}${PATH}`;
  log.info(`Metrics are at ${url}`);
  return {
    events,
    url,
    async stop() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
