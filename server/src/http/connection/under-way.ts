import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The requests of each connection that are incomplete or whose answers have not left. */
export class UnderWay {
  /** In order; some may be over. */
  readonly #begun = new WeakMap<Duplex, ServerResponse[]>();

  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const underWay = this.of(socket);
    if (underWay.push(response) === 1) this.#begun.set(socket, underWay);
  }

  /** Unfinished answers, in the order of their requests. */
  of(socket: Duplex): ServerResponse[] {
    const begun = this.#begun.get(socket) ?? [];
    const over = begun.findIndex(isUnderWay);
    if (over !== 0) begun.splice(0, over < 0 ? begun.length : over);
    return begun;
  }

  /** Whether everything is answered, or nothing was ever sent. */
  isIdle(socket: Socket): boolean {
    return this.#begun.has(socket) ? this.of(socket).length === 0 : socket.bytesRead === 0;
  }
}

function isUnderWay({ req, writableFinished }: ServerResponse): boolean {
  return !req.complete || !writableFinished;
}
