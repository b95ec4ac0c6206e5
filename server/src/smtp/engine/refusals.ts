import type { Socket } from 'node:net';
import type { SmtpError } from '../../errors.js';
import { replyLine } from '../reply.js';
import { MAX_DROPPED_BYTES } from './channel.js';

/** How many sockets may be told at one moment why they are refused. Those beyond are closed without a word. */
const MAX_REFUSALS = 100;

/** How long a client is given to read why it is refused. */
export const REFUSAL_MS = 200;

/**
 * Sockets that are refused before they become connections: each is told why and is gone soon. They count for nothing
 * else, so that one client that opens many takes no place from others.
 */
export class Refusals {
  readonly #sockets = new Set<Socket>();

  get count(): number {
    return this.#sockets.size;
  }

  refuse(socket: Socket, error: SmtpError): void {
    socket.on('error', ignore);
    if (this.#sockets.size >= MAX_REFUSALS) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // What the client sends is read and dropped: a socket that is closed with bytes unread takes its last words back.
    socket.on('data', drop).resume();
    socket.end(replyLine(error));
    setTimeout(destroy, REFUSAL_MS, socket).unref();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function ignore(): void {
  // A client that is sent away may go as it likes.
}

function drop(this: Socket): void {
  if (this.bytesRead > MAX_DROPPED_BYTES) this.destroy();
}

function destroy(socket: Socket): void {
  socket.destroy();
}
