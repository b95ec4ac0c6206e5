import type { Calls } from './calls.js';
import { Contents } from './contents.js';
import type { ReceivedEmail } from './email.js';
import { MayflyGoneError } from './errors.js';
import { isMatch, type KnownEmail, knownMismatches } from './filter.js';
import type { InboxApi } from './inbox-api.js';
import { receivedEmail } from './received-email.js';
import { isSelectedByServer, queryOf, type Wanted } from './wanted.js';
import type { Email, EmailSummary } from './wire.js';

/** How many summaries are listed at once: 200 KB at the most. */
const PAGE_SIZE = 200;

/** How many messages are read at once, of which each may be large. */
const READ_AT_ONCE = 4;

/** Where a list has more emails than this, all of them are fetched in one go. */
const MAX_READ_SINGLY = 20;

/** What a look at an inbox has found. */
export interface Found {
  /** Newest first. */
  readonly emails: readonly ReceivedEmail[];
  /** All up to here has been looked at, where no more was found than was asked for; undefined where nothing is there. */
  readonly upTo: Date | undefined;
}

/**
 * Looks for the emails of an inbox that are wanted. Summaries tell which may be, only those messages are read, and none of them twice.
 * The limited fetch is left alone (D26).
 */
export class Search {
  readonly #api: InboxApi;
  readonly #calls: Calls;
  readonly #wanted: Wanted;
  /** Those that were read and are wanted, by their `receivedAt`; null for those that are not. */
  readonly #judged = new Map<string, ReceivedEmail | null>();

  constructor(api: InboxApi, calls: Calls, wanted: Wanted) {
    this.#api = api;
    this.#calls = calls;
    this.#wanted = wanted;
  }

  /** Those that were received after a moment, at most so many, the newest ones. */
  async find(after: Date | undefined, most: number, signal: AbortSignal): Promise<Found> {
    const query = queryOf(this.#wanted, after);
    const limit = isSelectedByServer(this.#wanted) ? Math.min(most, PAGE_SIZE) : PAGE_SIZE;
    const emails: ReceivedEmail[] = [];
    let upTo: Date | undefined;
    let before: string | undefined;
    for (;;) {
      const page = await this.#api.summaries({ ...query, limit, before }, signal);
      upTo ??= page[0] && new Date(page[0].receivedAt);
      await this.#read(page, emails, most, signal);
      before = page.at(-1)?.receivedAt;
      if (page.length < limit || emails.length >= most) return { emails, upTo };
    }
  }

  /** All that are wanted, newest first: one by one where they are few, and otherwise by the fetch. */
  async all(signal: AbortSignal): Promise<ReceivedEmail[]> {
    const query = queryOf(this.#wanted, this.#wanted.after);
    const listed = await this.#api.summaries({ ...query, limit: MAX_READ_SINGLY + 1 }, signal);
    const emails: ReceivedEmail[] = [];
    if (listed.length <= MAX_READ_SINGLY) {
      await this.#read(listed, emails, MAX_READ_SINGLY, signal);
      return emails;
    }
    for (const email of await this.#api.emails(query, signal)) {
      const judged = await this.judge(email, signal);
      if (judged !== null) emails.push(judged);
    }
    return emails;
  }

  /** The email when it is wanted, and otherwise null. */
  async judge(email: Email, signal: AbortSignal): Promise<ReceivedEmail | null> {
    const known = this.#judged.get(email.receivedAt);
    if (known !== undefined) return known;
    const contents = new Contents(this.#api, this.#calls, email.receivedAt);
    const received = receivedEmail(email, contents);
    const { after, filter, condition } = this.#wanted;
    const isLate = after === undefined || received.receivedAt > after;
    const isWanted =
      isLate && isMatch(filter, received) && (await nullIfGone(condition?.holds(contents, signal) ?? true)) === true;
    const judged = isWanted ? received : null;
    this.#judged.set(email.receivedAt, judged);
    return judged;
  }

  /** Adds those of a page that are wanted, until there are so many. */
  async #read(
    page: readonly EmailSummary[],
    emails: ReceivedEmail[],
    most: number,
    signal: AbortSignal,
  ): Promise<void> {
    const likely = page.filter((summary) => knownMismatches(this.#wanted.filter, known(summary)).length === 0);
    while (likely.length > 0 && emails.length < most) {
      const share = likely.splice(0, Math.min(READ_AT_ONCE, most - emails.length));
      const judged = await Promise.all(share.map(({ receivedAt }) => this.#judgeAt(receivedAt, signal)));
      emails.push(...judged.filter((email) => email !== null));
    }
  }

  async #judgeAt(receivedAt: string, signal: AbortSignal): Promise<ReceivedEmail | null> {
    const judged = this.#judged.get(receivedAt);
    if (judged !== undefined) return judged;
    const email = await nullIfGone(this.#api.email(receivedAt, signal));
    return email && this.judge(email, signal);
  }
}

/** An email may expire or be deleted after it was listed. */
export async function nullIfGone<T>(asked: T | Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof MayflyGoneError) return null;
    throw error;
  }
}

/** What a summary tells for sure: a field that is cut tells nothing. */
export function known({ cut, from, subject, otp, magicLink }: EmailSummary): KnownEmail {
  const fields = { from, subject, otp, magicLink };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !cut.some((one) => one === name)));
}
