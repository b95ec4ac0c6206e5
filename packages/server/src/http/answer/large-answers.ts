import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { httpErrors } from '../../errors.js';
import type { Json, Message, Pieces, Reader } from '../../inbox/inboxes.js';
import { type HeldBytes, LEAST_BYTES_PER_SECOND, type Progress } from '../../limits/client-memory.js';
import { FairSemaphore, type Release, releaseWhenOver } from '../../limits/semaphore.js';
import { READ_MS } from '../connection/unread-answers.js';
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
  readonly #clock: Clock;
  readonly #held: HeldBytes;
  readonly #turns: FairSemaphore;

  constructor(clock: Clock, held: HeldBytes, events?: HttpEvents) {
    this.#clock = clock;
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
      return release === null ? this.#makeInTurn(asking, make) : this.#begin(release, reader)(answer);
    });
  }

  /** Waits for the turn of an answer too costly to repeat. Resolves to a bound for its pieces; rejects as `make`. */
  async wait(asking: Asking): Promise<(pieces: Pieces) => Pieces> {
    const reader = this.readerOf(asking);
    return this.#begin(await this.#turns.acquire(reader), reader);
  }

  /** Bounds an answer that needs no turn. */
  inTime<P extends Uint8Array>(asking: Asking, pieces: Iterable<P>): AsyncIterable<P> {
    return readInTime(pieces, this.#clock, { ...this.readerOf(asking), read() {} });
  }

  readerOf({ client, response }: Asking): Reader {
    const signal = whenLeft(response);
    // The connection: a queued answer has none of its own.
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
  read(bytes: number): void;
}

/** Cuts off clients that read too slowly; time to make pieces does not count. */
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

/** Ends with the client, too: an abandoned answer may never be asked for its next piece. */
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
