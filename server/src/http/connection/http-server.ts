import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import type { HeldBytes } from '../../fairness/client-memory.js';
import { RoundRobin } from '../../fairness/event-loop.js';
import { RequestError, refuse } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';
import { BrokenRequests, isMeantForSmtp } from './broken-requests.js';
import { type ConnectionBounds, Connections } from './connections.js';
import type { Peers } from './peers.js';
import { Pipeline, type PipelineContext } from './pipeline.js';
import { UnderWay } from './under-way.js';
import { UnreadAnswers } from './unread-answers.js';
import { takeUpgrades } from './upgrades.js';

/** What bounds the way of a request into a route. Times are in milliseconds. */
export interface HttpLimits extends ConnectionBounds {
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
}

/** How often Node looks for requests that take too long. */
const TIMEOUT_CHECK_MS = 1_000;

/** A client that reads nothing, or sends nothing, for so long is dropped. A stream has a heartbeat before. */
const STALLED_CONNECTION_MS = 30_000;

/** It is spared so many times in a row while it waits for its answer: whatever delays that has a bound of its own. */
const MAX_OWED = 4;

/** How long an idle connection is kept for the next request. */
const KEEP_ALIVE_MS = 10_000;

/** How often a server that stops looks for connections whose answers have left. */
const IDLE_CHECK_MS = 50;

/**
 * How many requests of one client are begun each time the event loop comes round. It accepts one connection in a round
 * (libuv since 1.45), so the longer rounds take, the longer those wait who connect behind many others.
 */
const SHARE = 4;

/** How many that had to wait are begun in one round. */
const AT_ONCE = 16;

export interface HttpServerOptions {
  readonly limits: HttpLimits;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly held: HeldBytes;
  readonly answer: RequestListener;
  readonly events?: HttpEvents | undefined;
  readonly webSocketPaths: readonly string[];
  /** Told of a client that took this port for that of SMTP. */
  readonly tookForSmtp?: ((client: string) => void) | undefined;
}

/**
 * Node's HTTP server with our bounds, in front of the framework: connections and requests come through in turns by
 * client, so that one that sends thousands at once keeps no other waiting (D22), no more is begun for a client that
 * does not read (D47), and what is no request is answered as every error is.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { limits, peers, clock, held, answer, events, webSocketPaths, tookForSmtp } = options;
  const server = createServer({
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headerTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // Node would answer without a body; the Host check answers in its place.
    requireHostHeader: false,
  });
  // Beyond so many lines Node hides headers that its parser obeys: a body would run as a request. See below.
  server.maxHeadersCount = 0;
  server.setTimeout(STALLED_CONNECTION_MS);
  server.maxConnections = limits.maxConnections;
  if (events !== undefined) server.on('drop', () => events.limited('http-connections-total'));

  const underWay = new UnderWay();
  const pipelines = new WeakMap<Duplex, Pipeline>();
  const context: PipelineContext = { peers, underWay, held };
  const parsed = (socket: Socket) => pipelines.set(socket, new Pipeline(socket, context));
  const serve = takeConnections(server, parsed, (serve) => new Connections(peers, limits, serve, events));
  const unread = new UnreadAnswers(clock, held, events);
  closeWhatIsIdle(server, underWay, () => unread.close());
  dropWhatStalls(server, underWay);
  // A connection has one request begun at a time (see `Pipeline`), so this is all that can wait.
  const most = limits.maxConnectionsPerClient;
  takeRequests(server, answer, { peers, underWay, unread, most });
  const broken = new BrokenRequests(limits.maxBodyBytes, underWay, events);
  const handOver = (_request: IncomingMessage, socket: Duplex) => pipelines.get(socket)?.handOver();
  if (webSocketPaths.length > 0) {
    server.on('upgrade', handOver);
    takeUpgrades(server, { paths: webSocketPaths, underWay, serve });
  }
  server.on('connect', handOver);
  server.on('connect', (_request, socket) => broken.refuseMethod(socket));
  server.on('clientError', (error, socket) => {
    const pipeline = pipelines.get(socket);
    if (isMeantForSmtp(error, socket as Socket, pipeline?.unparsed)) tookForSmtp?.(peers.of(socket as Socket).client);
    broken.answer(error, socket, pipeline?.unparsed);
    pipeline?.drop();
  });
  return server;
}

/**
 * A request with more lines of headers is refused. Node keeps each line for as long as the request is open: 4,000 empty
 * ones, which fit into the bytes that it reads, take 150 KB, and a client may have thousands of streams open.
 */
const MAX_HEADER_LINES = 200;

interface RequestParts {
  readonly peers: Peers;
  readonly underWay: UnderWay;
  readonly unread: UnreadAnswers;
  readonly most: number;
}

/** Has requests begun in turns by client, as far as their clients read what they are answered. */
function takeRequests(server: Server, answer: RequestListener, { peers, underWay, unread, most }: RequestParts): void {
  const turns = new RoundRobin<ServerResponse>({
    share: SHARE,
    atOnce: AT_ONCE,
    most,
    begin: (response) => answer(response.req, response),
  });
  server.on('request', (request, response) => {
    underWay.begin(request, response);
    if (request.rawHeaders.length > 2 * MAX_HEADER_LINES) {
      refuse(response, new RequestError(httpErrors.headersTooLarge, {}, { connection: 'close' }));
      return;
    }
    const client = peers.clientOf(request);
    unread.admit(client, response, () => {
      if (!turns.take(client, response)) request.socket.destroy();
    });
  });
  // An expectation that is not known may be ignored (RFC 9110 section 10.1.1); Node's own answer has no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Puts itself in front of what Node does with a connection, which is what it returns. */
function takeConnections(
  server: Server,
  parsed: (socket: Socket) => void,
  bounded: (serve: (socket: Socket) => void) => Connections,
): (socket: Socket) => void {
  const serving = server.listeners('connection');
  server.removeAllListeners('connection');
  const serveSocket = (socket: Socket) => {
    for (const serve of serving) serve.call(server, socket);
    parsed(socket);
    socket.resume();
  };
  const connections = bounded(serveSocket);
  // Otherwise bytes that arrive while a connection waits bypass Node's parser and stay in memory until it closes.
  Object.assign(server, { pauseOnConnect: true });
  server.on('connection', (socket: Socket) => connections.admit(socket));
  return serveSocket;
}

/** Has connections dropped on which nothing goes on, unless that is because their answers are not made yet. */
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
 * Has a server that stops close every connection that is idle, at once and whenever one becomes so. Node's own way
 * spares those on which nothing was ever sent, looks once, and cuts an answer that was made but has not left.
 * `stopping` is called before.
 */
function closeWhatIsIdle(server: Server, underWay: UnderWay, stopping: () => void): void {
  const sockets = new Set<Socket>();
  // One for all, since thousands of connections are open at once.
  function closed(this: Socket): void {
    sockets.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('close', closed));
  });
  const close = () => {
    for (const socket of sockets) if (underWay.isIdle(socket)) socket.destroy();
  };
  let checking: NodeJS.Timeout | undefined;
  server.closeIdleConnections = () => {
    stopping();
    close();
    checking ??= setInterval(close, IDLE_CHECK_MS);
  };
  server.once('close', () => clearInterval(checking));
}
