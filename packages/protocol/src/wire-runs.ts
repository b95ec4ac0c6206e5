import type { EmailSummary } from './wire.js';

/** `running` until the test has ended. A test that is expected to fail and does has passed. */
export type RunOutcome = 'running' | 'passed' | 'failed' | 'skipped';

/** An inbox, by address or name. An address is shorter (RFC 5321 section 4.5.3.1). @minLength 1 @maxLength 320 */
type ReportedInbox = string;

/** A wait of a test that timed out. */
export interface RunWait {
  /** The inbox that was watched: its address or its name. */
  to: ReportedInbox;
  /** What the wait was for, what came instead, and why that did not match. @maxLength 2000 */
  text: string;
}

/** What the fixtures report of one test. A later report with the same `id` replaces the earlier one. */
export interface ReportedTest {
  /** Made up by the client, different for each attempt of each test. @pattern ^[a-z0-9-]{1,32}$ */
  id: string;
  /** The test's title, with those of its groups. @maxLength 300 */
  title: string;
  outcome: RunOutcome;
  /** The inboxes that the test used, by address or name. @maxItems 10 */
  inboxes: ReportedInbox[];
  /** Why it failed; null if it did not. @maxLength 2000 */
  error: string | null;
  /** The waits of the test that timed out. @maxItems 5 */
  waits: RunWait[];
}

/** Body of `POST /api/run/{run}`. */
export interface RunReport {
  /** The tests to report: those that have begun or ended. @minItems 1 @maxItems 100 */
  tests: ReportedTest[];
}

/** Answer of `POST /api/run/{run}`. */
export interface RunReportResponse {
  /** How many tests the run has now. @minimum 1 */
  tests: number;
}

/** How many tests of the whole run have each outcome. */
export interface RunCounts {
  /** Tests that have not ended. */
  running: number;
  /** Tests that passed, or failed as expected. */
  passed: number;
  /** Tests that failed. */
  failed: number;
  /** Tests that were skipped. */
  skipped: number;
}

/** Answer of `GET /api/run/{run}`. */
export interface RunResponse {
  /** The node that answered. Each node knows only what was reported to it. */
  node: string;
  /** The server's time. @format date-time */
  now: string;
  /** How long an email is kept, in milliseconds. A run is kept as long after its last report. */
  retentionMs: number;
  counts: RunCounts;
  /** In the order in which they were first reported: at most 50, or fewer if they have much mail. */
  tests: RunTest[];
  /** Where the next page begins, for `from`; null on the last page. */
  next: number | null;
}

/** One test of a run. */
export interface RunTest extends Omit<ReportedTest, 'inboxes'> {
  /** When it was first reported. @format date-time */
  begunAt: string;
  /** When it was last reported. @format date-time */
  reportedAt: string;
  /** The inboxes that the test used, with their mail. */
  inboxes: RunInbox[];
}

/** An inbox of a test. */
export interface RunInbox {
  /** As it was reported. */
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
