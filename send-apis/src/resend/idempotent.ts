import { createHash } from 'node:crypto';
import type { Clock } from '../../../server/dist/extension/extension.js';
import type { Answer } from '../answer.js';
import { refuse } from '../problem.js';

/** resend.com/docs/dashboard/emails/idempotency-keys */
const KEPT_MS = 24 * 60 * 60 * 1_000;

const MAX_KEY_LENGTH = 256;

/** Of all clients; the oldest is forgotten first. */
const MAX_KEYS = 10_000;

/** Of all answers: that to a batch holds a sentence for each mail of it that was refused. */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

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
  #chars = 0;

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
      const answer = await take();
      entry.answer = answer;
      if (this.#known.get(key) === entry) this.#hold(answer);
      return answer;
    } catch (error) {
      if (this.#known.get(key) === entry) this.#forget(key);
      throw error;
    }
  }

  #keep(key: string, entry: Known): void {
    this.#forget(key);
    this.#known.set(key, entry);
    if (this.#known.size > MAX_KEYS) this.#forgetOldest();
  }

  #hold({ body }: Answer): void {
    this.#chars += body.length;
    while (this.#chars > MAX_ANSWER_CHARS) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget(key: string): void {
    this.#chars -= this.#known.get(key)?.answer?.body.length ?? 0;
    this.#known.delete(key);
  }
}
