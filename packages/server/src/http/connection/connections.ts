import type { Socket } from 'node:net';
import { httpErrors } from '../../errors.js';
import { RoundRobin } from '../../limits/event-loop.js';
import { Quota, type Refusal, type Scarcity } from '../../limits/quota.js';
import { RETRY_SOON, RequestError, tellOurs } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';
import { endWithError } from './broken-requests.js';
import type { Peers } from './peers.js';
import type { Pipeline } from './pipeline.js';

/** Connections of a client begun per round of the event loop; each may bring 64 KiB of requests. */
const SHARE = 4;

/** Begun per round of those that wait. */
const AT_ONCE = 4;

/** Sockets told at a time why they are refused. More are closed without a reply. */
const MAX_REFUSALS = 100;

/** Time for a client to read why it is refused. */
const REFUSAL_MS = 200;

export interface ConnectionBounds {
  readonly maxConnectionsPerClient: number;
  /** Absent: the bound holds however many are open. */
  readonly scarce?: Scarcity | undefined;
}

export interface Serving {
  open(socket: Socket): Pipeline;
  serve(pipeline: Pipeline): void;
  /** Absent without metrics. */
  readonly events?: HttpEvents | undefined;
}

/** Who may connect: a bounded number per client, in turns. A trusted proxy's are not counted: they are its clients'. */
export class Connections {
  readonly #peers: Peers;
  readonly #bounds: ConnectionBounds;
  readonly #serving: Serving;
  readonly #quota: Quota;
  readonly #turns: RoundRobin<Pipeline>;
  readonly #open = new Set<Socket>();
  // One of each for all: thousands of connections are open.
  readonly #closed: (this: Socket) => void;
  readonly #admittedClosed: (this: Socket) => void;
  readonly #events: HttpEvents | undefined;
  #refusals = 0;

  constructor(peers: Peers, bounds: ConnectionBounds, serving: Serving) {
    this.#events = serving.events;
    this.#peers = peers;
    this.#bounds = bounds;
    this.#serving = serving;
    const { maxConnectionsPerClient: perClient, scarce } = bounds;
    this.#quota = new Quota({ total: Number.POSITIVE_INFINITY, perClient, ...(scarce && { scarce }) });
    const [quota, open] = [this.#quota, this.#open];
    this.#closed = function closed(this: Socket) {
      open.delete(this);
    };
    this.#admittedClosed = function closed(this: Socket) {
      open.delete(this);
      quota.release(peers.of(this).client);
    };
    this.#turns = new RoundRobin({
      share: SHARE,
      atOnce: AT_ONCE,
      most: Number.POSITIVE_INFINITY,
      // Reading takes longer than accepting, and another client may stand behind the crowd.
      waitsForCrowd: true,
      begin: (pipeline) => {
        if (!pipeline.isClosed) serving.serve(pipeline);
      },
    });
  }

  get open(): ReadonlySet<Socket> {
    return this.#open;
  }

  admit(socket: Socket): void {
    this.#open.add(socket);
    // Any error without a listener ends the process, such as a reset while waiting.
    socket.on('error', ignore);
    const { client, isTrusted } = this.#peers.of(socket);
    const refused = isTrusted ? null : this.#quota.acquire(client);
    socket.on('close', isTrusted || refused !== null ? this.#closed : this.#admittedClosed);
    if (refused !== null) {
      this.#refuse(socket, refused);
      return;
    }
    // What comes while it waits for its turn is counted.
    const pipeline = this.#serving.open(socket);
    if (isTrusted) this.#serving.serve(pipeline);
    else this.#turns.take(client, pipeline);
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
    // Input is dropped: closing with unread bytes resets the connection and loses the reply.
    socket.resume();
    const { maxConnectionsPerClient, scarce } = this.#bounds;
    const limit = reason === 'all-taken' ? (scarce?.perClient ?? 0) : maxConnectionsPerClient;
    const error = new RequestError(httpErrors.tooManyConnections, { limit }, RETRY_SOON);
    endWithError(socket, tellOurs(error, undefined), REFUSAL_MS);
  }
}

function ignore(): void {
  // How a refused client leaves does not matter.
}
