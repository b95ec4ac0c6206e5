import type { Socket } from 'node:net';
import { type BadProxyHeader, type ProxyHeader, ProxyHeaderReader } from './proxy-header.js';

/** What becomes of a header that is awaited: one of these, once. */
export interface Outcomes {
  /** It has come in whole, or what came is none; `rest` is what stands behind it. */
  found(header: ProxyHeader | BadProxyHeader, rest: Buffer): void;
  late(): void;
  /** The other side has left. */
  left(): void;
}

/** One connection of a proxy until its header has come. */
export class AwaitedHeader {
  readonly #socket: Socket;
  readonly #outcomes: Outcomes;
  readonly #reader = new ProxyHeaderReader();
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  /** Takes over a socket that was not read from yet. All of the header has so long to come: a byte now and then prolongs nothing. */
  constructor(socket: Socket, timeoutMs: number, outcomes: Outcomes) {
    this.#socket = socket;
    this.#outcomes = outcomes;
    socket.on('data', this.#received).on('end', this.#left).on('error', this.#left).on('close', this.#left);
    // Where the event loop was held up, what has come meanwhile is read first: our slowness is not the proxy's.
    this.#timer = setTimeout(() => setImmediate(this.#late), timeoutMs).unref();
  }

  /** Lets go of the socket, paused, for somebody else to take it over. */
  release(): Socket {
    this.#end();
    this.#socket.pause();
    this.#socket.off('data', this.#received).off('end', this.#left).off('error', this.#left).off('close', this.#left);
    return this.#socket;
  }

  readonly #received = (bytes: Buffer): void => {
    const end = this.#reader.read(bytes);
    const { found } = this.#reader;
    if (found !== null) this.#outcomes.found(found, bytes.subarray(end));
  };

  readonly #late = (): void => {
    if (!this.#isOver) this.#outcomes.late();
  };

  /** Also listens to errors of a socket that is closed already. */
  readonly #left = (): void => {
    if (this.#isOver) return;
    this.#end();
    this.#socket.destroy();
    this.#outcomes.left();
  };

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
