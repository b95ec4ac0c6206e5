import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Leaving } from '../../inbox/inboxes.js';
import type { Request } from '../framework.js';

export function whenLeft(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenOver(response, () => controller.abort());
  return controller.signal;
}

/** Calls `over` once, when a client has its answer or left, possibly before this call. */
export function whenOver(response: ServerResponse, over: () => void): void {
  // A client that left already emits no more events.
  if (response.destroyed || response.req.socket.destroyed) over();
  else response.on('close', over);
}

/** The same for polling code; costs nothing to create. */
export class LeavingClient implements Leaving {
  readonly #socket: Socket;

  constructor({ socket }: Request) {
    this.#socket = socket;
  }

  get aborted(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }
}
