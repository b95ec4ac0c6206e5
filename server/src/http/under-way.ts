import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * How many requests of one connection may wait for their answers. Clients send the next when they have the answer, as a rule;
 * Node reads up to 64 KiB at once, which is some 1,500 requests in one turn of the event loop.
 */
const MAX_UNDER_WAY = 32;

/** Which requests have begun on each connection and are not over: they have not come in whole, or their answers have not left. */
export class UnderWay {
  /** The answers to what has begun on a connection, in their order; some of them may be over. */
  readonly #begun = new WeakMap<Duplex, ServerResponse[]>();

  /** Notes a request whose headers have come. One too many ends its connection. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const underWay = this.of(socket);
    if (underWay.length >= MAX_UNDER_WAY) socket.destroy();
    else if (underWay.push(response) === 1) this.#begun.set(socket, underWay);
  }

  /** The answers that are not over, in the order of their requests: the first are over first. */
  of(socket: Duplex): ServerResponse[] {
    const begun = this.#begun.get(socket) ?? [];
    const over = begun.findIndex(isUnderWay);
    if (over !== 0) begun.splice(0, over < 0 ? begun.length : over);
    return begun;
  }

  /** Whether nobody would miss a connection: all that was asked on it is answered, or nothing has been sent yet. */
  isIdle(socket: Socket): boolean {
    return this.#begun.has(socket) ? this.of(socket).length === 0 : socket.bytesRead === 0;
  }
}

function isUnderWay({ req, writableFinished }: ServerResponse): boolean {
  return !req.complete || !writableFinished;
}
