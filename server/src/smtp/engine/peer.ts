import { type AddressRange, clientKey, isInRanges, isLoopback } from '../../limits/client-address.js';

/** Who is at the other end of a connection. */
export interface Peer {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** Whether credentials are taken without TLS: from this machine and from trusted addresses (D21). */
  readonly isTrusted: boolean;
}

/** Looks addresses up. What was found for the last one is kept: clients come in swarms, and reading an address costs. */
export class Peers {
  readonly #trusted: readonly AddressRange[];
  #lastAddress: string | null = null;
  #last: Peer = { client: '', isTrusted: false };

  constructor(trusted: readonly AddressRange[]) {
    this.#trusted = trusted;
  }

  /** The peer at an address, as Node writes it. */
  at(address: string): Peer {
    if (address !== this.#lastAddress) {
      this.#lastAddress = address;
      this.#last = {
        client: clientKey(address),
        isTrusted: isLoopback(address) || isInRanges(address, this.#trusted),
      };
    }
    return this.#last;
  }
}
