import { type Deadline, sleep } from './deadline.js';
import { type ReceivedEmail, receivedEmail } from './email.js';
import { type MayflyError, MayflyResponseError } from './errors.js';
import { type EmailFilter, isMatch, serverFilter } from './filter.js';
import type { InboxApi, SelectionQuery } from './inbox-api.js';
import { isPassing, pauseMs } from './retry.js';

/** A stream that ends sooner than this and brings nothing is none: a server's lasts 30 s (interface section 8). */
const SHORTEST_STREAM_MS = 100;

/** Which emails of an inbox. */
export interface Selection {
  readonly filter: EmailFilter;
  /** Only what was received later counts. */
  readonly after: Date | undefined;
}

/** Which emails of which inbox. */
export interface Wanted extends Selection {
  readonly address: string;
}

/** The query that has the server select what is wanted, as far as it can. */
export function queryOf({ filter, after }: Selection): SelectionQuery {
  return { ...serverFilter(filter), ...(after && { after: after.toISOString() }) };
}

/** Those of the listed emails that are wanted, in their order. */
export function wantedOf(emails: readonly ReceivedEmail[], { filter, after }: Selection): ReceivedEmail[] {
  return emails.filter((email) => !(after && email.receivedAt <= after) && isMatch(filter, email));
}

/**
 * Watches an inbox for emails that are wanted and sees each of them once, in as many streams as it takes.
 *
 * Its cursor is the `receivedAt` up to which everything has been looked at. A stream gives only the newest email after it, so
 * where that does not end the wait, a list gives the others too before the cursor moves past them. Where a stream fails, a list
 * finds what it would have brought; if no stream gets through at all, that is polling.
 */
export class Watch {
  /** What has come, newest first. */
  readonly found: ReceivedEmail[] = [];
  /** What went wrong last, if anything did. */
  trouble: MayflyError | null = null;
  readonly #api: InboxApi;
  readonly #filter: EmailFilter;
  #cursor: Date | undefined;

  constructor(api: InboxApi, { filter, after }: Wanted) {
    this.#api = api;
    this.#filter = filter;
    this.#cursor = after;
  }

  /**
   * Resolves to true when at least so many emails have come, and to false when the deadline is over. Rejects with a
   * `MayflyError` that trying again does not mend, and with what the filter's `where` throws.
   */
  async until(count: number, deadline: Deadline): Promise<boolean> {
    let failures = 0;
    while (this.found.length < count && !deadline.isOver) {
      if (failures > 0) await sleep(pauseMs(failures, this.trouble), deadline.signal);
      failures = (await this.#turn(count, deadline)) ? 0 : failures + 1;
    }
    return this.found.length >= count;
  }

  /** One stream, and a list where the stream does not settle it. Resolves to whether both went well. */
  async #turn(count: number, deadline: Deadline): Promise<boolean> {
    const heard = await this.#listen(deadline);
    if (heard === 'nothing' || deadline.isOver) return true;
    if (heard !== 'failure' && count === 1 && isMatch(this.#filter, heard)) {
      this.#take([heard]);
      return true;
    }
    const listed = await this.#list(deadline);
    if (listed === 'failure') return false;
    this.#take(listed);
    if (heard === 'failure') return false;
    // The list holds it already, unless it has expired since.
    this.#take([heard]);
    return true;
  }

  /** The newest email after the cursor, from a stream. */
  async #listen(deadline: Deadline): Promise<ReceivedEmail | 'nothing' | 'failure'> {
    const openedAt = performance.now();
    try {
      const next = await this.#api.next(this.#query(), deadline.signal);
      const email = next && receivedEmail(next);
      const isPlausible = email ? this.#isNew(email) : performance.now() - openedAt >= SHORTEST_STREAM_MS;
      if (!isPlausible) throw new MayflyResponseError('The stream is not one of Mayfly.', 200);
      return email ?? 'nothing';
    } catch (error) {
      // Whatever ails the stream, the list tells whether it is final: behind some proxies there are no streams.
      return this.#failure(error, deadline);
    }
  }

  /** All emails after the cursor, newest first. */
  async #list(deadline: Deadline): Promise<ReceivedEmail[] | 'failure'> {
    try {
      return (await this.#api.emails(this.#query(), deadline.signal)).map(receivedEmail);
    } catch (error) {
      if (!deadline.isOver && !isPassing(error)) throw error;
      return this.#failure(error, deadline);
    }
  }

  #failure(error: unknown, deadline: Deadline): 'failure' {
    // When the deadline is over, that is what ended the request.
    if (!deadline.isOver) this.trouble = error as MayflyError;
    return 'failure';
  }

  #query(): SelectionQuery {
    return queryOf({ filter: this.#filter, after: this.#cursor });
  }

  #isNew({ receivedAt }: ReceivedEmail): boolean {
    return this.#cursor === undefined || receivedAt > this.#cursor;
  }

  /** Looks at emails, newest first, and moves the cursor past them. Nothing older than the first may be left unseen. */
  #take(emails: readonly ReceivedEmail[]): void {
    const fresh = emails.filter((email) => this.#isNew(email));
    this.found.unshift(...fresh.filter((email) => isMatch(this.#filter, email)));
    this.#cursor = fresh[0]?.receivedAt ?? this.#cursor;
  }
}
