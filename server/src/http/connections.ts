import type { Socket } from 'node:net';
import { httpErrors } from '../errors.js';
import { FairTurns } from '../limits/fair-turns.js';
import { Slots } from '../limits/slots.js';
import { endWithError } from './broken-requests.js';
import type { HttpEvents } from './http-events.js';
import type { Peers } from './peers.js';
import { RequestError, retryAfter } from './request-error.js';

/** How many connections of one client are served each time the event loop comes round: each may bring along 64 KiB of requests. */
const SHARE = 4;

/** How many that had to wait are served in one round. */
const AT_ONCE = 16;

/** How many sockets may be told at one moment why they are refused. Those beyond are closed without a word. */
const MAX_REFUSALS = 100;

/** How long a client is given to read why it is refused. */
const REFUSAL_MS = 200;

/** After how long it may try again. */
const RETRY_MS = 1_000;

/**
 * Who may connect: so many connections of one client at a time, and those that come at once in turns by client. A trusted proxy's
 * are those of its clients, and are not counted.
 */
export class Connections {
  readonly #peers: Peers;
  readonly #maxPerClient: number;
  readonly #serve: (socket: Socket) => void;
  readonly #slots: Slots;
  readonly #turns: FairTurns<Socket>;
  /** One for all, since thousands of connections are open at once. */
  readonly #closed: (this: Socket) => void;
  readonly #events: HttpEvents | undefined;
  #refusals = 0;

  /** `serve` has a connection that is admitted; `events` is left out where nobody counts. */
  constructor(peers: Peers, maxPerClient: number, serve: (socket: Socket) => void, events?: HttpEvents) {
    this.#events = events;
    this.#peers = peers;
    this.#maxPerClient = maxPerClient;
    this.#serve = serve;
    this.#slots = new Slots({ total: Number.POSITIVE_INFINITY, perClient: maxPerClient });
    const slots = this.#slots;
    this.#closed = function closed(this: Socket) {
      slots.free(peers.of(this).client);
    };
    this.#turns = new FairTurns({
      share: SHARE,
      atOnce: AT_ONCE,
      most: Number.POSITIVE_INFINITY,
      begin: (socket) => {
        if (!socket.destroyed) serve(socket);
      },
    });
  }

  /** Has a connection served, in its turn, or refuses it. */
  admit(socket: Socket): void {
    // A client that resets a connection that waits would otherwise end the process, as any error does that nobody listens to.
    socket.on('error', ignore);
    const { client, isTrusted } = this.#peers.of(socket);
    if (isTrusted) this.#serve(socket);
    else if (this.#slots.hold(client) !== null) this.#refuse(socket);
    else {
      socket.on('close', this.#closed);
      this.#turns.take(client, socket);
    }
  }

  #refuse(socket: Socket): void {
    this.#events?.limited('http-connections');
    if (this.#refusals >= MAX_REFUSALS) {
      socket.destroy();
      return;
    }
    this.#refusals += 1;
    socket.once('close', () => {
      this.#refusals -= 1;
    });
    // What the client sends is read and dropped: a socket that is closed with bytes unread takes its last words back.
    socket.resume();
    const error = new RequestError(httpErrors.tooManyConnections, { limit: this.#maxPerClient }, retryAfter(RETRY_MS));
    endWithError(socket, error, REFUSAL_MS);
  }
}

function ignore(): void {
  // A client may go as it likes.
}
