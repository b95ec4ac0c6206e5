import type { Socket } from 'node:net';
import type { SecureContext, Server, TLSSocket } from 'node:tls';
import type { RoundBudget } from '../../limits/event-loop.js';
import { serverOf } from '../../tls/certificate.js';

/** Bytes a client may send after its last reply; they are dropped. Beyond that the socket is closed at once. */
export const MAX_DROPPED_BYTES = 1024 * 1024;

/** Input that waits while an answer is made. One that sends more does not wait for its answer. */
export const MAX_AHEAD_BYTES = 32 * 1024;

export interface ChannelReader {
  /** Nothing can be taken now. When that ends, `readOn` must be called. */
  readonly isBusy: boolean;
  /** Takes what it can and returns the number of bytes. The rest is offered again. */
  take(bytes: Buffer): number;
  /** The client closed its side; everything before was taken. */
  ended(): void;
  /** The client closed its side, or sent more than may wait: it awaits no answer. Input may still be untaken. */
  unattended(): void;
  /** Called once after the idle time without traffic, until there is some. */
  idle(): void;
  /** The connection failed, such as by a reset, and is closed. */
  failed(error: Error): void;
  broke(error: unknown): void;
}

/**
 * The bytes of one connection. Input is read in portions, never more than one ahead. Replies to a portion go out in one
 * write (RFC 2920 section 3.2). Nothing is read while the client has unread replies, or past its share of an event-loop
 * turn. While an answer is made, a bounded amount is read on: only so does the end of the client arrive.
 */
export class Channel {
  readonly #reader: ChannelReader;
  readonly #budget: RoundBudget;
  readonly #idleTimeoutMs: number;
  #socket: Socket;
  #waiting: Buffer | null = null;
  /** Whether `readOn` will be called, after the turn or once the client has read its replies. */
  #isHeldBack = false;
  #isClosing = false;
  /** Whether the client closed its side after what waits. */
  #hasEnded = false;
  #droppedBytes = 0;
  #replies = '';
  /** Of the handshake, or of the client's end after its last reply. */
  #deadline: NodeJS.Timeout | undefined;

  /** Takes over an unread socket, or a paused one with what was `received`, which `readOn` then offers. */
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

  /** Whether the last reply was given, or none can be given any more. */
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

  /** Offers what waits, and resumes reading if allowed. */
  readonly readOn = (): void => {
    this.#isHeldBack = false;
    if (this.isClosing) return;
    const bytes = this.#waiting;
    this.#waiting = null;
    if (bytes === null) this.#holdBackWhereNeeded();
    else this.#offer(bytes);
    if (this.#waiting === null && !this.#isHeldBack) this.#socket.resume();
    this.#endOnceTaken();
  };

  /**
   * Flushes replies and shakes hands within the idle time; handshake bytes are no sign of life. Drops waiting input,
   * and the reader takes all of its current portion: no cleartext may remain. Where TLS begins with the first byte,
   * that portion is the `hello`.
   */
  secure(secureContext: SecureContext, hello: Buffer | null, whenSecure: () => void): void {
    this.flush();
    this.#waiting = null;
    // Bytes that flow from the socket now are lost to the handshake.
    this.#isHeldBack = true;
    this.#socket.off('data', this.#received).off('end', this.#ended).off('timeout', this.#idle).setTimeout(0);
    this.#deadline = setTimeout(this.#idle, this.#idleTimeoutMs).unref();
    startTls(this.#socket, secureContext, hello, {
      secured: (socket) => {
        clearTimeout(this.#deadline);
        this.#socket = socket;
        this.#isHeldBack = false;
        this.#listen();
        whenSecure();
      },
      failed: this.#failed,
    });
  }

  /** Closes our side and drops input until the client closes or time is up: unread bytes would reset the last reply. */
  close(lingerMs: number): void {
    this.#end();
    this.#socket.end();
    this.#socket.resume();
    this.#deadline = setTimeout(this.destroy, lingerMs).unref();
  }

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
    else if (this.#waiting === null) this.#offer(bytes);
    else this.#wait(Buffer.concat([this.#waiting, bytes]));
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
    const { isBusy } = this.#reader;
    if (isBusy && bytes.length <= MAX_AHEAD_BYTES) return;
    this.#socket.pause();
    if (isBusy) this.#reader.unattended();
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
    if (this.#isClosing) return;
    this.#hasEnded = true;
    this.#reader.unattended();
    this.#endOnceTaken();
  };

  #endOnceTaken(): void {
    if (!this.#hasEnded || this.#waiting !== null || this.isClosing) return;
    this.#hasEnded = false;
    this.#reader.ended();
  }

  readonly #idle = (): void => {
    if (this.#isClosing) this.destroy();
    else this.#reader.idle();
  };

  readonly #failed = (error: Error): void => {
    this.#reader.failed(error);
    // Node closes no socket for an error of TLS after the handshake.
    this.destroy();
  };

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

interface Handshake {
  secured(socket: TLSSocket): void;
  /** The socket closes. */
  failed(error: Error): void;
}

/**
 * Adds TLS to a socket read in cleartext so far. Received, unread bytes are dropped: a man in the middle can append
 * commands to STARTTLS, which must not run under TLS (RFC 3207 section 4.2, CVE-2011-0411). Without STARTTLS, they
 * follow the `hello` that was read.
 */
export function startTls(
  socket: Socket,
  secureContext: SecureContext,
  hello: Buffer | null,
  handshake: Handshake,
): void {
  socket.pause();
  if (hello === null) while (socket.read() !== null);
  else socket.unshift(hello);
  const handshakes = HANDSHAKES.get(secureContext) ?? new Handshakes(secureContext);
  HANDSHAKES.set(secureContext, handshakes);
  handshakes.begin(socket, handshake);
}

/** The handshakes with a certificate. Node reports their errors only through a server. */
class Handshakes {
  readonly #server: Server;
  /** By the connection's addresses: Node does not tell from which socket a secured one comes. */
  readonly #pending = new Map<string, Handshake>();

  constructor(secureContext: SecureContext) {
    this.#server = serverOf(secureContext)
      .on('secureConnection', (socket) => this.#secured(socket))
      .on('tlsClientError', (error, socket) => this.#pending.get(connectionOf(socket))?.failed(error));
  }

  begin(socket: Socket, handshake: Handshake): void {
    const connection = connectionOf(socket);
    socket.once('close', () => this.#pending.delete(connection));
    this.#pending.set(connection, handshake);
    // A client that leaves during the handshake would keep its connection.
    socket.allowHalfOpen = false;
    this.#server.emit('connection', socket);
  }

  #secured(socket: TLSSocket): void {
    // Renegotiation would repeat the costly part of a handshake (CVE-2011-1473).
    socket.disableRenegotiation();
    socket.allowHalfOpen = true;
    const handshake = this.#pending.get(connectionOf(socket));
    // The client has left, and its socket has no address any more.
    if (handshake === undefined) socket.destroy();
    else handshake.secured(socket);
  }
}

const HANDSHAKES = new WeakMap<SecureContext, Handshakes>();

function connectionOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
