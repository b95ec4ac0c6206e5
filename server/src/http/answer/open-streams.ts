import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { httpErrors } from '../../errors.js';
import type { QuotaBounds, Refusal } from '../../fairness/quota.js';
import { type ClientQuota, type Limits, OWN_LIMITS } from '../../limits/limits.js';
import type { HttpEvents } from '../http-events.js';
import { RequestError, retryAfter, stoppingError } from './request-error.js';

/** After how long a client that found no free stream may try again; streams last 30 s at most. */
const RETRY_MS = 1_000;

/** The share of its streams that a client may have where streams are scarce (D13). */
const SCARCE_SHARE = 0.1;

/** How many streams a client may have once half of all are open, that may have so many otherwise. */
export function scarceStreams(perClient: number): number {
  return Math.ceil(perClient * SCARCE_SHARE);
}

export interface OpenStream {
  /** Ends it without an event, unless it is sending one. */
  end(): void;
}

/** Which streams are open, so that they can be bounded and ended (D13). */
export class OpenStreams {
  readonly #maxPerClient: number;
  readonly #quota: ClientQuota;
  readonly #open = new Set<OpenStream>();
  readonly #events: HttpEvents | undefined;
  #isEnding = false;

  /** `events` is omitted without metrics, `counting` where this process counts. */
  constructor(bounds: QuotaBounds, events?: HttpEvents, counting: Limits = OWN_LIMITS) {
    this.#events = events;
    this.#maxPerClient = bounds.perClient;
    this.#quota = counting.quota('open-stream', bounds);
  }

  /**
   * Counts one more stream of a client, which `open` makes, until it is closed. Throws 429 when the client has too
   * many, 503 when all are taken; or rejects with them, where the client's are counted over several nodes.
   */
  open<S extends OpenStream>(client: string, open: () => S): MaybePromise<S> {
    return withAnswer(this.#quota.acquire(client), (refused) => {
      this.#refuse(refused);
      if (this.#isEnding) {
        this.#quota.release(client);
        throw stoppingError();
      }
      const stream = open();
      this.#open.add(stream);
      this.#events?.streamOpened();
      return stream;
    });
  }

  #refuse(refused: Refusal | null): void {
    if (refused === 'all-taken') {
      this.#events?.limited('streams');
      throw new RequestError(httpErrors.allStreamsTaken, {}, retryAfter(RETRY_MS));
    }
    if (refused === 'client-full') {
      this.#events?.limited('streams-per-client');
      throw new RequestError(httpErrors.tooManyStreams, { limit: this.#maxPerClient }, retryAfter(RETRY_MS));
    }
  }

  /** A client's stream is closed. To be called once. */
  close(client: string, stream: OpenStream): void {
    this.#quota.release(client);
    this.#open.delete(stream);
    this.#events?.streamClosed();
  }

  /** Ends every stream that is open. None is opened any more. */
  endAll(): void {
    this.#isEnding = true;
    for (const stream of this.#open) stream.end();
  }
}
