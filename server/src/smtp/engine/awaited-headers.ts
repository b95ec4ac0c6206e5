import type { Socket } from 'node:net';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { greeting } from '../reply.js';
import type { Opening } from './connection.js';
import type { Peer } from './peer.js';
import { type BadProxyHeader, type ProxyHeader, ProxyHeaderReader } from './proxy-header.js';

/** What becomes of a header that is awaited: one of these, once. */
export interface Outcomes {
  /** It has come in whole, or what came is none; `rest` is what stands behind it. */
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

  /**
   * Takes over a socket that was not read from yet. All of the header has so long to come: a byte now and then prolongs
   * nothing.
   */
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

/**
 * How long a proxy that speaks first may take to send its header: three seconds cover a packet that is sent again
 * (section 2).
 */
const HEADER_MS = 5_000;

/**
 * How many connections may wait for their header at one moment. They are counted for no client, for none is known.
 * Where they are more, the one that has waited longest goes: a header comes at once, or with the first command, so who
 * stalls keeps out nobody.
 */
const MAX_AWAITED = 500;

/**
 * How many there may be for the two turns that it takes to read what has come with a connection: the system hands over
 * at once all that waited to be accepted, as after a start, and their headers are there by then.
 */
const MAX_UNREAD = 1_500;

export interface AwaitedHeadersOptions {
  readonly hostname: string;
  readonly idleTimeoutMs: number;
  /** Tells the client of a socket why it is not served, closes it, and logs that. */
  refuse(socket: Socket, error: SmtpError, proxy: string): void;
}

const BAD: Readonly<Record<BadProxyHeader, SmtpError>> = {
  missing: smtpErrors.proxyHeaderMissing,
  malformed: smtpErrors.badProxyHeader,
};

/** Serves a socket whose header has come, and which is paused. */
type Serve = (header: ProxyHeader, opening: Opening) => void;

interface Waiting {
  readonly header: AwaitedHeader;
  readonly proxy: string;
}

/** The connections of proxies whose clients are not known yet. Only the header is read of them (D29). */
export class AwaitedHeaders {
  readonly #options: AwaitedHeadersOptions;
  /** Who has waited longest is first. */
  readonly #waiting = new Set<Waiting>();
  #lessensSoon = false;

  constructor(options: AwaitedHeadersOptions) {
    this.#options = options;
  }

  /** Awaits the header of a socket that was not read from yet, from a peer that is a proxy. */
  add(socket: Socket, proxy: Peer, serve: Serve): void {
    if (this.#waiting.size >= MAX_UNREAD) this.#lessen(MAX_UNREAD - 1);
    else if (this.#waiting.size >= MAX_AWAITED) this.#lessenSoon();
    const isGreeted = proxy.header === 'lazily';
    const header = new AwaitedHeader(socket, isGreeted ? this.#options.idleTimeoutMs : HEADER_MS, {
      found: (found, received) => {
        if (typeof found === 'string') {
          this.#refuse(waiting, BAD[found]);
          return;
        }
        this.#release(waiting);
        serve(found, { received, isGreeted });
      },
      late: () => {
        // A client that was greeted and says nothing is no fault of the proxy.
        this.#refuse(waiting, isGreeted ? smtpErrors.idleTooLong : smtpErrors.proxyHeaderTooLate);
      },
      // Nobody is to blame: checks of health open a connection and close it.
      left: () => this.#waiting.delete(waiting),
    });
    const waiting: Waiting = { header, proxy: proxy.client };
    this.#waiting.add(waiting);
    if (isGreeted) socket.write(greeting(this.#options.hostname));
  }

  stop(): void {
    for (const waiting of [...this.#waiting]) this.#refuse(waiting, smtpErrors.stopping);
  }

  #lessenSoon(): void {
    if (this.#lessensSoon) return;
    this.#lessensSoon = true;
    // In the first turn libuv is told to watch the sockets; in the second it has read what was there.
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
