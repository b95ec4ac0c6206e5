/** The shapes of runs of tests, as they travel between Mayfly and its clients (D68). */

import type { EmailSummary } from './wire.js';

/** `running` until the test has ended. A test that is expected to fail and does has passed. */
export type RunOutcome = 'running' | 'passed' | 'failed' | 'skipped';

/** A wait of a test that was in vain. */
export interface RunWait {
  /** The inbox that was watched: its address or its name. */
  to: string;
  /** What the wait said: what it waited for, what came, and why that did not match. At most 2,000 characters. */
  text: string;
}

/** What the fixtures tell of one test. A later report with the same `id` replaces the earlier one. */
export interface ReportedTest {
  /** Made up by the client, different for each attempt of each test: 1 to 32 of the characters `a-z`, `0-9` and `-`. */
  id: string;
  /** At most 300 characters. */
  title: string;
  outcome: RunOutcome;
  /** The inboxes that the test used, by address or name: at most 10. */
  inboxes: string[];
  /** Why it failed; null if it did not. At most 2,000 characters. */
  error: string | null;
  /** At most 5. */
  waits: RunWait[];
}

/** Body of `POST /api/run/{run}`. */
export interface RunReport {
  /** At most 100. */
  tests: ReportedTest[];
}

/** Answer of `POST /api/run/{run}`. */
export interface RunReportResponse {
  /** How many tests the run has now. */
  tests: number;
}

/** How many tests of a run have each outcome. */
export type RunCounts = Record<RunOutcome, number>;

/** Answer of `GET /api/run/{run}`: a page of the tests, in the order in which they were first reported. */
export interface RunResponse {
  /** The node that answered. Each node knows only what was reported to it. */
  node: string;
  /** The server's time. */
  now: string;
  /** How long an email is kept, in milliseconds. A run is kept as long after its last report. */
  retentionMs: number;
  counts: RunCounts;
  tests: RunTest[];
  /** Where the next page begins, for `from`; null on the last page. */
  next: number | null;
}

/** One test of a run. */
export interface RunTest extends Omit<ReportedTest, 'inboxes'> {
  /** When it was first reported. */
  begunAt: string;
  /** When it was last reported. */
  reportedAt: string;
  inboxes: RunInbox[];
}

/** An inbox of a test. */
export interface RunInbox {
  /** Its address. */
  to: string;
  /** Summaries of its newest emails, at most 10, newest first; null if they are not shown. */
  emails: EmailSummary[] | null;
  /**
   * Why they are not shown: `key-needed` if the inbox needs a key that the request did not carry; `not-readable` if it
   * is private, or the report could not open it; `too-many-names` if the caller has looked up too many names.
   */
  hidden: RunHidden | null;
}

export type RunHidden = 'key-needed' | 'not-readable' | 'too-many-names';
