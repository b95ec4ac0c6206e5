import { type EmailSummary, MayflyNetworkError } from 'mayfly-client';
import type { InboxApi, SummaryQuery } from 'mayfly-client/api';
import { isPassing, pauseMs, retried, SHORTEST_STREAM_MS } from 'mayfly-client/retry';
import { useMemo, useReducer, useState } from 'preact/hooks';
import { inboxApi, type Reach } from '../service.js';
import { pause, useUntil } from '../ui/until.js';
import { type Box, type BoxEvent, boxAfter, emptyBox } from './box.js';
import type { Connection } from './connection.js';
import { useDeletions } from './deletion.js';
import { mailOf } from './mail.js';
import { Pace } from './pace.js';
import { useWatching } from './use-watching.js';

/** Maximum number of emails that the page keeps (the newest ones). They take about 10 MB of memory. */
const MAX_MAILS = 10_000;

/** The limit for lists of older emails: a quarter of the standard fetch limit. */
const LIST_LIMIT = { count: 5, windowMs: 10_000 };

/** A list of emails, and the connection that keeps it up to date. */
export interface Feed {
  readonly connection: Connection;
  readonly box: Box;
  /** Why the list cannot be read. */
  readonly error: Error | null;
  tell(event: BoxEvent): void;
  /** Reconnects now. */
  retry(): void;
  /** Lists the emails of a page. */
  readOn?(cursor: string): void;
}

export function useBox(name: string): Feed {
  const [reach, setReach] = useState<Reach>('answered');
  const [box, tell] = useReducer(boxAfter, emptyBox(MAX_MAILS));
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const isWatching = useWatching();
  const feed = useMemo(() => new InboxFeed(inboxApi(name, setReach), tell, () => setReach('away')), [name]);

  useUntil([feed, isWatching, attempt], (signal, end) => {
    if (!isWatching) return;
    setError(null);
    feed.run(signal).catch((reason: Error) => {
      if (signal.aborted) return;
      end();
      setError(reason);
    });
  });

  const retry = () => setAttempt((last) => last + 1);
  useUntil([], (signal) => {
    // Also checks the service when offline, because a service on this machine stays reachable without a network.
    addEventListener('offline', retry, { signal });
    addEventListener('online', retry, { signal });
  });
  useDeletions(name, tell, retry);

  const connection = connectionOf(reach, box, isWatching);
  return { connection, box, error, tell, retry };
}

function connectionOf(reach: Reach, { mails }: Box, isWatching: boolean): Connection {
  if (!isWatching) return 'resting';
  if (reach !== 'answered') return reach;
  return mails === null ? 'connecting' : 'live';
}

/** The size of the first page: more emails than any screen shows. */
const FIRST_PAGE = 100;

/** The page size of older emails: up to 2.5 MB. */
const PAGE = 2_500;

/**
 * The gap between list requests doubles while mail arrives faster than once per `FLOOD_MS`. So a flood costs one
 * request a second, which leaves most of the read limit to other clients with the same IP address.
 */
const SHORTEST_GAP_MS = 125;
const LONGEST_GAP_MS = 1_000;
const FLOOD_MS = 1_000;

/** The interval of heartbeats (interface section 8). A stream that was open for longer has sent at least one. */
const HEARTBEAT_MS = 10_000;

/**
 * Follows an inbox. When a stream reports new mail, lists the new summaries. Streams do not report deletions, so after
 * each stream that ends without new mail, lists the newest emails again.
 */
class InboxFeed {
  readonly #inbox: InboxApi;
  readonly #pace = new Pace(LIST_LIMIT, 1);
  readonly #tell: (event: BoxEvent) => void;
  readonly #onAway: () => void;
  #listedUpTo: string | undefined;
  /** Whether all older emails, or as many as the page keeps, were reported. */
  #isWhole = false;

  /** Calls `onAway` each time that a list request gets no answer or a stream falls silent. */
  constructor(inbox: InboxApi, tell: (event: BoxEvent) => void, onAway: () => void) {
    this.#inbox = inbox;
    this.#tell = tell;
    this.#onAway = onAway;
  }

