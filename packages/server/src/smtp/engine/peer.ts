import { type AddressRange, clientKey, isInRanges, isLoopback } from '../../limits/client-address.js';

/** When a proxy sends its header: immediately, or with its client's first bytes, after our greeting. */
export type HeaderComes = 'first' | 'lazily';

export interface Peer {
  readonly client: string;
  /** Takes credentials without TLS even where others need it: loopback and trusted addresses (D21). */
  readonly isTrusted: boolean;
  readonly header: HeaderComes | null;
  /** Whether it reached the port for TLS from the first byte (RFC 8314 section 3). */
  readonly beginsWithTls: boolean;
}

export interface PeersOptions {
  /** Addresses besides loopback that may send credentials without TLS (D21). */
  readonly trusted: readonly AddressRange[];
  /** Proxies by when their header comes. An address in both lists sends it lazily. */
  readonly proxies: Readonly<Record<HeaderComes, readonly AddressRange[]>>;
}

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

  get hasProxies(): boolean {
    const { lazily, first } = this.#options.proxies;
    return lazily.length + first.length > 0;
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
