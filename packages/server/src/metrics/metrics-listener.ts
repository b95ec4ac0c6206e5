import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withPort } from '../base/listen-address.js';
import type { Log } from '../base/log.js';
import { httpErrors } from '../errors.js';
import {
  ANSWER_HEADERS,
  checkHead,
  checkHost,
  hostOf,
  isLocalOnly,
  JSON_TYPE,
  pathOf,
  RequestError,
} from '../http/http.js';
import type { Metrics } from './metrics.js';

const PATH = '/metrics';

/** Connections at a time; more are closed without a reply. */
const MAX_CONNECTIONS = 32;

/** A request has one line and a few headers. */
const MAX_HEADER_BYTES = 8 * 1024;

/** Time for a request to arrive, and for a client that reads nothing. */
const TIMEOUT_MS = 5_000;

/** Time to read the figures, at most some hundred KB. */
const READ_MS = 30_000;

/** Interval of Node's checks for slow requests. */
const TIMEOUT_CHECK_MS = 1_000;

export interface MetricsListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly log: Log;
}

export interface RunningMetrics {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the figures at `/metrics` without a login. Rejects if the address is unusable. */
export async function startMetrics({ host, port, metrics, log }: MetricsListenerOptions): Promise<RunningMetrics> {
  const localOnly = isLocalOnly(host);
  const collect = oneAtATime(metrics.text);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    (request, response) => {
      answer(request, localOnly, collect, metrics.contentType).then(
        ({ type, text }) => send(request, response, 200, { ...ANSWER_HEADERS, 'content-type': type }, text),
        (error) => {
          if (!(error instanceof RequestError)) log.error({ err: error }, 'Collecting the metrics failed.');
          const { status, headers, body } =
            error instanceof RequestError ? error : new RequestError(httpErrors.internal);
          send(request, response, status, { ...headers, 'content-type': JSON_TYPE }, body);
        },
      );
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  // Pipelined requests would each have their answer made and held (see `send`).
  server.maxRequestsPerSocket = 1;
  server.setTimeout(TIMEOUT_MS);
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', (error) => log.error({ err: error }, 'The metrics listener failed.'));
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${withPort(host, bound)}${PATH}`;
  log.info(`Metrics are at ${url}`);
  return { url, stop: () => stop(server) };
}

/** The figures. Rejects with a `RequestError` for any other request. */
async function answer(
  request: IncomingMessage,
  localOnly: boolean,
  collect: () => Promise<string>,
  type: string,
): Promise<{ readonly type: string; readonly text: string }> {
  const { method = '', url = '' } = request;
  checkHead(request);
  // A stranger's page whose name points here must not read them (D17).
  if (localOnly) checkHost(hostOf(request));
  if (pathOf(url) !== PATH) throw new RequestError(httpErrors.notMetrics);
  if (method !== 'GET' && method !== 'HEAD') {
    const allow = 'GET, HEAD';
    throw new RequestError(httpErrors.methodNotAllowed, { method, allow }, { allow });
  }
  return { type, text: await collect() };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  // However steadily a client reads a little.
  const tooLate = setTimeout(() => request.socket.destroy(), READ_MS);
  response.once('close', () => clearTimeout(tooLate));
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Requests during a collection share its result. */
function oneAtATime(collect: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | null = null;
  return () => {
    running ??= collect().finally(() => {
      running = null;
    });
    return running;
  };
}

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
