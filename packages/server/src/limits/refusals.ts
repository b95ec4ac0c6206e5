import type { Socket } from 'node:net';

const MAX_REFUSALS = 100;

/** Time for a client to read why it is refused. */
export const REFUSAL_MS = 200;

/** Bytes a client may send after its last reply; they are dropped. Beyond that the socket is closed at once. */
export const MAX_DROPPED_BYTES = 1024 * 1024;

/**
 * Sockets refused before they become connections: they get a reply and are closed soon. They count toward no limit, so
 * that a client that opens many takes no place from others. Beyond a hundred, sockets are closed without a reply.
 */
export class Refusals {
  readonly #sockets = new Set<Socket>();

  /** Takes over an unread socket, or a paused one. The reply may be empty. */
  refuse(socket: Socket, reply: string): void {
    socket.on('error', ignore);
    if (this.#sockets.size >= MAX_REFUSALS) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Input is read and dropped: closing with unread bytes resets the connection and loses the reply.
    socket.on('data', drop).resume();
    socket.end(reply);
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
