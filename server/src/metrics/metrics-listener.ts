import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withPort } from '../base/listen-address.js';
import type { Log } from '../base/log.js';
import { httpErrors } from '../errors.js';
import {
  ANSWER_HEADERS,
  checkHost,
  checkOneHost,
  hostOf,
  isLocalOnly,
  JSON_TYPE,
  pathOf,
  RequestError,
} from '../http/http.js';
import type { Metrics } from './metrics.js';

const PATH = '/metrics';

/** How many may ask at one moment. Those beyond are closed without a word. */
const MAX_CONNECTIONS = 32;

/** A request has one line and a few headers. */
const MAX_HEADER_BYTES = 8 * 1024;

/** How long a request may take to arrive, and how long a client may read nothing of its answer. */
const TIMEOUT_MS = 5_000;

/** How long a client may take to read the figures, which are some hundred KB at most. */
const READ_MS = 30_000;

/** How often Node looks for requests that take too long. */
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

/** Serves the figures at `/metrics`, and nothing else, without a login. Rejects if the address is unusable. */
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
  // Many requests sent at once on a connection would have as many answers made and held: see `send`, too.
  server.maxRequestsPerSocket = 1;
  server.setTimeout(TIMEOUT_MS);
  await listen(server, host, port);
  server.on('error', (error) => log.error({ err: error }, 'The metrics listener failed.'));
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${withPort(host, bound)}${PATH}`;
  log.info(`Metrics are at ${url}`);
  return { url, stop: () => stop(server) };
}

/** The figures for a request. Rejects with a `RequestError` for what asks for something else. */
async function answer(
  request: IncomingMessage,
  localOnly: boolean,
  collect: () => Promise<string>,
  type: string,
): Promise<{ readonly type: string; readonly text: string }> {
  const { method = '', url = '' } = request;
  checkOneHost(request);
  // A page of a stranger's, whose name was made to point here, must not read them (D17).
  if (localOnly) checkHost(hostOf(request));
  if (pathOf(url) !== PATH) throw new RequestError(httpErrors.notFound);
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
  // However steadily a client reads a little of it.
  const tooLate = setTimeout(() => request.socket.destroy(), READ_MS);
  response.once('close', () => clearTimeout(tooLate));
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Who asks while the figures are being collected gets the same. */
function oneAtATime(collect: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | null = null;
  return () => {
    running ??= collect().finally(() => {
      running = null;
    });
    return running;
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
