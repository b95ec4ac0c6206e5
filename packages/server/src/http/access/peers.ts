import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type AddressRange, clientAddress, clientKey, isInRanges } from '../../limits/client-address.js';

export interface Peer {
  readonly address: string;
  readonly client: string;
  readonly isTrusted: boolean;
}

const PEER = Symbol('peer');

export type Peers = ReturnType<typeof peersOf>;

export function peersOf(trusted: readonly AddressRange[]) {
  /** Looks up the address of each connection once, because it is unknown after the connection has closed. */
  const of = (socket: { readonly remoteAddress?: string | undefined; [PEER]?: Peer }): Peer => {
    const { remoteAddress: address = '' } = socket;
    socket[PEER] ??= { address, client: clientKey(address), isTrusted: isInRanges(address, trusted) };
    return socket[PEER];
  };
  return {
    of,

    /** The key by which limits count the client (D12). A trusted proxy names the client. */
    clientOf({ socket, headers }: IncomingMessage): string {
      const { address, client, isTrusted } = of(socket);
      return isTrusted ? clientKey(clientAddress(address, forwardedForOf(headers), trusted)) : client;
    },

    /** The client's address; null if a trusted proxy does not name it. */
    addressOf({ socket, headers }: IncomingMessage): string | null {
      const { address, isTrusted } = of(socket);
      if (!isTrusted) return address;
      const client = clientAddress(address, forwardedForOf(headers), trusted);
      return isInRanges(client, trusted) ? null : client;
    },
  };
}

function forwardedForOf({ 'x-forwarded-for': values }: IncomingHttpHeaders): string | undefined {
  return Array.isArray(values) ? values.join(',') : values;
}
