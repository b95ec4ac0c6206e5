import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { httpErrors } from '../../errors.js';
import type { Json, Message, Pieces, Reader } from '../../inbox/inboxes.js';
import type { HeldBytes, Progress } from '../../limits/client-memory.js';
import { FairSemaphore, type Release, releaseWhenOver } from '../../limits/semaphore.js';
import type { HttpEvents } from '../http-events.js';
import { whenLeft } from './client-left.js';
import { RETRY_SOON, RequestError, stoppingError } from './request-error.js';

declare module 'fastify' {
  interface FastifyInstance {
    largeAnswers: LargeAnswers;
  }
}

/** Answers in pieces at once, and the bytes that each holds until its client has read it. */
const BOUNDS = { total: 64, perClient: 16 } as const;
const PIECES_BYTES = 1024 * 1024;

export interface Asking {
  readonly client: string;
  readonly response: ServerResponse;
}

/** Bounds the answers sent in pieces; others wait for their turn, as inspections do (D40). */
export class LargeAnswers {
  readonly #held: HeldBytes;
  readonly #turns: FairSemaphore;

  constructor(clock: Clock, held: HeldBytes, events?: HttpEvents) {
    this.#held = held;
    const busy = () => {
      events?.limited('large-answers');
      return new RequestError(httpErrors.tooManyAnswers, {}, RETRY_SOON);
    };
    this.#turns = new FairSemaphore({ clock, bounds: BOUNDS, held, busy, closed: stoppingError });
  }

  /**
   * An answer in pieces is made again at its client's turn: waiting holds nothing. Rejects with 503, or with the
   * signal's reason.
   */
  make<A extends Json | Message | null>(asking: Asking, make: () => MaybePromise<A>): MaybePromise<A | Pieces> {
    if (this.#held.isFullFor(asking.client)) return this.#makeInTurn(asking, make);
    return withAnswer(make(), (answer): MaybePromise<A | Pieces> => {
      if (!isInPieces(answer)) return answer;
      const reader = this.readerOf(asking);
      const release = this.#turns.tryAcquire(reader);
      if (release === null) return this.#makeInTurn(asking, make);
      this.#begin(release, reader);
      return answer;
    });
  }

  /** Waits for the turn of an answer too costly to repeat. Rejects as `make`. */
  async wait(asking: Asking): Promise<void> {
    const reader = this.readerOf(asking);
    this.#begin(await this.#turns.acquire(reader), reader);
  }

  readerOf({ client, response }: Asking): Reader {
    const signal = whenLeft(response);
    const cut = () => response.req.socket.destroy();
    const hold = (bytes: number, progress?: Progress) =>
      this.#held.set(response, { client, bytes: signal.aborted ? 0 : bytes, ...progress, cut });
    signal.addEventListener('abort', () => hold(0), { once: true });
    return { client, signal, cut, hold };
  }

  /** Ends all waits, but no running answers. */
  close(): void {
    this.#turns.close();
  }

  async #makeInTurn<A extends Json | Message | null>(asking: Asking, make: () => MaybePromise<A>): Promise<A | Pieces> {
    await this.wait(asking);
    return make();
  }

  #begin(release: Release, reader: Reader): void {
    releaseWhenOver(release, reader);
    reader.hold(PIECES_BYTES);
  }
}

function isInPieces(answer: Json | Message | null): answer is Pieces {
  return answer !== null && typeof answer !== 'string' && !(answer instanceof Uint8Array);
}
