import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BoundedMap } from '../../base/bounded-map.js';
import { type AddressRange, clientAddress, clientKey, isInRanges } from '../../limits/client-address.js';

export interface Peer {
  readonly address: string;
  readonly client: string;
  readonly isTrusted: boolean;
}

const PEER = Symbol('peer');

/** A socket, or the stream that is read in place of one. */
interface Connected {
  readonly remoteAddress?: string | undefined;
  [PEER]?: Peer;
}

/** Addresses remembered: a crowd of clients connects at once, each several times. */
const MAX_KNOWN = 1_024;

/** Looks each address up once: that costs more than most requests. */
export class Peers {
  readonly #trusted: readonly AddressRange[];
  readonly #known = new BoundedMap<string, Peer>(MAX_KNOWN);

  constructor(trusted: readonly AddressRange[]) {
    this.#trusted = trusted;
  }

  of(socket: Connected): Peer {
    socket[PEER] ??= this.#at(socket.remoteAddress ?? '');
    return socket[PEER];
  }

  /** The client's key; a trusted proxy names the client (D12). */
  clientOf({ socket, headers }: IncomingMessage): string {
    const { address, client, isTrusted } = this.of(socket);
    if (!isTrusted) return client;
    return clientKey(clientAddress(address, forwardedForOf(headers), this.#trusted));
  }

  /** The client's address; null if a trusted proxy does not name it. */
  addressOf({ socket, headers }: IncomingMessage): string | null {
    const { address, isTrusted } = this.of(socket);
    if (!isTrusted) return address;
    const client = clientAddress(address, forwardedForOf(headers), this.#trusted);
    return isInRanges(client, this.#trusted) ? null : client;
  }

  #at(address: string): Peer {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const peer = { address, client: clientKey(address), isTrusted: isInRanges(address, this.#trusted) };
    this.#known.set(address, peer);
    return peer;
  }
}

function forwardedForOf({ 'x-forwarded-for': values }: IncomingHttpHeaders): string | undefined {
  return Array.isArray(values) ? values.join(',') : values;
}
