import type { Reply } from './framework.js';

/** A signal that is aborted when a client has left, or has its answer: from then on nobody needs what is read for it. */
export function whenLeft(reply: Reply): AbortSignal {
  const controller = new AbortController();
  // The request's own "close" comes as soon as it has been read.
  reply.raw.once('close', () => controller.abort());
  // Whoever left while the request was looked at closes no more.
  if (reply.raw.destroyed) controller.abort();
  return controller.signal;
}
