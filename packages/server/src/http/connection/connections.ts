import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { HeldBytes, LEAST_BYTES_PER_SECOND } from '../../limits/client-memory.js';
import { Quota, type QuotaBounds, type Refusal } from '../../limits/quota.js';
import type { Peers } from '../access/peers.js';
import { RETRY_SOON, RequestError } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';

/** Maximum number of refused connections that may send a request to learn the reason. Others are just closed. */
const MAX_REFUSED = 100;

/** Time for a refused client to send one request and to read the answer. */
const REFUSED_MS = 1_000;

/** During a stop, time for a connection to send its first request. */
const SILENT_MS = 200;

/** With more pipelined requests than this, the connection closes immediately, otherwise after the current answer. */
const MAX_AHEAD = 16;

/** Clients without traffic for this long are dropped. Streams send heartbeats more often. */
export const STALLED_MS = 30_000;

/** A client that awaits an answer is kept for this many more periods without traffic: no answer takes longer. */
const MAX_OWED = 4;

/** Time to read an answer, in addition to the time for its bytes at `LEAST_BYTES_PER_SECOND`. */
export const READ_MS = 30_000;

/** Interval between checks of unread answers. */
const LOOK_MS = 200;

/** Memory of an unread answer in addition to its bytes. */
const ANSWER_BYTES = 16 * 1024;

