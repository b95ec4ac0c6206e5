import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import type { HeldBytes } from '../../limits/client-memory.js';
import { RoundRobin, shortenRound } from '../../limits/event-loop.js';
import { isChunkedTooEarly } from '../access/host.js';
import { RequestError, refuse, type Tell } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';
import { BrokenRequests, isMeantForSmtp } from './broken-requests.js';
import { type ConnectionBounds, Connections } from './connections.js';
import type { Peers } from './peers.js';
import { Pipeline, type PipelineContext, UnderWay } from './pipeline.js';
import { UnreadAnswers } from './unread-answers.js';

/** Bounds on a request's way to its route, in milliseconds and bytes. */
export interface HttpLimits extends ConnectionBounds {
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
}

/** Interval of Node's checks for slow requests. */
const TIMEOUT_CHECK_MS = 1_000;

/** Clients without traffic for this long are dropped. Streams have heartbeats before. */
const STALLED_CONNECTION_MS = 30_000;

/** Times in a row that a client is spared which waits for an answer: every delay of ours has its own bound. */
const MAX_OWED = 4;

const KEEP_ALIVE_MS = 10_000;

/** Interval of the checks for idle connections during a stop. */
const IDLE_CHECK_MS = 50;

/** Requests of a client begun per round: long rounds delay others. One with a long target counts as several. */
const SHARE = 4;

const AT_ONCE = 16;

/** Reading a query of 1 KiB, which may have hundreds of names, costs about as much as a small answer. */
const TARGET_SHARE_BITS = 10;

export interface HttpServerOptions {
  readonly limits: HttpLimits;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly held: HeldBytes;
  readonly answer: RequestListener;
  readonly events?: HttpEvents | undefined;
  readonly tell?: Tell | undefined;
  /** Told of a client that took this port for that of SMTP. */
  readonly tookForSmtp?: ((client: string) => void) | undefined;
}

/**
 * Node's HTTP server with our bounds, in front of the framework. Connections and requests take turns by client, so that
 * thousands of one delay no other (D22); clients that do not read get nothing more (D47); and anything but a request
 * gets an error like every other.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { limits, peers, clock, held, answer, events, tell, tookForSmtp } = options;
  const server = createServer({
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headerTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // Node would answer without a body; the Host check does it.
    requireHostHeader: false,
  });
  // Past its limit Node hides headers that its parser still obeys: a body would run as a request. See below.
  server.maxHeadersCount = 0;
  server.setTimeout(STALLED_CONNECTION_MS);
  server.maxConnections = limits.maxConnections;
  if (events !== undefined) server.on('drop', () => events.limited('http-connections-total'));

  const underWay = new UnderWay();
  const context: PipelineContext = { peers, underWay, held };
  const serve = serving(server);
  const connections = new Connections(peers, limits, {
    open: (socket) => new Pipeline(socket, context),
    serve,
    events,
  });
  server.on('connection', (socket: Socket) => connections.admit(socket));
  server.on('connection', shortenRound).on('drop', shortenRound);
  const unread = new UnreadAnswers(clock, held, events);
  closeWhatIsIdle(server, connections, underWay, () => unread.close());
  dropWhatStalls(server, underWay);
  // One request at a time per connection (see `Pipeline`), so no more can wait.
  const most = limits.maxConnectionsPerClient;
  takeRequests(server, answer, { peers, underWay, unread, most });
  const broken = new BrokenRequests(limits.maxBodyBytes, underWay, { events, tell });
  server.on('connect', (_request, socket) => {
    (socket as Pipeline).dropInput();
    broken.refuseMethod(socket);
  });
  server.on('clientError', (error, socket) => {
    const pipeline = socket as Pipeline;
    if (isMeantForSmtp(error, pipeline)) tookForSmtp?.(peers.of(pipeline).client);
    broken.answer(error, pipeline, pipeline.unparsed);
    pipeline.dropInput();
  });
  return server;
}

/**
 * Most header lines of a request. Node keeps each while the request is open: 4,000 empty ones fit its bytes and take
 * 150 KB, and a client may have thousands of streams.
 */
const MAX_HEADER_LINES = 200;

interface RequestParts {
  readonly peers: Peers;
  readonly underWay: UnderWay;
  readonly unread: UnreadAnswers;
  readonly most: number;
}

/** Begins requests in turns by client, as far as the clients read their answers. */
function takeRequests(server: Server, answer: RequestListener, { peers, underWay, unread, most }: RequestParts): void {
  const turns = new RoundRobin<ServerResponse>({
    share: SHARE,
    atOnce: AT_ONCE,
    newAtOnce: AT_ONCE,
    most,
    sizeOf: ({ req: { url = '' } }) => 1 + (url.length >> TARGET_SHARE_BITS),
    begin: (response) => answer(response.req, response),
  });
  server.on('request', (request, response) => {
    underWay.begin(request, response);
    if (isChunkedTooEarly(request)) response.setHeader('connection', 'close');
    if (request.rawHeaders.length > 2 * MAX_HEADER_LINES) {
      refuse(response, new RequestError(httpErrors.headersTooLarge, {}, { connection: 'close' }));
      return;
    }
    const client = peers.clientOf(request);
    unread.admit(client, response, () => {
      if (!turns.take(client, response)) request.socket.destroy();
    });
  });
  // Unknown expectations may be ignored (RFC 9110 section 10.1.1); Node would answer without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Takes Node's listener for connections from the server. It serves any stream, and gets ours in place of sockets. */
function serving(server: Server): (pipeline: Pipeline) => void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  return (pipeline) => {
    for (const serve of listeners) serve.call(server, pipeline);
  };
}

/** Drops connections without traffic, unless we owe them an answer. */
function dropWhatStalls(server: Server, underWay: UnderWay): void {
  const owed = new WeakMap<ServerResponse, number>();
  server.on('timeout', (socket) => {
    const [first] = underWay.of(socket);
    const times = first === undefined ? 0 : (owed.get(first) ?? 0);
    const isOwed = first?.req.complete && !first.writableEnded && socket.writableLength === 0;
    if (first === undefined || !isOwed || times >= MAX_OWED) {
      socket.destroy();
      return;
    }
    owed.set(first, times + 1);
    socket.setTimeout(server.timeout);
  });
}

/**
 * On a stop, closes idle connections, now and as they become idle. Node's own way spares connections without any
 * request, looks once, and cuts answers that have not left. Calls `stopping` first.
 */
function closeWhatIsIdle(server: Server, connections: Connections, underWay: UnderWay, stopping: () => void): void {
  let earlier: ReadonlySet<Socket> = connections.open;
  const close = () => {
    for (const socket of connections.open) {
      const pipeline = Pipeline.of(socket);
      const isIdle = pipeline !== undefined && !pipeline.isReleased && underWay.isIdle(pipeline);
      // A client that has just connected may be about to ask whether the service is ready.
      if (isIdle && (socket.bytesRead > 0 || earlier.has(socket))) socket.destroy();
    }
    earlier = new Set(connections.open);
  };
  let checking: NodeJS.Timeout | undefined;
  server.closeIdleConnections = () => {
    if (checking === undefined) {
      stopping();
      close();
    }
    checking ??= setInterval(close, IDLE_CHECK_MS);
  };
  server.once('close', () => clearInterval(checking));
}
