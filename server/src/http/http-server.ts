import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FairTurns } from '../limits/fair-turns.js';
import { BrokenRequests } from './broken-requests.js';
import { Connections } from './connections.js';
import type { HttpEvents } from './http-events.js';
import type { Peers } from './peers.js';
import { UnderWay } from './under-way.js';

/** What bounds the way of a request into a route. Times are in milliseconds. */
export interface HttpLimits {
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
}

/** How often Node looks for requests that take too long. */
const TIMEOUT_CHECK_MS = 1_000;

/** A client that reads nothing, or sends nothing, for so long is dropped. A stream has a heartbeat before. */
const STALLED_CONNECTION_MS = 30_000;

/** How long an idle connection is kept for the next request. */
const KEEP_ALIVE_MS = 10_000;

/** How often a server that stops looks for connections whose answers have left. */
const IDLE_CHECK_MS = 50;

/** How many requests of one client are begun each time the event loop comes round. */
const SHARE = 16;

/** How many that had to wait are begun in one round. */
const AT_ONCE = 64;

/** How many requests of one client may wait for that. Whoever sends more at the same moment loses the connection. */
const MOST_WAITING = 2_000;

/**
 * Node's HTTP server with our bounds, in front of the framework: connections and requests come through in turns by client, so that
 * one that sends thousands at once keeps nobody else waiting (D22), and what is no request is answered as every error is. `events` is
 * left out where nobody counts.
 */
export function createHttpServer(
  limits: HttpLimits,
  peers: Peers,
  answer: RequestListener,
  events?: HttpEvents,
): Server {
  const server = createServer({
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headerTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // Node would answer without a body; the Host check answers in its place.
    requireHostHeader: false,
  });
  server.setTimeout(STALLED_CONNECTION_MS);
  server.maxConnections = limits.maxConnections;
  takeConnections(server, peers, limits.maxConnectionsPerClient, events);
  if (events !== undefined) server.on('drop', () => events.limited('http-connections-total'));

  const underWay = new UnderWay();
  closeWhatIsIdle(server, underWay);
  const broken = new BrokenRequests(limits.maxBodyBytes, underWay, events);
  const turns = new FairTurns<ServerResponse>({
    share: SHARE,
    atOnce: AT_ONCE,
    most: MOST_WAITING,
    begin: (response) => answer(response.req, response),
  });
  server.on('request', (request, response) => {
    underWay.begin(request, response);
    if (!turns.take(peers.clientOf(request), response)) request.socket.destroy();
  });
  // An expectation that is not known may be ignored (RFC 9110 section 10.1.1); Node's own answer has no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => broken.refuseMethod(socket));
  server.on('clientError', (error, socket) => broken.answer(error, socket));
  return server;
}

/** Puts itself in front of what Node does with a connection. */
function takeConnections(server: Server, peers: Peers, maxPerClient: number, events?: HttpEvents): void {
  const serving = server.listeners('connection');
  server.removeAllListeners('connection');
  const serveSocket = (socket: Socket) => {
    for (const serve of serving) serve.call(server, socket);
    socket.resume();
  };
  const connections = new Connections(peers, maxPerClient, serveSocket, events);
  // What came in while a connection waits would be read past Node's parser, and its buffers kept for as long as it is open.
  Object.assign(server, { pauseOnConnect: true });
  server.on('connection', (socket: Socket) => connections.admit(socket));
}

/**
 * Has a server that stops close every connection that is idle, at once and whenever one becomes so. Node's own way spares those on which
 * nothing was ever sent, looks once, and cuts an answer that was made but has not left.
 */
function closeWhatIsIdle(server: Server, underWay: UnderWay): void {
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
    close();
    checking ??= setInterval(close, IDLE_CHECK_MS);
  };
  server.once('close', () => clearInterval(checking));
}
