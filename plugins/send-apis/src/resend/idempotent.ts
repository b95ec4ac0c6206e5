import { createHash } from 'node:crypto';
import { BoundedMap, type Clock } from 'mayfly-inbox/plugin';
import type { Answer } from '../answer.js';
import { refuse } from '../problem.js';

/** resend.com/docs/dashboard/emails/idempotency-keys */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const MAX_KEY_LENGTH = 256;

/** Maximum size of all keys and answers. The answer to a batch has a sentence for each refused message. */
const MAX_CHARS = 16 * 1024 * 1024;

/** The size of a key in addition to its answer: about ten thousand usual answers fit. */
const ENTRY_CHARS = 1_600;

interface Known {
  readonly payload: string;
  readonly until: number;
  readonly answer: Answer | null;
}

/**
 * The answers to requests with an idempotency key, in this process. A repeated request gets the same answer without
 * sending. A different request with the same key is refused, as is one while the first is unanswered.
 */
export class IdempotentRequests {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known = new BoundedMap<string, Known>(MAX_CHARS, ({ answer }) => ENTRY_CHARS + (answer?.body.length ?? 0));

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Throws a `ProblemError` for a key that cannot be used. A refused request may be tried again with its key. */
  async take(given: string | undefined, route: string, body: Buffer, take: () => Promise<Answer>, space = '') {
    if (given === undefined) return take();
    if (given === '' || given.length > MAX_KEY_LENGTH) return refuse('bad-key');
    // In two workspaces, the same key counts as two keys.
    const key = `${space} ${given}`;
    const now = this.#clock.monotonic();
    const payload = createHash('sha256').update(route).update('\n').update(body).digest('base64');
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) {
      if (known.payload !== payload) return refuse('key-reused');
      return known.answer ?? refuse('key-in-use');
    }
    const begun: Known = { payload, until: now + KEPT_MS, answer: null };
    this.#known.set(key, begun);
    // It may have been evicted by newer ones meanwhile, and even begun again.
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
