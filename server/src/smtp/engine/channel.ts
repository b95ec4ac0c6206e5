import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { RoundBudget } from '../../fairness/event-loop.js';
import { startTls } from './start-tls.js';

/** How much a client may send after its last reply, which is read and dropped. Then the socket is closed at once. */
export const MAX_DROPPED_BYTES = 1024 * 1024;

export interface ChannelReader {
  /** Whether nothing can be taken now. Whoever ends that calls `readOn`. */
  readonly isBusy: boolean;
  /** Takes of what came as much as it may, and returns how many bytes that is. The rest is offered again. */
  take(bytes: Buffer): number;
  /** The client has closed its side, after everything that was taken. */
  ended(): void;
  /** Nothing has come or gone for the idle time; once, until something does. */
  idle(): void;
  /** The connection failed, as when the client resets it. It is closed. */
  failed(error: Error): void;
  broke(error: unknown): void;
}

/**
 * The bytes of one connection. What comes is read in portions, of which never more than one waits: meanwhile the socket
 * is paused. All replies to a portion go out in one write (RFC 2920 section 3.2), and nothing is read while the client
 * has not read its replies, nor past its share of a turn of the event loop.
 */
export class Channel {
  readonly #reader: ChannelReader;
  readonly #budget: RoundBudget;
  readonly #idleTimeoutMs: number;
  #socket: Socket;
  /** What came and was not taken so far. */
  #waiting: Buffer | null = null;
  /** Whether `readOn` will be called once the turn is over or the client has read its replies. */
  #isHeldBack = false;
  #isClosing = false;
  #droppedBytes = 0;
  #replies = '';
  /** When the socket is destroyed, once the last words are said. */
  #deadline: NodeJS.Timeout | undefined;

  /**
   * Takes over a socket that was not read from yet, or one that is paused with what was `received`, which `readOn` then
   * offers.
   */
  constructor(
    socket: Socket,
    reader: ChannelReader,
    budget: RoundBudget,
    idleTimeoutMs: number,
    received: Buffer | null,
  ) {
    this.#socket = socket;
    this.#waiting = received;
    this.#reader = reader;
    this.#budget = budget;
    this.#idleTimeoutMs = idleTimeoutMs;
    socket.once('close', this.#closed);
    this.#listen();
  }

  /** Whether the last words are said, or nothing can be said any more. */
  get isClosing(): boolean {
    return this.#isClosing || this.#socket.destroyed;
  }

  say(reply: string): void {
    this.#replies += reply;
  }

  flush(): void {
    if (this.#replies === '') return;
    const replies = this.#replies;
    this.#replies = '';
    if (!this.#socket.destroyed) this.#socket.write(replies);
  }

  /** Offers what waits, and goes on reading where that may be. */
  readonly readOn = (): void => {
    this.#isHeldBack = false;
    if (this.isClosing) return;
    const bytes = this.#waiting;
    this.#waiting = null;
    if (bytes === null) this.#holdBackWhereNeeded();
    else this.#offer(bytes);
    if (this.#waiting === null && !this.#isHeldBack) this.#socket.resume();
  };

  /**
   * Says what is to be said and shakes hands, within the idle time: bytes of a handshake do not count as a sign of
   * life. What waits is thrown away; of a portion that is being taken, the reader takes all: nothing that came in clear
   * may be left.
   */
  secure(secureContext: SecureContext, whenSecure: () => void): void {
    this.flush();
    this.#waiting = null;
    this.#socket.off('data', this.#received).off('end', this.#ended).off('timeout', this.#idle).setTimeout(0);
    const socket = startTls(this.#socket, secureContext);
    this.#socket = socket;
    this.#listen();
    socket.once('secure', whenSecure);
  }

  /**
   * Closes our side, and drops what still comes until the client closes its own or the time is over: a socket that is
   * closed with bytes unread takes its last words back.
   */
  close(lingerMs: number): void {
    this.#end();
    this.#socket.end();
    this.#socket.resume();
    this.#deadline = setTimeout(this.destroy, lingerMs).unref();
  }

  /** Closes both sides as soon as the last reply is written, for nothing more is to come. */
  leave(): void {
    this.#end();
    this.#socket.destroySoon();
  }

  readonly destroy = (): void => {
    this.#socket.destroy();
  };

  #listen(): void {
    const socket = this.#socket;
    socket.on('data', this.#received).on('end', this.#ended).on('error', this.#failed).on('timeout', this.#idle);
    socket.setTimeout(this.#idleTimeoutMs);
  }

  readonly #received = (bytes: Buffer): void => {
    if (this.#isClosing) this.#drop(bytes);
    else this.#offer(bytes);
  };

  #drop(bytes: Buffer): void {
    this.#droppedBytes += bytes.length;
    if (this.#droppedBytes > MAX_DROPPED_BYTES) this.destroy();
  }

  #offer(bytes: Buffer): void {
    try {
      const taken = this.#reader.take(bytes);
      if (this.#isClosing) return;
      if (taken < bytes.length) this.#wait(bytes.subarray(taken));
      this.flush();
      if (!this.#reader.isBusy) this.#holdBackWhereNeeded();
    } catch (error) {
      this.#reader.broke(error);
    }
  }

  #wait(bytes: Buffer): void {
    this.#waiting = bytes;
    this.#socket.pause();
  }

  #holdBackWhereNeeded(): void {
    if (this.#isHeldBack) return;
    if (this.#socket.writableNeedDrain) this.#socket.once('drain', this.readOn);
    else if (this.#budget.isSpent) setImmediate(this.readOn);
    else return;
    this.#isHeldBack = true;
    this.#socket.pause();
  }

  readonly #ended = (): void => {
    if (!this.#isClosing) this.#reader.ended();
  };

  readonly #idle = (): void => {
    if (this.#isClosing) this.destroy();
    else this.#reader.idle();
  };

  readonly #failed = (error: Error): void => this.#reader.failed(error);

  #end(): void {
    this.flush();
    this.#isClosing = true;
    this.#waiting = null;
    clearTimeout(this.#deadline);
  }

  readonly #closed = (): void => {
    this.#waiting = null;
    clearTimeout(this.#deadline);
  };
}
