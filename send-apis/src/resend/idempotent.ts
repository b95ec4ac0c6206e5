import { createHash } from 'node:crypto';
import type { Clock } from '../../../server/dist/extension/extension.js';
import type { Answer } from '../answer.js';
import { refuse } from '../problem.js';

/** resend.com/docs/dashboard/emails/idempotency-keys */
const KEPT_MS = 24 * 60 * 60 * 1_000;

const MAX_KEY_LENGTH = 256;

/** Of all clients; the oldest is forgotten first. */
const MAX_KEYS = 10_000;

interface Known {
  readonly payload: string;
  readonly until: number;
  answer: Answer | null;
}

/**
 * The answers to requests with an idempotency key, in this process. The same request is answered again without
 * sending; another one with its key, or one while the first is not answered, is refused.
 */
export class IdempotentRequests {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws a `ProblemError` for a key that cannot be used. A refused request may be tried again with its key. */
  async take(key: string | undefined, route: string, body: Buffer, take: () => Promise<Answer>): Promise<Answer> {
    if (key === undefined) return take();
    if (key === '' || key.length > MAX_KEY_LENGTH) return refuse('bad-key');
    const now = this.#clock.monotonic();
    const payload = createHash('sha256').update(route).update('\n').update(body).digest('base64');
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) {
      if (known.payload !== payload) return refuse('key-reused');
      return known.answer ?? refuse('key-in-use');
    }
    const entry: Known = { payload, until: now + KEPT_MS, answer: null };
    this.#keep(key, entry);
    try {
      entry.answer = await take();
      return entry.answer;
    } catch (error) {
      if (this.#known.get(key) === entry) this.#known.delete(key);
      throw error;
    }
  }

  #keep(key: string, entry: Known): void {
    this.#known.delete(key);
    this.#known.set(key, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEYS && oldest !== undefined) this.#known.delete(oldest);
  }
}
