import { httpErrors } from '../errors.js';
import { type SlotBounds, Slots } from '../limits/slots.js';
import { RequestError, retryAfter } from './request-error.js';

/** After how long a client that found no free stream may try again; streams last 30 s at most. */
const RETRY_MS = 1_000;

/** Which streams are open, so that they can be bounded and ended (D13). */
export class OpenStreams {
  readonly #maxPerClient: number;
  readonly #slots: Slots;
  readonly #open = new Set<AbortController>();

  constructor(bounds: SlotBounds) {
    this.#maxPerClient = bounds.perClient;
    this.#slots = new Slots(bounds);
  }

  /**
   * Counts one more stream of a client until `close` is called. Its signal is aborted then, and when all streams are to end.
   * Throws 429 when the client has too many, 503 when all are taken.
   */
  open(client: string): { readonly signal: AbortSignal; close(): void } {
    const free = this.#slots.take(client);
    if (free === 'all-taken') throw new RequestError(httpErrors.allStreamsTaken, {}, retryAfter(RETRY_MS));
    if (free === 'client-full') {
      throw new RequestError(httpErrors.tooManyStreams, { limit: this.#maxPerClient }, retryAfter(RETRY_MS));
    }
    const controller = new AbortController();
    this.#open.add(controller);
    const close = () => {
      free();
      this.#open.delete(controller);
      controller.abort();
    };
    return { signal: controller.signal, close };
  }

  /** Ends every stream that is open. */
  endAll(): void {
    for (const controller of this.#open) controller.abort();
  }
}