/** Bounds on connections, and on a request before it reaches its route, in milliseconds and bytes. */
export interface HttpLimits {
  readonly connections: QuotaBounds;
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface ConnectionsOptions {
  readonly limits: HttpLimits;
  readonly peers: Peers;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Counts the bytes held for clients. If omitted, `Connections` has its own counter. */
  readonly held?: HeldBytes;
  /** Absent without metrics. */
  readonly events?: HttpEvents | undefined;
}

interface Connection {
  readonly client: string;
  readonly refused: Refusal | null;
  /** The response to the last request, while that request is incomplete or unanswered. */
  response: ServerResponse | null;
  hasAsked: boolean;
  /** The response shared by all pipelined requests: those that arrive before an earlier one is answered. Never sent. */
  sentAhead: ServerResponse | null;
  ahead: number;
  /** Number of timeouts in a row that the client has survived. */
  owed: number;
  /** When a check first found unread bytes, and how many bytes had been sent to the client by then. */
  unread: { readonly since: number; readonly sentBefore: number } | null;
}

const UNUSED = { response: null, hasAsked: false, sentAhead: null, ahead: 0, owed: 0, unread: null };

/**
 * Limits a client's connections, the bytes of its unread answers and the time to read them (D13, D47). A connection has
 * one request at a time. Does not count a trusted proxy's connections, which carry its clients' requests.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #held: HeldBytes;
  readonly #quota: Quota;
  readonly #open = new Map<Duplex, Connection>();
  #refused = 0;
  #running = 0;
  #isLooking = false;
  /** Null until the service stops. */
  #quiet: Promise<void> | null = null;
  #whenQuiet = () => {};

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    const { limits, events } = options;
    // The server itself limits the total.
    this.#quota = new Quota({ ...limits.connections, total: Number.POSITIVE_INFINITY });
    this.#held = options.held ?? new HeldBytes();
    this.#held.watch({ cut: () => events?.limited('unread-answers') });
  }

  /** To be called once, with the server of the connections. */
  watch(server: Server): void {
    const { limits, events } = this.#options;
    server.maxConnections = limits.connections.total;
    server.on('drop', () => events?.limited('http-connections-total'));
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.on('timeout', (socket: Socket) => this.#timedOut(socket));
  }

  get isStopping(): boolean {
    return this.#quiet !== null;
  }

  /** Begins a request. Returns false for a pipelined request, which gets no answer. */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    if (connection === undefined) return false;
    const { response: earlier } = connection;
    if (connection.ahead > 0 || (earlier !== null && !earlier.destroyed)) {
      connection.ahead += 1;
      connection.sentAhead = response.setMaxListeners(0);
      if (earlier?.headersSent === false) earlier.setHeader('connection', 'close');
      if (connection.ahead > MAX_AHEAD) socket.destroy();
      return false;
    }
    if (connection.refused !== null) response.setHeader('connection', 'close');
    connection.response = response;
    connection.hasAsked = true;
    connection.owed = 0;
    this.#running += 1;
    response.on('close', () => this.#answered(socket, connection, response));
    return true;
  }

  /**
   * The response object that all pipelined requests of a connection share. Node reads 3,600 tiny requests in a packet
   * of 64 KiB. With separate objects for each, forty such connections would fill the heap before any is closed.
   */
  sentAhead(socket: Duplex): ServerResponse | null {
    return this.#open.get(socket)?.sentAhead ?? null;
  }

  /** Why a client may not send a request now: it has too many connections, or leaves too much unread. */
  refusalOf({ socket }: IncomingMessage, client: string): RequestError | null {
    const { limits, events } = this.#options;
    const refused = this.#open.get(socket)?.refused ?? null;
    if (refused !== null) {
      const { perClient, scarce } = limits.connections;
      const limit = refused === 'all-taken' ? scarce?.perClient : perClient;
      return new RequestError(httpErrors.tooManyConnections, { limit: limit ?? 0 }, RETRY_SOON);
    }
    if (!this.#held.isFullFor(client)) return null;
    events?.limited('unread-answers');
    return new RequestError(httpErrors.tooManyAnswers, {}, RETRY_SOON);
  }

  /** The response to a connection's current request; null once that request is complete and answered. */
  responseOn(socket: Duplex): ServerResponse | null {
    const response = this.#open.get(socket)?.response ?? null;
    return response?.req.complete && response.writableFinished ? null : response;
  }

  /** Closes idle connections, and the others once their request is answered. Resolves when no request is running. */
  stop(): Promise<void> {
    this.#quiet ??= new Promise((resolve) => {
      this.#whenQuiet = resolve;
      if (this.#running === 0) resolve();
      for (const [socket, connection] of this.#open) closeIdle(socket as Socket, connection);
    });
    return this.#quiet;
  }

  #admit(socket: Socket): void {
    // Node announces a socket again after its upgrade was refused.
    if (this.#open.has(socket)) return;
    const { peers, events } = this.#options;
    const { client, isTrusted } = peers.of(socket);
    const refused = isTrusted ? null : this.#quota.acquire(client);
    const connection = { client, refused, ...UNUSED };
    this.#open.set(socket, connection);
    socket.on('close', () => {
      this.#open.delete(socket);
      this.#hold(socket, connection, 0);
      if (refused !== null) this.#refused -= 1;
      else if (!isTrusted) this.#quota.release(client);
    });
    this.#look();
    if (this.isStopping) closeIdle(socket, connection);
    if (refused === null) return;
    events?.limited('http-connections');
    this.#refused += 1;
    if (this.#refused > MAX_REFUSED) socket.destroy();
    else socket.setTimeout(REFUSED_MS);
  }

  #answered(socket: Socket, connection: Connection, response: ServerResponse): void {
    if (response.req.complete && connection.response === response) connection.response = null;
    this.#running -= 1;
    if (this.#running === 0) this.#whenQuiet();
    if (connection.ahead > 0 || this.isStopping) socket.destroySoon();
  }

  #timedOut(socket: Socket): void {
    const connection = this.#open.get(socket);
    const { response = null } = connection ?? {};
    const isOwed = response?.req.complete && !response.writableEnded && socket.writableLength === 0;
    if (!connection || !isOwed || connection.owed >= MAX_OWED) {
      socket.destroy();
      return;
    }
    connection.owed += 1;
    socket.setTimeout(socket.timeout ?? STALLED_MS);
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#options.clock.after(LOOK_MS, () => {
      this.#isLooking = false;
      for (const [socket, connection] of this.#open) this.#lookAt(socket as Socket, connection);
      if (this.#open.size > 0) this.#look();
    });
  }

  #lookAt(socket: Socket, connection: Connection): void {
    const { writableLength, bytesWritten } = socket;
    if (writableLength === 0) {
      if (connection.unread !== null) this.#hold(socket, connection, 0);
      connection.unread = null;
      return;
    }
    const now = this.#options.clock.monotonic();
    connection.unread ??= { since: now, sentBefore: bytesWritten - writableLength };
    const { since, sentBefore } = connection.unread;
    if (now - since > READ_MS + ((bytesWritten - sentBefore) / LEAST_BYTES_PER_SECOND) * 1_000) socket.destroy();
    else this.#hold(socket, connection, ANSWER_BYTES + writableLength);
  }

  #hold(socket: Duplex, { client }: Connection, bytes: number): void {
    this.#held.set(socket, { client, bytes, cut: () => socket.destroy() });
  }
}

function closeIdle(socket: Socket, { response, hasAsked }: Connection): void {
  if (hasAsked && response === null) socket.destroy();
  // A client that has just connected may be about to send a readiness check.
  if (socket.bytesRead === 0) socket.setTimeout(SILENT_MS);
}
