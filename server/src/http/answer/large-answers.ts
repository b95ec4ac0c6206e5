import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { httpErrors } from '../../errors.js';
import { type HeldBytes, LEAST_BYTES_PER_SECOND, type Progress } from '../../fairness/client-memory.js';
import { FairSemaphore, type Release, releaseWhenOver } from '../../fairness/semaphore.js';
import type { Json, Message, Pieces, Reader } from '../../inbox/inboxes.js';
import { READ_MS } from '../connection/unread-answers.js';
import type { HttpEvents } from '../http-events.js';
import { whenLeft } from './client-left.js';
import { RequestError, retryAfter, stoppingError } from './request-error.js';

declare module 'fastify' {
  interface FastifyInstance {
    largeAnswers: LargeAnswers;
  }
}

/** Answers in pieces at once, and the bytes that each holds until its client has read it. */
const BOUNDS = { total: 64, perClient: 16 } as const;
const PIECES_BYTES = 1024 * 1024;

const RETRY_MS = 1_000;

export interface Asking {
  readonly client: string;
  readonly response: ServerResponse;
}

/** Bounds how many answers are sent in pieces at once; others wait for their turn, as inspections do (D40). */
export class LargeAnswers {
  readonly #clock: Clock;
  readonly #held: HeldBytes;
  readonly #turns: FairSemaphore;

  constructor(clock: Clock, held: HeldBytes, events?: HttpEvents) {
    this.#clock = clock;
    this.#held = held;
    const busy = () => {
      events?.limited('large-answers');
      return new RequestError(httpErrors.tooManyAnswers, {}, retryAfter(RETRY_MS));
    };
    this.#turns = new FairSemaphore({ clock, bounds: BOUNDS, held, busy, closed: stoppingError });
  }

  /**
   * Makes an answer, at once if it is whole. One in pieces begins at its client's turn; what was made before is dropped
   * and made again, so that waiting holds nothing. Rejects with 503, and with the abort reason of the client's signal.
   */
  make<A extends Json | Message | null>(asking: Asking, make: () => MaybePromise<A>): MaybePromise<A | Pieces> {
    if (this.#held.isFullFor(asking.client)) return this.#makeInTurn(asking, make);
    return withAnswer(make(), (answer): MaybePromise<A | Pieces> => {
      if (!isInPieces(answer)) return answer;
      const reader = this.readerOf(asking);
      const release = this.#turns.tryAcquire(reader);
      return release === null ? this.#makeInTurn(asking, make) : this.#begin(release, reader)(answer);
    });
  }

  /** Waits for the turn of an answer too costly to repeat. Resolves to what bounds its pieces; rejects as `make`. */
  async wait(asking: Asking): Promise<(pieces: Pieces) => Pieces> {
    const reader = this.readerOf(asking);
    return this.#begin(await this.#turns.acquire(reader), reader);
  }

  /** Bounds the pieces of an answer that takes no turn. */
  inTime<P extends Uint8Array>(asking: Asking, pieces: Iterable<P>): AsyncIterable<P> {
    return readInTime(pieces, this.#clock, { ...this.readerOf(asking), read() {} });
  }

  readerOf({ client, response }: Asking): Reader {
    const signal = whenLeft(response);
    // The connection: an answer that waits behind another has none to end.
    const cut = () => response.req.socket.destroy();
    const hold = (bytes: number, progress?: Progress) =>
      this.#held.set(response, { client, bytes: signal.aborted ? 0 : bytes, ...progress, cut });
    signal.addEventListener('abort', () => hold(0), { once: true });
    return { client, signal, cut, hold };
  }

  /** The service stops: ends all waits. Answers under way go on. */
  close(): void {
    this.#turns.close();
  }

  async #makeInTurn<A extends Json | Message | null>(asking: Asking, make: () => MaybePromise<A>): Promise<A | Pieces> {
    const bounded = await this.wait(asking);
    const answer = await make();
    return isInPieces(answer) ? bounded(answer) : answer;
  }

  #begin(release: Release, { signal, cut, hold }: Reader): (pieces: Pieces) => Pieces {
    releaseWhenOver(release, { signal });
    return (pieces) => {
      hold(PIECES_BYTES);
      const read = (moved: number) => hold(PIECES_BYTES, { moved });
      return readInTime(pieces, this.#clock, { signal, cut, read });
    };
  }
}

interface Reading extends Pick<Reader, 'signal' | 'cut'> {
  /** So many bytes more were read. */
  read(bytes: number): void;
}

/** Cuts off a client that reads more slowly than allowed; the time that it takes to make pieces does not count. */
async function* readInTime<P extends Uint8Array>(
  pieces: AsyncIterable<P> | Iterable<P>,
  clock: Clock,
  { signal, cut, read }: Reading,
): AsyncGenerator<P> {
  let leftMs = READ_MS;
  for await (const piece of pieces) {
    leftMs += (piece.byteLength / LEAST_BYTES_PER_SECOND) * 1_000;
    const handedOnAt = clock.monotonic();
    const endWatch = watchUntilLeft(leftMs, clock, { signal, cut });
    try {
      yield piece;
    } finally {
      endWatch();
    }
    read(piece.byteLength);
    leftMs -= clock.monotonic() - handedOnAt;
  }
  watchUntilLeft(leftMs, clock, { signal, cut });
}

/** Ends also with the client: an abandoned answer may never be asked for another piece, nor be told to end. */
function watchUntilLeft(ms: number, clock: Clock, { signal, cut }: Pick<Reader, 'signal' | 'cut'>): () => void {
  if (signal.aborted) return () => {};
  const endAlarm = clock.after(ms, cut);
  const end = () => {
    endAlarm();
    signal.removeEventListener('abort', end);
  };
  signal.addEventListener('abort', end);
  return end;
}

function isInPieces(answer: Json | Message | null): answer is Pieces {
  return answer !== null && typeof answer !== 'string' && !(answer instanceof Uint8Array);
}
