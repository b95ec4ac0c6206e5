import { httpErrors } from '../errors.js';
import { RequestError, retryAfter } from './request-error.js';

/** After how long a client that found no free stream may try again; streams last 30 s at most. */
const RETRY_MS = 1_000;

/** Which streams are open, so that they can be bounded and ended (design D13). */
export class OpenStreams {
  readonly #max: number;
  readonly #maxPerClient: number;
  readonly #open = new Set<AbortController>();
  readonly #clients = new Map<string, number>();

  constructor(max: number, maxPerClient: number) {
    this.#max = max;
    this.#maxPerClient = maxPerClient;
  }

  /**
   * Counts one more stream of a client until `close` is called. Its signal is aborted then, and when all streams are to end.
   * Throws 429 when the client has too many, 503 when all are taken.
   */
  open(client: string): { readonly signal: AbortSignal; close(): void } {
    const others = this.#clients.get(client) ?? 0;
    if (others >= this.#maxPerClient) {
      throw new RequestError(httpErrors.tooManyStreams, { limit: this.#maxPerClient }, retryAfter(RETRY_MS));
    }
    if (this.#open.size >= this.#max) throw new RequestError(httpErrors.allStreamsTaken, {}, retryAfter(RETRY_MS));

    const controller = new AbortController();
    this.#open.add(controller);
    this.#clients.set(client, others + 1);
    const close = () => {
      if (!this.#open.delete(controller)) return;
      const left = (this.#clients.get(client) ?? 1) - 1;
      if (left === 0) this.#clients.delete(client);
      else this.#clients.set(client, left);
      controller.abort();
    };
    return { signal: controller.signal, close };
  }

  /** Ends every stream that is open. */
  endAll(): void {
    for (const controller of this.#open) controller.abort();
  }
}
