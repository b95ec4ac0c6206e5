import type { Socket } from 'node:net';
import { httpErrors } from '../../errors.js';
import { RoundRobin } from '../../fairness/event-loop.js';
import { Quota, type Refusal, type Scarcity } from '../../fairness/quota.js';
import { RequestError, retryAfter, tellOurs } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';
import { endWithError } from './broken-requests.js';
import type { Peers } from './peers.js';

/** Connections of one client served in a round of the event loop: each may bring 64 KiB of requests. */
const SHARE = 4;

/** How many that had to wait are served in one round. */
const AT_ONCE = 16;

/** How many sockets may be told at one moment why they are refused. Those beyond are closed without a word. */
const MAX_REFUSALS = 100;

/** How long a client is given to read why it is refused. */
const REFUSAL_MS = 200;

const RETRY_MS = 1_000;

/** How many connections a client may have. */
export interface ConnectionBounds {
  readonly maxConnectionsPerClient: number;
  /** Left out where a client may have as many however many there are. */
  readonly scarce?: Scarcity | undefined;
}

/**
 * Who may connect: so many connections of one client at a time, and those that come at once in turns by client. A
 * trusted proxy's are those of its clients, and are not counted.
 */
export class Connections {
  readonly #peers: Peers;
  readonly #bounds: ConnectionBounds;
  readonly #serve: (socket: Socket) => void;
  readonly #quota: Quota;
  readonly #turns: RoundRobin<Socket>;
  /** One for all, since thousands of connections are open at once. */
  readonly #closed: (this: Socket) => void;
  readonly #events: HttpEvents | undefined;
  #refusals = 0;

  /** `serve` has a connection that is admitted; `events` is omitted without metrics. */
  constructor(peers: Peers, bounds: ConnectionBounds, serve: (socket: Socket) => void, events?: HttpEvents) {
    this.#events = events;
    this.#peers = peers;
    this.#bounds = bounds;
    this.#serve = serve;
    const { maxConnectionsPerClient: perClient, scarce } = bounds;
    this.#quota = new Quota({ total: Number.POSITIVE_INFINITY, perClient, ...(scarce && { scarce }) });
    const quota = this.#quota;
    this.#closed = function closed(this: Socket) {
      quota.release(peers.of(this).client);
    };
    this.#turns = new RoundRobin({
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
    // A waiting client that resets its connection would end the process, as any error without a listener does.
    socket.on('error', ignore);
    const { client, isTrusted } = this.#peers.of(socket);
    if (isTrusted) this.#serve(socket);
    else {
      const refused = this.#quota.acquire(client);
      if (refused !== null) {
        this.#refuse(socket, refused);
        return;
      }
      socket.on('close', this.#closed);
      this.#turns.take(client, socket);
    }
  }

  #refuse(socket: Socket, reason: Refusal): void {
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
    const { maxConnectionsPerClient, scarce } = this.#bounds;
    const limit = reason === 'all-taken' ? (scarce?.perClient ?? 0) : maxConnectionsPerClient;
    const error = new RequestError(httpErrors.tooManyConnections, { limit }, retryAfter(RETRY_MS));
    endWithError(socket, tellOurs(error, undefined), REFUSAL_MS);
  }
}

function ignore(): void {
  // A client may go as it likes.
}
