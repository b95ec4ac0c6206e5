import type { Socket } from 'node:net';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { greeting } from '../reply.js';
import type { Opening } from './connection.js';
import type { Peer } from './peer.js';
import { type BadProxyHeader, type ProxyHeader, ProxyHeaderReader } from './proxy-header.js';

/** How waiting for a header ends; exactly one is called, once. */
export interface Outcomes {
  /** The header is complete or invalid; `rest` follows it. */
  found(header: ProxyHeader | BadProxyHeader, rest: Buffer): void;
  late(): void;
  left(): void;
}

class AwaitedHeader {
  readonly #socket: Socket;
  readonly #outcomes: Outcomes;
  readonly #reader = new ProxyHeaderReader();
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  /** Takes over an unread socket. `timeoutMs` covers the whole header: a byte now and then does not extend it. */
  constructor(socket: Socket, timeoutMs: number, outcomes: Outcomes) {
    this.#socket = socket;
    this.#outcomes = outcomes;
    socket.on('data', this.#received).on('end', this.#left).on('error', this.#left).on('close', this.#left);
    // After a stall of our event loop, what has arrived is read first: our slowness is not the proxy's.
    this.#timer = setTimeout(() => setImmediate(this.#late), timeoutMs).unref();
  }

  /** Hands the socket over, paused. */
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

  /** Also listens for errors of a socket that is already closed. */
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

/** Time for the header of a proxy that speaks first: three seconds cover a retransmission (section 2). */
const HEADER_MS = 5_000;

/**
 * Connections that wait for a header; no client is known to charge. Above this the oldest goes: headers arrive at once
 * or with the first command, so stalled connections block no others.
 */
const MAX_AWAITED = 500;

/** Bound for the two turns of reading: after a start the system hands over its whole backlog, headers included. */
const MAX_UNREAD = 1_500;

export interface AwaitedHeadersOptions {
  readonly hostname: string;
  readonly idleTimeoutMs: number;
  /** Tells a socket's client why it is refused, closes the socket, and logs that. */
  refuse(socket: Socket, error: SmtpError, proxy: Peer): void;
}

const BAD: Readonly<Record<BadProxyHeader, SmtpError>> = {
  missing: smtpErrors.proxyHeaderMissing,
  malformed: smtpErrors.badProxyHeader,
};

type Serve = (header: ProxyHeader, opening: Opening) => void;

interface Waiting {
  readonly header: AwaitedHeader;
  readonly proxy: Peer;
}

/** Connections of proxies whose clients are still unknown. Only their header is read (D29). */
export class AwaitedHeaders {
  readonly #options: AwaitedHeadersOptions;
  readonly #waiting = new Set<Waiting>();
  #lessensSoon = false;

  constructor(options: AwaitedHeadersOptions) {
    this.#options = options;
  }

  add(socket: Socket, proxy: Peer, serve: Serve): void {
    if (this.#waiting.size >= MAX_UNREAD) this.#lessen(MAX_UNREAD - 1);
    else if (this.#waiting.size >= MAX_AWAITED) this.#lessenSoon();
    const isLazy = proxy.header === 'lazily';
    // A client that begins with TLS speaks first, and the header comes with that.
    const isGreeted = isLazy && !proxy.beginsWithTls;
    const header = new AwaitedHeader(socket, isLazy ? this.#options.idleTimeoutMs : HEADER_MS, {
      found: (found, received) => {
        if (typeof found === 'string') {
          this.#refuse(waiting, BAD[found]);
          return;
        }
        this.#release(waiting);
        serve(found, { received, isGreeted });
      },
      late: () => {
        // A greeted client that says nothing is not the proxy's fault.
        this.#refuse(waiting, isLazy ? smtpErrors.idleTooLong : smtpErrors.proxyHeaderTooLate);
      },
      // No fault: health checks open a connection and close it.
      left: () => this.#waiting.delete(waiting),
    });
    const waiting: Waiting = { header, proxy };
    this.#waiting.add(waiting);
    if (isGreeted) socket.write(greeting(this.#options.hostname));
  }

  stop(): void {
    for (const waiting of [...this.#waiting]) this.#refuse(waiting, smtpErrors.stopping);
  }

  #lessenSoon(): void {
    if (this.#lessensSoon) return;
    this.#lessensSoon = true;
    // In the first turn libuv starts watching the sockets; by the second it has read what was there.
    setImmediate(() =>
      setImmediate(() => {
        this.#lessensSoon = false;
        this.#lessen(MAX_AWAITED);
      }),
    );
  }

  #lessen(most: number): void {
    for (const longest of this.#waiting) {
      if (this.#waiting.size <= most) break;
      this.#refuse(longest, smtpErrors.tooManyAwaited);
    }
  }

  #refuse(waiting: Waiting, error: SmtpError): void {
    this.#options.refuse(this.#release(waiting), error, waiting.proxy);
  }

  #release(waiting: Waiting): Socket {
    this.#waiting.delete(waiting);
    return waiting.header.release();
  }
}
