import { type AddressRange, clientKey, isInRanges, isLoopback } from '../../limits/client-address.js';

/** When a proxy sends its header: first of all, or with what its client sends first, which awaits the greeting. */
export type HeaderComes = 'first' | 'lazily';

export interface Peer {
  readonly client: string;
  /**
   * Whether credentials are taken without TLS even where others need it: from this machine and from trusted addresses
   * (D21).
   */
  readonly isTrusted: boolean;
  /** When it tells whose connection this is, where it is a proxy; null where it speaks for itself. */
  readonly header: HeaderComes | null;
}

export interface PeersOptions {
  /** Addresses that may always send credentials without TLS, besides loopback (D21). */
  readonly trusted: readonly AddressRange[];
  /** Proxies, by when they send the header that tells their client. An address that is among both sends it lazily. */
  readonly proxies: Readonly<Record<HeaderComes, readonly AddressRange[]>>;
}

/**
 * Looks addresses up. What was found for the last one is kept: clients come in swarms, and reading an address costs.
 */
export class Peers {
  readonly #options: PeersOptions;
  #lastAddress: string | null = null;
  #last: Peer = { client: '', isTrusted: false, header: null };

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  get hasProxies(): boolean {
    const { lazily, first } = this.#options.proxies;
    return lazily.length + first.length > 0;
  }

  /** The peer at an address, as Node writes it. */
  at(address: string): Peer {
    if (address !== this.#lastAddress) {
      this.#lastAddress = address;
      this.#last = {
        client: clientKey(address),
        isTrusted: isLoopback(address) || this.#isTrusted(address),
        header: this.#header(address),
      };
    }
    return this.#last;
  }

  /**
   * The client at an address that a proxy has told, or the proxy itself where it has told none. What is local to the
   * proxy has come through a network, unless the proxy is local here.
   */
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
