import { createHash } from 'node:crypto';
import { BoundedMap, type Clock } from 'mayfly-inbox/plugin';
import type { Answer } from 'mayfly-plugins-shared/sending/answer';
import { refuse } from 'mayfly-plugins-shared/sending/problem';

/** How long Resend keeps keys (resend.com/docs/dashboard/emails/idempotency-keys). */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const MAX_KEY_LENGTH = 256;

/** Maximum size of all keys and responses. A response may be large: a batch gets a sentence per rejected message. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Characters counted per entry in addition to its response, so that about ten thousand typical responses fit. */
const ENTRY_CHARS = 1_600;

interface Known {
  readonly payload: string;
  readonly until: number;
  readonly answer: Answer | null;
}

/**
 * The responses to requests with an idempotency key, in this process. A repeated request gets the same response without
 * sending. A different request with the same key is rejected, and so is any request while the first is pending.
 */
export class IdempotentRequests {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known = new BoundedMap<string, Known>(MAX_CHARS, ({ answer }) => ENTRY_CHARS + (answer?.body.length ?? 0));

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Throws a `ProblemError` for an invalid key. A rejected request may be retried with its key. */
  async take(given: string | undefined, route: string, body: Buffer, take: () => Promise<Answer>, adHoc = '') {
    if (given === undefined) return take();
    if (given === '' || given.length > MAX_KEY_LENGTH) return refuse('bad-key');
    // Different workspaces may use the same key.
    const key = `${adHoc} ${given}`;
    const now = this.#clock.monotonic();
    const payload = createHash('sha256').update(route).update('\n').update(body).digest('base64');
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) {
      if (known.payload !== payload) return refuse('key-reused');
      return known.answer ?? refuse('key-in-use');
    }
    const begun: Known = { payload, until: now + KEPT_MS, answer: null };
    this.#known.set(key, begun);
    // Newer keys may have evicted this entry, and a later request may have added another under the same key.
    const isKnown = () => this.#known.get(key) === begun;
    try {
      const answer = await take();
      if (isKnown()) this.#known.set(key, { ...begun, answer });
      return answer;
    } catch (error) {
      if (isKnown()) this.#known.delete(key);
      throw error;
    }
  }
}
