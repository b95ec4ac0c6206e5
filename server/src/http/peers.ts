import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressRange, clientAddress, clientKey, isInRanges } from '../limits/client-address.js';

/** Who is at the other end of a connection. */
export interface Peer {
  /** Its address, as Node writes it; empty when the connection was over before anybody asked. */
  readonly address: string;
  /** What stands for it where clients are counted. */
  readonly client: string;
  /** Whether it is a proxy of the operator's, which says in whose name it asks. */
  readonly isTrusted: boolean;
}

/** Where what was found out is kept on a socket. */
const PEER = Symbol('peer');

interface KnownSocket extends Socket {
  [PEER]?: Peer;
}

/** Looks addresses up once a connection: to read one costs more than most of what is then asked of it. */
export class Peers {
  readonly #trusted: readonly AddressRange[];
  /** The last one, since clients that use a connection once come in swarms. */
  #last: Peer = { address: '', client: '', isTrusted: false };

  /** `trusted` are the proxies whose X-Forwarded-For counts. */
  constructor(trusted: readonly AddressRange[]) {
    this.#trusted = trusted;
  }

  of(socket: Socket): Peer {
    const known = (socket as KnownSocket)[PEER];
    if (known !== undefined) return known;
    const peer = this.#at(socket.remoteAddress ?? '');
    (socket as KnownSocket)[PEER] = peer;
    return peer;
  }

  /** What stands for the client of a request where clients are counted, which is not the peer's where a proxy asks for it (D12). */
  clientOf({ socket, headers }: IncomingMessage): string {
    const { address, client, isTrusted } = this.of(socket);
    if (!isTrusted) return client;
    const forwardedFor = headers['x-forwarded-for'];
    const written = Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor;
    return clientKey(clientAddress(address, written, this.#trusted));
  }

  #at(address: string): Peer {
    if (address !== this.#last.address) {
      this.#last = { address, client: clientKey(address), isTrusted: isInRanges(address, this.#trusted) };
    }
    return this.#last;
  }
}
