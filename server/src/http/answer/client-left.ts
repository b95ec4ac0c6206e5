import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Leaving } from '../../inbox/inboxes.js';
import type { Request } from '../framework.js';

/** Aborted when a client has left, or has its answer. */
export function whenLeft(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenOver(response, () => controller.abort());
  return controller.signal;
}

/** Calls `over` once, when a client has its answer or has left, possibly before this call. */
export function whenOver(response: ServerResponse, over: () => void): void {
  // The request itself closes as soon as it has been read.
  const { socket } = response.req;
  // A client that left meanwhile closes no more.
  if (response.destroyed || socket.destroyed) {
    over();
    return;
  }
  const closed = () => {
    response.off('close', closed);
    socket.off('close', closed);
    over();
  };
  response.on('close', closed);
  // A response that waits behind another on its connection is not told that the connection was closed.
  if (response.socket === null) socket.setMaxListeners(0).on('close', closed);
}

/** The same for code that polls: it costs nothing to make. */
export class LeavingClient implements Leaving {
  readonly #socket: Socket;

  constructor({ socket }: Request) {
    this.#socket = socket;
  }

  get aborted(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }
}
