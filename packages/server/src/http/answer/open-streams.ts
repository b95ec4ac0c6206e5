import { httpErrors } from '../../errors.js';
import { type ClientQuota, type Limits, OWN_LIMITS } from '../../limits/limits.js';
import type { QuotaBounds, Refusal } from '../../limits/quota.js';
import type { HttpEvents } from '../http-events.js';
import { RETRY_SOON, RequestError, stoppingError } from './request-error.js';

/** A client's share of its streams once streams are scarce (D13). */
const SCARCE_SHARE = 0.1;

export function scarceStreams(perClient: number): number {
  return Math.ceil(perClient * SCARCE_SHARE);
}

export interface OpenStream {
  /** Ends without an event, unless one is being sent. */
  end(): void;
}

/** Bounds and ends open streams (D13). */
export class OpenStreams {
  readonly #maxPerClient: number;
  readonly #quota: ClientQuota;
  readonly #open = new Set<OpenStream>();
  readonly #events: HttpEvents | undefined;
  #isEnding = false;

  constructor(bounds: QuotaBounds, events?: HttpEvents, counting: Limits = OWN_LIMITS) {
    this.#events = events;
    this.#maxPerClient = bounds.perClient;
    this.#quota = counting.quota('open-stream', bounds);
  }

  /**
   * Counts a client's stream, made by `open`, until `close`. Rejects with 429 or 503.
   */
  async open<S extends OpenStream>(client: string, open: () => S): Promise<S> {
    this.#refuse(await this.#quota.acquire(client));
    if (this.#isEnding) {
      this.#quota.release(client);
      throw stoppingError();
    }
    const stream = open();
    this.#open.add(stream);
    this.#events?.streamOpened();
    return stream;
  }

  #refuse(refused: Refusal | null): void {
    if (refused === 'all-taken') {
      this.#events?.limited('streams');
      throw new RequestError(httpErrors.allStreamsTaken, {}, RETRY_SOON);
    }
    if (refused === 'client-full') {
      this.#events?.limited('streams-per-client');
      throw new RequestError(httpErrors.tooManyStreams, { limit: this.#maxPerClient }, RETRY_SOON);
    }
  }

  /** Must be called once. */
  close(client: string, stream: OpenStream): void {
    this.#quota.release(client);
    this.#open.delete(stream);
    this.#events?.streamClosed();
  }

  endAll(): void {
    this.#isEnding = true;
    for (const stream of this.#open) stream.end();
  }
}
