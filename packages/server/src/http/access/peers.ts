import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type AddressRange, clientAddress, clientKey, isInRanges } from '../../limits/client-address.js';

export interface Peer {
  readonly address: string;
  readonly client: string;
  readonly isTrusted: boolean;
}

const PEER = Symbol('peer');

/** Looks up the address of each connection once, because it is unknown after the connection has closed. */
export class Peers {
  readonly #trusted: readonly AddressRange[];

  constructor(trusted: readonly AddressRange[]) {
    this.#trusted = trusted;
  }

  of(socket: { readonly remoteAddress?: string | undefined; [PEER]?: Peer }): Peer {
    const { remoteAddress: address = '' } = socket;
    socket[PEER] ??= { address, client: clientKey(address), isTrusted: isInRanges(address, this.#trusted) };
    return socket[PEER];
  }

  /** The key by which limits count the client (D12). A trusted proxy names the client. */
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
}

function forwardedForOf({ 'x-forwarded-for': values }: IncomingHttpHeaders): string | undefined {
  return Array.isArray(values) ? values.join(',') : values;
}
