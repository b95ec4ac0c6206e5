import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.js';
import { httpErrors } from '../errors.js';
import type { Json, Message, Pieces } from '../inbox/read.js';
import { LEAST_BYTES_PER_SECOND, READ_MS, type Reader } from '../inbox/threads/held-answers.js';
import {
  InspectionTurns,
  InspectorBusyError,
  InspectorClosedError,
  type Turn,
} from '../inbox/threads/inspection-turns.js';
import { type Soon, withAnswer } from '../soon.js';
import { whenLeft } from './client-left.js';
import type { HttpEvents } from './http-events.js';
import { RequestError, retryAfter, stoppingError } from './request-error.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Who is sent large answers, and when. */
    largeAnswers: LargeAnswers;
  }
}

/** How many answers are sent in pieces at once. Until its client has read it, each holds up to three MB. */
const BOUNDS = { total: 128, perClient: 16 } as const;

/** After how long a client may try again whose turn did not come. */
const RETRY_MS = 1_000;

/** Whom an answer is for. */
export interface Asking {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  readonly response: ServerResponse;
}

/**
 * Bounds what is in memory for clients that do not read their answers. One that is sent in pieces takes a turn, of which so many come at
 * once, and waits for it as whoever inspects a message does (D40). One that is sent whole is counted where it did not leave at once.
 */
export class LargeAnswers {
  readonly #clock: Clock;
  readonly #turns: InspectionTurns;
  readonly #events: HttpEvents | undefined;

  /** `events` is left out where nobody counts. */
  constructor(clock: Clock, events?: HttpEvents) {
    this.#clock = clock;
    this.#events = events;
    this.#turns = new InspectionTurns(clock, BOUNDS);
  }

  /**
   * Makes an answer, at once where it is whole. One in pieces is begun when its client's turn has come: what was made of it by then is let
   * go and made again, so that what waits holds nothing. Rejects with 503, and with the reason for which the client's signal is aborted.
   */
  make<A extends Json | Message | null>(asking: Asking, make: () => Soon<A>): Soon<A | Pieces> {
    if (this.#turns.isFullFor(asking.client)) return this.#makeInTurn(asking, make);
    return withAnswer(make(), (answer): Soon<A | Pieces> => {
      if (!isInPieces(answer)) return answer;
      const reader = readerOf(asking);
      const turn = this.#turns.begin(reader);
      return turn === null ? this.#makeInTurn(asking, make) : this.#begin(turn, reader)(answer);
    });
  }

  /**
   * Waits for the turn of an answer of which it is not known whether it is large, and which is too costly to be made twice. Resolves to what
   * bounds its pieces; rejects as `make` does.
   */
  async wait(asking: Asking): Promise<(pieces: Pieces) => Pieces> {
    const reader = readerOf(asking);
    return this.#begin(await this.#wait(reader), reader);
  }

  /** Counts an answer of so many bytes until its client has read it. */
  hold(asking: Asking, bytes: number): void {
    this.#turns.hold(bytes, readerOf(asking));
  }

  /** The same of one that was sent whole, unless it has left by now. */
  holdUnread(asking: Asking, bytes: number): void {
    const { socket } = asking.response;
    // Behind another answer on its connection, it has none yet.
    if (socket === null || socket.writableLength > 0) this.hold(asking, bytes);
  }

  /** Lets nobody wait any more: the service stops. What is being sent goes on. */
  close(): void {
    this.#turns.close();
  }

  async #makeInTurn<A extends Json | Message | null>(asking: Asking, make: () => Soon<A>): Promise<A | Pieces> {
    const bounded = await this.wait(asking);
    const answer = await make();
    return isInPieces(answer) ? bounded(answer) : answer;
  }

  async #wait(reader: Reader): Promise<Turn> {
    try {
      return await this.#turns.wait(reader);
    } catch (error) {
      if (error instanceof InspectorBusyError) {
        this.#events?.limited('large-answers');
        throw new RequestError(httpErrors.tooManyAnswers, {}, retryAfter(RETRY_MS));
      }
      throw error instanceof InspectorClosedError ? stoppingError() : error;
    }
  }

  /** Begins a turn, which ends when the client has its answer, or has left. Gives what bounds the answer's pieces. */
  #begin(turn: Turn, { signal, cut }: Reader): (pieces: Pieces) => Pieces {
    if (signal.aborted) turn.end();
    else signal.addEventListener('abort', turn.end, { once: true });
    return (pieces) => readInTime(pieces, this.#clock, { signal, cut });
  }
}

/** The same pieces. Cuts off a client that reads them more slowly than any answer may be read; how long they take to make is not its doing. */
async function* readInTime(
  pieces: Pieces,
  clock: Clock,
  { signal, cut }: Pick<Reader, 'signal' | 'cut'>,
): AsyncGenerator<Uint8Array> {
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
    leftMs -= clock.monotonic() - handedOnAt;
  }
  // The last of it is on its way.
  watchUntilLeft(leftMs, clock, { signal, cut });
}

/**
 * Cuts off a client after so many milliseconds, unless it has left or the returned function is called before. An answer whose client has
 * left may never be asked for another piece, nor be told to end.
 */
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

function readerOf({ client, response }: Asking): Reader {
  // The connection, for an answer that waits behind another has none yet that it could end.
  return { client, signal: whenLeft(response), cut: () => response.req.socket.destroy() };
}
