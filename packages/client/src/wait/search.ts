import type { Email, EmailSummary } from 'mayfly-protocol/wire';
import { SHORTEST_STREAM_MS } from './bounds.js';
import type { Calls } from './calls.js';
import { MayflyGoneError } from './errors.js';
import { isAllServers, isLater, knownMismatches, mismatches, queryOf, type Wanted } from './filter.js';
import type { InboxApi } from './inbox-api.js';
import { now } from './real-time.js';
import { type LoadableEmail, receivedEmail } from './received-email.js';

/** If a list has more emails than this, one fetch reads all of them. */
const MAX_READ_SINGLY = 20;
const READ_AT_ONCE = 4;

const PAGE_SIZE = 200;

export interface Found {
  readonly emails: LoadableEmail[];
  /** The newest listed email's time, from which a later search continues; undefined if the list was empty. */
  readonly upTo: Date | undefined;
}

/** Finds an inbox's wanted emails. Reads only those with a matching summary, because fetches are limited (D26). */
export class Search {
  readonly api: InboxApi;
  readonly #calls: Calls;
  readonly #wanted: Wanted;
  /** Emails already read, by `receivedAt`; null if the email is not wanted. */
  readonly judged = new Map<string, LoadableEmail | null>();

  constructor(api: InboxApi, calls: Calls, wanted: Wanted) {
    this.api = api;
    this.#calls = calls;
    this.#wanted = wanted;
  }

  /** The newest email later than `after`, or the next; null after 30 s. The server filters only as far as it can. */
  next(after: Date | undefined, signal: AbortSignal): Promise<Email | null> {
    const openedAt = now();
    return this.api.next(queryOf(this.#wanted, after), signal, (email) =>
      email ? isLater(email, after) : now() - openedAt >= SHORTEST_STREAM_MS,
    );
  }

  async find(most: number, signal: AbortSignal, after = this.#wanted.after): Promise<Found> {
    const query = queryOf(this.#wanted, after);
    const { filter, condition } = this.#wanted;
    const limit = isAllServers(filter) && !condition ? Math.min(most, PAGE_SIZE) : PAGE_SIZE;
    const emails: LoadableEmail[] = [];
    let upTo: Date | undefined;
    let before: string | undefined;
    for (;;) {
      const page = await this.api.summaries({ ...query, limit, before }, signal);
      upTo ??= page[0] && new Date(page[0].receivedAt);
      await this.#read(page, emails, most, signal);
      before = page.at(-1)?.receivedAt;
      if (page.length < limit || emails.length >= most) return { emails, upTo };
    }
  }

  /** All matching emails, newest first. Reads a few emails one by one, and more with one fetch. */
  async all(signal: AbortSignal): Promise<LoadableEmail[]> {
    const query = queryOf(this.#wanted);
    const listed = await this.api.summaries({ ...query, limit: MAX_READ_SINGLY + 1 }, signal);
    const emails: LoadableEmail[] = [];
    if (listed.length <= MAX_READ_SINGLY) {
      await this.#read(listed, emails, MAX_READ_SINGLY, signal);
      return emails;
    }
    return present((await this.api.emails(query, signal)).map((email) => this.judge(email, signal)));
  }

  async judge(seen: Email | EmailSummary, signal: AbortSignal): Promise<LoadableEmail | null> {
    const known = this.judged.get(seen.receivedAt);
    if (known !== undefined) return known;
    const email = 'rawBody' in seen ? seen : await nullIfGone(this.api.email(seen.receivedAt, signal));
    if (email === null) return null;
    const received = receivedEmail(email, this.api, this.#calls);
    const judged = (await this.#isWanted(received, signal)) ? received : null;
    this.judged.set(email.receivedAt, judged);
    return judged;
  }

  async #isWanted(email: LoadableEmail, signal: AbortSignal): Promise<boolean> {
    const { after, filter, condition } = this.#wanted;
    if (!isLater(email, after) || mismatches(filter, email).length > 0) return false;
    if (!condition) return true;
    const parts = await nullIfGone(email.load(signal));
    return parts !== null && condition.pick(parts, email) !== undefined;
  }

  async #read(page: EmailSummary[], emails: LoadableEmail[], most: number, signal: AbortSignal): Promise<void> {
    const likely = page.filter((summary) => knownMismatches(this.#wanted.filter, summary).length === 0);
    while (likely.length > 0 && emails.length < most) {
      const share = likely.splice(0, Math.min(READ_AT_ONCE, most - emails.length));
      emails.push(...(await present(share.map((summary) => this.judge(summary, signal)))));
    }
  }
}

/** Resolves to null if the email expired or was deleted after it was listed. */
export function nullIfGone<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error) => {
    if (error instanceof MayflyGoneError) return null;
    throw error;
  });
}

async function present<T>(asked: readonly Promise<T | null>[]): Promise<T[]> {
  return (await Promise.all(asked)).filter((email) => email !== null);
}
