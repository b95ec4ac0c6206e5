import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Leaving } from '../inbox/selecting.js';
import type { Request } from './framework.js';

/** A signal that is aborted when a client has left, or has its answer: from then on nobody needs what is read for it. */
export function whenLeft(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenOver(response, () => controller.abort());
  return controller.signal;
}

/** Calls `over` once: when a client has its answer, or has left, which it may have by now. */
export function whenOver(response: ServerResponse, over: () => void): void {
  // The request's own "close" comes as soon as it has been read.
  const { socket } = response.req;
  // Whoever left while the request was looked at closes no more.
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
  // One that waits behind another on its connection is never told that the connection was closed: it would count for good.
  if (response.socket === null) socket.setMaxListeners(0).on('close', closed);
}

/** The same for whoever only asks now and then: it costs nothing to make. Whoever has left has closed the connection. */
export class LeavingClient implements Leaving {
  readonly #socket: Socket;

  constructor({ socket }: Request) {
    this.#socket = socket;
  }

  get aborted(): boolean {
    return this.#socket.destroyed;
  }
}
