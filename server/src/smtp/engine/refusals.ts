import type { Socket } from 'node:net';
import type { SmtpError } from '../../errors.js';
import { replyLine } from '../reply.js';
import { MAX_DROPPED_BYTES } from './channel.js';

/** Sockets that are told at one time why they are refused. More are closed without a reply. */
const MAX_REFUSALS = 100;

/** Time for a client to read why it is refused. */
export const REFUSAL_MS = 200;

/**
 * Sockets refused before they become connections. Each is told why and closed soon. They count toward no limit: a
 * client that opens many takes no place from others.
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
    // Input is read and dropped: closing with unread bytes resets the connection and loses the reply.
    socket.on('data', drop).resume();
    socket.end(replyLine(error));
    setTimeout(destroy, REFUSAL_MS, socket).unref();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function ignore(): void {
  // How a refused client leaves does not matter.
}

function drop(this: Socket): void {
  if (this.bytesRead > MAX_DROPPED_BYTES) this.destroy();
}

function destroy(socket: Socket): void {
  socket.destroy();
}
