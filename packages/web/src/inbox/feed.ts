import { type EmailSummary, MayflyNetworkError } from 'mayfly-client';
import type { InboxApi, SummaryQuery } from 'mayfly-client/api';
import { isPassing, pauseMs, retried, SHORTEST_STREAM_MS } from 'mayfly-client/retry';
import { pause } from '../ui/until.js';
import { type BoxEvent, MAX_MAILS } from './box.js';
import { mailOf } from './mail.js';
import type { Pace } from './pace.js';

/** So many emails are listed first: more than any screen shows. */
const FIRST_PAGE = 100;

/** So many are listed at once after that: up to 2.5 MB. */
const PAGE = 2_500;

/**
 * How far apart lists of new mail are. The gap doubles while mail comes faster than `FLOOD_MS`, so a flood costs one
 * list a second, and leaves the limit of looks to others of the same address. Slower mail is listed right away.
 */
const SHORTEST_GAP_MS = 125;
const LONGEST_GAP_MS = 1_000;
const FLOOD_MS = 1_000;

/** A stream has heartbeats this far apart (interface section 8): one that was open for longer has begun. */
const HEARTBEAT_MS = 10_000;

/**
 * What comes into an inbox, as it comes. A stream tells that an email has come; a list of summaries then gives it, and
 * those that came with it. So an email goes over the wire once, and what the page keeps of it is small. No stream tells
 * what was deleted, so after one that was silent to its end the newest emails are listed again.
 */
export class Feed {
  readonly #inbox: InboxApi;
  readonly #pace: Pace;
  readonly #tell: (event: BoxEvent) => void;
  readonly #onAway: () => void;
  /** All emails up to here were given. */
  #listedUpTo: string | undefined;
  /** Whether all emails before that were given, or as many as are kept. */
  #isWhole = false;

  /** `onAway` hears of each list that was not answered, and of each stream that fell silent. */
  constructor(inbox: InboxApi, pace: Pace, tell: (event: BoxEvent) => void, onAway: () => void) {
    this.#inbox = inbox;
    this.#pace = pace;
    this.#tell = tell;
    this.#onAway = onAway;
  }

  /**
   * Gives what is there, even if that is nothing; then what comes, and what is older, until the signal is aborted.
   * Rejects then, and with a `MayflyError` that trying again does not mend; the signal is to be aborted after that too.
   */
  async run(signal: AbortSignal): Promise<void> {
    const known = this.#listedUpTo;
    const first = await this.#list({ limit: FIRST_PAGE }, signal);
    // What came since the last run may be more than a page.
    this.#isWhole = first.length < FIRST_PAGE || (this.#isWhole && reaches(first, known));
    this.#giveNewest(first);
    await Promise.all([this.#listen(signal), this.#fillBack(first.at(-1)?.receivedAt, signal)]);
  }

  #giveNewest(newest: readonly EmailSummary[]): void {
    this.#listedUpTo = newest[0]?.receivedAt ?? this.#listedUpTo;
    this.#tell({ type: 'listed', mails: newest.map(mailOf), isWhole: newest.length < FIRST_PAGE });
  }

  async #listen(signal: AbortSignal): Promise<never> {
    let listedAt = performance.now();
    let gapMs = SHORTEST_GAP_MS;
    for (let failures = 0; ; ) {
      failures = (await this.#hear(failures, signal)) ? 0 : failures + 1;
      const quietMs = performance.now() - listedAt;
      gapMs = quietMs > FLOOD_MS ? SHORTEST_GAP_MS : Math.min(gapMs * 2, LONGEST_GAP_MS);
      if (quietMs < gapMs) await pause(gapMs - quietMs, signal);
      listedAt = performance.now();
      // Where no stream gets through at all, this is polling.
      const mails = await this.#list({ after: this.#listedUpTo, limit: MAX_MAILS }, signal);
      this.#listedUpTo = mails[0]?.receivedAt ?? this.#listedUpTo;
      if (mails.length > 0) this.#tell({ type: 'came', mails: mails.map(mailOf) });
    }
  }

  /** Resolves when an email has come, to true, or when no stream tells whether one has. */
  async #hear(failures: number, signal: AbortSignal): Promise<boolean> {
    if (failures > 0) await pause(pauseMs(failures, null), signal);
    let openedAt = 0;
    try {
      for (;;) {
        openedAt = performance.now();
        if ((await this.#inbox.next({ after: this.#listedUpTo }, signal)) !== null) return true;
        if (performance.now() - openedAt < SHORTEST_STREAM_MS) return false;
        const newest = await this.#inbox.summaries({ limit: FIRST_PAGE }, signal);
        // Where more than a page has come just now, the next stream tells of it.
        if (newest.length < FIRST_PAGE || reaches(newest, this.#listedUpTo)) this.#giveNewest(newest);
      }
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      // A stream that ends early may be a proxy's doing: the list that follows tells whether the service is there.
      if (isTimeout(error) && performance.now() - openedAt > HEARTBEAT_MS) this.#onAway();
      return false;
    }
  }

  async #fillBack(from: string | undefined, signal: AbortSignal): Promise<void> {
    let before = from;
    for (let listed = FIRST_PAGE; !this.#isWhole && listed < MAX_MAILS; listed += PAGE) {
      await pause(this.#pace.waitMs(performance.now()), signal);
      this.#pace.take(performance.now());
      const mails = await this.#list({ before, limit: PAGE }, signal);
      this.#isWhole = mails.length < PAGE || listed + PAGE >= MAX_MAILS;
      before = mails.at(-1)?.receivedAt ?? before;
      this.#tell({ type: 'older', mails: mails.map(mailOf), isWhole: this.#isWhole });
    }
  }

  /** A list, tried until it is there. */
  #list(page: SummaryQuery, signal: AbortSignal): Promise<EmailSummary[]> {
    return retried(signal, () =>
      this.#inbox.summaries(page, signal).catch((error) => {
        if (!signal.aborted && error instanceof MayflyNetworkError) this.#onAway();
        throw error;
      }),
    );
  }
}

/** Whether the client gave up a request because nothing of its answer came. */
function isTimeout(error: unknown): boolean {
  return error instanceof MayflyNetworkError && (error.cause as Error | undefined)?.name === 'AbortError';
}

/** Whether a list goes back to an email of that time, so that there is none between that it leaves out. */
function reaches(listed: readonly EmailSummary[], receivedAt: string | undefined): boolean {
  const oldest = listed.at(-1)?.receivedAt;
  return receivedAt !== undefined && oldest !== undefined && oldest <= receivedAt;
}
