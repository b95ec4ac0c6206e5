import type { Socket } from 'node:net';
import type { Leaving } from '../inbox/selecting.js';
import type { Reply, Request } from './framework.js';

/** A signal that is aborted when a client has left, or has its answer: from then on nobody needs what is read for it. */
export function whenLeft(reply: Reply): AbortSignal {
  const controller = new AbortController();
  // The request's own "close" comes as soon as it has been read.
  reply.raw.once('close', () => controller.abort());
  // Whoever left while the request was looked at closes no more.
  if (reply.raw.destroyed) controller.abort();
  return controller.signal;
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
