import type { EmailSummary } from './wire.js';

/** `running` until the test ends. A test that fails as expected has `passed`. */
export type RunOutcome = 'running' | 'passed' | 'failed' | 'skipped';

/** An inbox by address or name, at most 320 characters (RFC 5321 section 4.5.3.1). @minLength 1 @maxLength 320 */
type ReportedInbox = string;

/** A wait of a test that timed out. */
export interface RunWait {
  /** Address or name of the inbox. */
  to: ReportedInbox;
  /** What the wait expected, what arrived instead and why that did not match. @maxLength 2000 */
  text: string;
  /** What the wait expected, such as `an email with a code`. @maxLength 500 */
  asked?: string;
  /** The newest emails in the inbox, newest first. @maxItems 10 */
  arrived?: RunArrived[];
}

/** An email that did not end a wait. */
export interface RunArrived {
  /** Beginning of the subject. @maxLength 100 */
  subject: string;
  /** Why the email did not match. @maxLength 500 */
  why: string;
}

/** A fixture's report of one test. It replaces an earlier report with the same `id`. */
export interface ReportedTest {
  /** The client's identifier of one execution of the test; a retry has a new one. @pattern ^[a-z0-9-]{1,32}$ */
  id: string;
  /** Title of the test, preceded by its groups. @maxLength 300 */
  title: string;
  outcome: RunOutcome;
  /** Addresses or names of the inboxes that the test used. @maxItems 10 */
  inboxes: ReportedInbox[];
  /** Why the test failed; null if it did not. @maxLength 2000 */
  error: string | null;
  /** Waits that timed out. @maxItems 5 */
  waits: RunWait[];
}

/** A report on some tests of a run. */
export interface RunReport {
  /** Tests that have begun or ended. @minItems 1 @maxItems 100 */
  tests: ReportedTest[];
}

/** The result of a report. */
export interface RunReportResponse {
  /** Number of tests in the run. @minimum 1 */
  tests: number;
}

/** Number of tests of the whole run by outcome. */
export interface RunCounts {
  /** Tests still running. */
  running: number;
  /** Passed tests. */
  passed: number;
  /** Failed tests. */
  failed: number;
  /** Skipped tests. */
  skipped: number;
}

/** A page of a run report. */
export interface RunResponse {
  /** The node that answered. Each node has only its own reports. */
  node: string;
  /** The server's time. @format date-time */
  now: string;
  /** How long the service keeps an email after its receipt and a run after its last report, in milliseconds. */
  retentionMs: number;
  counts: RunCounts;
  /** Tests in the order of their first report, at most 50; fewer if they have much mail. */
  tests: RunTest[];
  /** The `from` of the next page; null on the last one. */
  next: number | null;
}

/** One test of a run. */
export interface RunTest extends Omit<ReportedTest, 'inboxes'> {
  /** Time of the first report. @format date-time */
  begunAt: string;
  /** Time of the last report. @format date-time */
  reportedAt: string;
  /** Inboxes that the test used, with their mail. */
  inboxes: RunInbox[];
}

/** An inbox of a test. */
export interface RunInbox {
  /** Address or name, as reported. */
  to: string;
  /** The newest emails in the inbox, newest first, at most 10; null if hidden. */
  emails: EmailSummary[] | null;
  /**
   * Why the mail is hidden: `key-needed` (the inbox needs a key), `not-readable` (the inbox is private, or the reporter
   * could not open it) or `too-many-names` (the caller has reached `--name-limit`). Null if it is not hidden.
   */
  hidden: RunHidden | null;
}

export type RunHidden = 'key-needed' | 'not-readable' | 'too-many-names';
