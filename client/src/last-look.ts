import type { Calls } from './calls.js';
import { Contents } from './contents.js';
import type { Deadline } from './deadline.js';
import { type ReceivedEmail, receivedEmail } from './email.js';
import { MayflyError } from './errors.js';
import { MAX_NAMED, type Seen } from './explain.js';
import type { InboxApi } from './inbox-api.js';
import { retried } from './retry.js';
import { nullIfGone } from './search.js';
import type { EmailSummary } from './wire.js';

/** How many bytes of messages are read, newest first, to explain why none of them was the one. */
const MAX_EXPLAINED_BYTES = 2 ** 22;

/** What is in an inbox when a wait is about to end in vain. Whatever was read by then counts. */
export class LastLook {
  readonly #api: InboxApi;
  readonly #calls: Calls;
  readonly #emails: ReceivedEmail[] = [];
  #summaries: readonly EmailSummary[] | null = null;
  #domains: readonly string[] | null = null;
  #trouble: MayflyError | null = null;

  constructor(api: InboxApi, calls: Calls) {
    this.#api = api;
    this.#calls = calls;
  }

  /** What was seen, or the error that kept it from being read; `trouble` is the one of the wait itself, which tells more. */
  seen(trouble: MayflyError | null): Seen | MayflyError {
    const summaries = this.#summaries;
    if (summaries === null) return trouble ?? this.#trouble ?? new MayflyError('There was no time for it.');
    return { summaries, emails: this.#emails, domains: this.#domains };
  }

  /** Never rejects. */
  async run(deadline: Deadline): Promise<void> {
    const { signal } = deadline;
    try {
      this.#summaries = await retried(deadline, () => this.#api.summaries({}, signal));
      if (this.#summaries.length === 0) this.#domains = await this.#calls.domains(signal);
      else await this.#readNewest(this.#summaries, signal);
    } catch (error) {
      this.#trouble = error as MayflyError;
    }
  }

  async #readNewest(summaries: readonly EmailSummary[], signal: AbortSignal): Promise<void> {
    let bytes = 0;
    const newest = summaries.slice(0, MAX_NAMED).filter(({ size }) => {
      bytes += size;
      return bytes <= MAX_EXPLAINED_BYTES;
    });
    const read = await Promise.all(newest.map(({ receivedAt }) => nullIfGone(this.#api.email(receivedAt, signal))));
    for (const email of read) {
      if (email !== null)
        this.#emails.push(receivedEmail(email, new Contents(this.#api, this.#calls, email.receivedAt)));
    }
  }
}
