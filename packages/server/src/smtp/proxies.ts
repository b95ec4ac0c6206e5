import type { Socket } from 'node:net';
import { type SmtpError, smtpErrors } from '../errors.js';
import { clientKey, isInRanges, isLoopback } from '../limits/client-address.js';
import type { HeaderComes, SmtpOptions } from './context.js';
import { type BadProxyHeader, type ProxyHeader, ProxyHeaderReader } from './proxy-header.js';
import { greeting } from './replies.js';

export interface Peer {
  readonly client: string;
  /** Takes credentials without TLS even where others need it: loopback and trusted addresses (D21). */
  readonly isTrusted: boolean;
  readonly header: HeaderComes | null;
  /** Whether it reached the port for TLS from the first byte (RFC 8314 section 3). */
  readonly beginsWithTls: boolean;
}

type PeersOptions = Pick<SmtpOptions, 'trusted' | 'proxies'>;

/** Looks addresses up. The last result is kept: clients come in swarms, and parsing an address costs. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #beginWithTls: boolean;
  #lastAddress: string | null = null;
  #last: Peer = { client: '', isTrusted: false, header: null, beginsWithTls: false };

  /** Those of one port. */
  constructor(options: PeersOptions, beginWithTls: boolean) {
    this.#options = options;
    this.#beginWithTls = beginWithTls;
  }

  at(address: string): Peer {
    if (address !== this.#lastAddress) {
      this.#lastAddress = address;
      this.#last = {
        client: clientKey(address),
        isTrusted: isLoopback(address) || this.#isTrusted(address),
        header: this.#header(address),
        beginsWithTls: this.#beginWithTls,
      };
    }
    return this.#last;
  }

  /** The client that a proxy named, or the proxy itself. An address local to a remote proxy is not local here. */
  behind(proxy: string, source: string | null): Peer {
    if (source === null) return this.at(proxy);
    const peer = this.at(source);
    return isLoopback(source) && !isLoopback(proxy) ? { ...peer, isTrusted: this.#isTrusted(source) } : peer;
  }

  #isTrusted(address: string): boolean {
    return isInRanges(address, this.#options.trusted);
  }

  #header(address: string): HeaderComes | null {
    const { lazily, first } = this.#options.proxies;
    if (isInRanges(address, lazily)) return 'lazily';
    return isInRanges(address, first) ? 'first' : null;
  }
}

/** How a connection starts that was already read from: its untaken bytes, and whether the client was greeted. */
export interface Opening {
  readonly received: Buffer;
  readonly isGreeted: boolean;
}

/** Time for the header of a proxy that speaks first: three seconds cover a retransmission (section 2). */
const HEADER_MS = 5_000;

/**
 * Connections that wait for a header; no client is known to charge. Above this the oldest goes: headers arrive at once
 * or with the first command, so stalled connections block no others.
 */
const MAX_AWAITED = 500;

const BAD: Readonly<Record<BadProxyHeader, SmtpError>> = {
  missing: smtpErrors.proxyHeaderMissing,
  malformed: smtpErrors.badProxyHeader,
};

/** Sends a socket's client why it is refused, and closes the socket. */
type Refuse = (socket: Socket, error: SmtpError, proxy: Peer) => void;

type Serve = (header: ProxyHeader, opening: Opening) => void;

/** Connections of proxies whose clients are still unknown. Only their header is read (D29). */
export class AwaitedHeaders {
  readonly #options: SmtpOptions;
  readonly #refuse: Refuse;
  /** The refusal of each, the oldest first. */
  readonly #waiting = new Map<Socket, (error: SmtpError) => void>();

  constructor(options: SmtpOptions, refuse: Refuse) {
    this.#options = options;
    this.#refuse = refuse;
  }

  /** Takes over an unread socket. `serve` gets it paused, once the header is complete. */
  add(socket: Socket, proxy: Peer, serve: Serve): void {
    const [oldest] = this.#waiting.values();
    if (this.#waiting.size >= MAX_AWAITED) oldest?.(smtpErrors.tooManyAwaited);
    const isLazy = proxy.header === 'lazily';
    // A client that begins with TLS speaks first, and the header comes with that.
    const isGreeted = isLazy && !proxy.beginsWithTls;
    const reader = new ProxyHeaderReader();
    const received = (bytes: Buffer) => {
      const end = reader.read(bytes);
      const { found } = reader;
      if (found === null) return;
      if (typeof found === 'string') refuse(BAD[found]);
      else {
        release();
        serve(found, { received: bytes.subarray(end), isGreeted });
      }
    };
    const late = () => {
      // A greeted client that says nothing is not the proxy's fault.
      if (this.#waiting.has(socket)) refuse(isLazy ? smtpErrors.idleTooLong : smtpErrors.proxyHeaderTooLate);
    };
    // No fault: health checks open a connection and close it. It stays listened to, for errors after its end.
    const left = () => {
      over();
      socket.destroy();
    };
    const over = () => {
      this.#waiting.delete(socket);
      clearTimeout(timer);
    };
    const release = () => {
      over();
      socket.pause().off('data', received).off('end', left).off('error', left).off('close', left);
    };
    const refuse = (error: SmtpError) => {
      release();
      this.#refuse(socket, error, proxy);
    };
    // The whole header has this time: a byte now and then does not extend it. After a stall of our event loop, what has
    // arrived is read first: our slowness is not the proxy's.
    const timer = setTimeout(() => setImmediate(late), isLazy ? this.#options.idleTimeoutMs : HEADER_MS).unref();
    this.#waiting.set(socket, refuse);
    socket.on('data', received).on('end', left).on('error', left).on('close', left);
    if (isGreeted) socket.write(greeting(this.#options.hostname));
  }

  stop(): void {
    for (const refuse of [...this.#waiting.values()]) refuse(smtpErrors.stopping);
  }
}
