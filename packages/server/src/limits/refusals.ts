import type { Socket } from 'node:net';

const MAX_REFUSALS = 100;

export const REFUSAL_MS = 200;

/** Bytes that a client sends after the last reply to it are dropped. After this many, the socket is destroyed. */
export const MAX_DROPPED_BYTES = 1024 * 1024;

/**
 * Replies to sockets that are refused before they become connections, and closes them soon. Such sockets count toward
 * no limit, so a client that opens many takes no places from others. Beyond a hundred, closes sockets without a reply.
 */
export class Refusals {
  readonly #sockets = new Set<Socket>();

  /** Takes over a socket that is unread or paused. The reply may be empty. */
  refuse(socket: Socket, reply: string): void {
    socket.on('error', () => {});
    if (this.#sockets.size >= MAX_REFUSALS) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Input is read and dropped, because closing with unread bytes resets the connection and loses the reply.
    socket.on('data', () => {
      if (socket.bytesRead > MAX_DROPPED_BYTES) socket.destroy();
    });
    socket.resume().end(reply);
    setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
