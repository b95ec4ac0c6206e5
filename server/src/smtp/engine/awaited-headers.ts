import type { Socket } from 'node:net';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { greeting } from '../reply.js';
import type { SmtpLog } from '../smtp-log.js';
import { AwaitedHeader } from './awaited-header.js';
import type { Opening } from './connection.js';
import type { Peer } from './peer.js';
import type { BadProxyHeader, ProxyHeader } from './proxy-header.js';
import { RareWarning } from './rare-warning.js';

/** How long a proxy that speaks first may take to send its header: three seconds cover a packet that is sent again (section 2). */
const HEADER_MS = 5_000;

/**
 * How many connections may wait for their header at one moment. They are counted for no client, for none is known. Where they are more, the
 * one that has waited longest goes: a header comes at once, or with the first command, so who stalls keeps out nobody.
 */
const MAX_AWAITED = 500;

export interface AwaitedHeadersOptions {
  readonly hostname: string;
  /** How long the client behind a lazy proxy may be silent. */
  readonly idleTimeoutMs: number;
  readonly log: SmtpLog;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Tells why a socket is not served, and closes it. */
  refuse(socket: Socket, error: SmtpError): void;
}

const BAD: Readonly<Record<BadProxyHeader, SmtpError>> = {
  missing: smtpErrors.proxyHeaderMissing,
  malformed: smtpErrors.badProxyHeader,
};

/** Serves a socket whose header has come, and which is paused. */
type Serve = (header: ProxyHeader, opening: Opening) => void;

/** Who waits: the header, and what the proxy is counted as. */
interface Waiting {
  readonly header: AwaitedHeader;
  readonly proxy: string;
}

/** The connections of proxies whose clients are not known yet. Nothing is read of them but the header (D29). */
export class AwaitedHeaders {
  readonly #options: AwaitedHeadersOptions;
  readonly #warning: RareWarning;
  /** Who has waited longest is first. */
  readonly #waiting = new Set<Waiting>();

  constructor(options: AwaitedHeadersOptions) {
    this.#options = options;
    this.#warning = new RareWarning({
      ...options,
      message: 'A connection of a proxy was closed before its client was known.',
    });
  }

  /** Awaits the header of a socket that was not read from yet, from a peer that is a proxy. */
  add(socket: Socket, proxy: Peer, serve: Serve): void {
    for (const longest of this.#waiting) {
      if (this.#waiting.size < MAX_AWAITED) break;
      this.#refuse(longest, smtpErrors.tooManyAwaited);
    }
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
        if (isGreeted) this.#options.refuse(this.#release(waiting), smtpErrors.idleTooLong);
        else this.#refuse(waiting, smtpErrors.proxyHeaderTooLate);
      },
      // Nobody is to blame: checks of health open a connection and close it.
      left: () => this.#waiting.delete(waiting),
    });
    const waiting: Waiting = { header, proxy: proxy.client };
    this.#waiting.add(waiting);
    if (isGreeted) socket.write(greeting(this.#options.hostname));
  }

  /** Closes all of them, for the service stops. */
  stop(): void {
    for (const waiting of [...this.#waiting]) this.#options.refuse(this.#release(waiting), smtpErrors.stopping);
  }

  #refuse(waiting: Waiting, error: SmtpError): void {
    this.#warning.give({ proxy: waiting.proxy, reason: error.text });
    this.#options.refuse(this.#release(waiting), error);
  }

  #release(waiting: Waiting): Socket {
    this.#waiting.delete(waiting);
    return waiting.header.release();
  }
}