  /**
   * Rejects once the signal is aborted, or with a `MayflyError` that a retry would not solve. After such an error, the
   * caller must abort the signal, because a part of the feed still runs.
   */
  async run(signal: AbortSignal): Promise<void> {
    const known = this.#listedUpTo;
    const first = await this.#list({ limit: FIRST_PAGE }, signal);
    // If more emails than a page holds have arrived since the last run, those between the page and `known` are missing.
    this.#isWhole = first.length < FIRST_PAGE || (this.#isWhole && reaches(first, known));
    this.#giveNewest(first);
    await Promise.all([this.#listen(signal), this.#fillBack(first.at(-1)?.receivedAt, signal)]);
  }

  #giveNewest(newest: readonly EmailSummary[]): void {
    this.#listedUpTo = newest[0]?.receivedAt ?? this.#listedUpTo;
    const next = newest.length < FIRST_PAGE ? null : (newest.at(-1)?.receivedAt ?? null);
    this.#tell({ type: 'listed', mails: newest.map(mailOf), next, isFilled: true });
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
      // Without a working stream, this loop polls.
      const mails = await this.#list({ after: this.#listedUpTo, limit: MAX_MAILS }, signal);
      this.#listedUpTo = mails[0]?.receivedAt ?? this.#listedUpTo;
      if (mails.length > 0) this.#tell({ type: 'came', mails: mails.map(mailOf) });
    }
  }

  /** Resolves to true once a stream reports an email, and to false if a stream fails. */
  async #hear(failures: number, signal: AbortSignal): Promise<boolean> {
    if (failures > 0) await pause(pauseMs(failures, null), signal);
    let openedAt = 0;
    try {
      for (;;) {
        openedAt = performance.now();
        if ((await this.#inbox.next({ after: this.#listedUpTo }, signal)) !== null) return true;
        if (performance.now() - openedAt < SHORTEST_STREAM_MS) return false;
        const newest = await this.#inbox.summaries({ limit: FIRST_PAGE }, signal);
        // Ignores a page that lacks some of the new emails, because the next stream reports them.
        if (newest.length < FIRST_PAGE || reaches(newest, this.#listedUpTo)) this.#giveNewest(newest);
      }
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      // Only silence means that the service is away. A stream that ends may have been ended by a proxy.
      if (isTimeout(error) && performance.now() - openedAt > HEARTBEAT_MS) this.#onAway();
      return false;
    }
  }

  async #fillBack(from: string | undefined, signal: AbortSignal): Promise<void> {
    let before = from;
    for (let listed = FIRST_PAGE; !this.#isWhole && listed < MAX_MAILS; listed += PAGE) {
      await this.#pace.turn(signal);
      const mails = await this.#list({ before, limit: PAGE }, signal);
      this.#isWhole = mails.length < PAGE || listed + PAGE >= MAX_MAILS;
      before = mails.at(-1)?.receivedAt ?? before;
      this.#tell({ type: 'older', mails: mails.map(mailOf), next: this.#isWhole ? null : (before ?? null) });
    }
  }

  #list(page: SummaryQuery, signal: AbortSignal): Promise<EmailSummary[]> {
    return retried(signal, () =>
      this.#inbox.summaries(page, signal).catch((error) => {
        if (!signal.aborted && error instanceof MayflyNetworkError) this.#onAway();
        throw error;
      }),
    );
  }
}

/** Whether the client aborted a request because no answer arrived in time. */
function isTimeout(error: unknown): boolean {
  return error instanceof MayflyNetworkError && (error.cause as Error | undefined)?.name === 'AbortError';
}

/** Whether a list reaches back to an email, so that no email between the two is missing. */
function reaches(listed: readonly EmailSummary[], receivedAt: string | undefined): boolean {
  const oldest = listed.at(-1)?.receivedAt;
  return receivedAt !== undefined && oldest !== undefined && oldest <= receivedAt;
}
