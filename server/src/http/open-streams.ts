import { httpErrors } from '../errors.js';
import { type SlotBounds, Slots } from '../limits/slots.js';
import type { HttpEvents } from './http-events.js';
import { RequestError, retryAfter } from './request-error.js';

/** After how long a client that found no free stream may try again; streams last 30 s at most. */
const RETRY_MS = 1_000;

/** A stream that is open. */
export interface OpenStream {
  /** Ends it without an event, unless it is sending one. */
  end(): void;
}

/** Which streams are open, so that they can be bounded and ended (D13). */
export class OpenStreams {
  readonly #maxPerClient: number;
  readonly #slots: Slots;
  readonly #open = new Set<OpenStream>();
  readonly #events: HttpEvents | undefined;

  /** `events` is left out where nobody counts. */
  constructor(bounds: SlotBounds, events?: HttpEvents) {
    this.#events = events;
    this.#maxPerClient = bounds.perClient;
    this.#slots = new Slots(bounds);
  }

  /**
   * Counts one more stream of a client, which `open` makes, until it is closed. Throws 429 when the client has too many, 503 when
   * all are taken.
   */
  open<S extends OpenStream>(client: string, open: () => S): S {
    const refused = this.#slots.hold(client);
    if (refused === 'all-taken') {
      this.#events?.limited('streams');
      throw new RequestError(httpErrors.allStreamsTaken, {}, retryAfter(RETRY_MS));
    }
    if (refused === 'client-full') {
      this.#events?.limited('streams-per-client');
      throw new RequestError(httpErrors.tooManyStreams, { limit: this.#maxPerClient }, retryAfter(RETRY_MS));
    }
    const stream = open();
    this.#open.add(stream);
    this.#events?.streamOpened();
    return stream;
  }

  /** A client's stream is closed. To be called once. */
  close(client: string, stream: OpenStream): void {
    this.#slots.free(client);
    this.#open.delete(stream);
    this.#events?.streamClosed();
  }

  /** Ends every stream that is open. */
  endAll(): void {
    for (const stream of this.#open) stream.end();
  }
}
