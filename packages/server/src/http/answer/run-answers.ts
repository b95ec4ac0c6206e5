import type { EmailSummary, ReportedTest, RunInbox, RunReportResponse, RunResponse, RunTest } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { type Inboxes, type Leaving, NO_SUMMARIES } from '../../inbox/inboxes.js';
import type { CheckedTest, KeptInbox, KeptTest, RunBook } from '../../runs/run-book.js';
import type { Access } from '../access/access.js';
import type { Request } from '../framework.js';
import { leavingOf } from './answers.js';
import { RequestError } from './request-error.js';

/** Tests in one answer, and emails, which a single test may exceed. */
const MAX_PAGE_TESTS = 50;
const MAX_PAGE_EMAILS = 200;

const MAX_INBOX_EMAILS = 10;

export interface RunAnswersOptions {
  readonly book: RunBook;
  readonly inboxes: Inboxes;
  readonly access: Access;
  readonly node: string;
  readonly retentionMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** Takes reports of test runs, and answers requests for them (D68). */
export class RunAnswers {
  readonly #options: RunAnswersOptions;

  constructor(options: RunAnswersOptions) {
    this.#options = options;
  }

  /** Keeps a report. Rejects with 409 if the run has no room for all of it. */
  async report(request: Request, secret: string, reported: readonly ReportedTest[]): Promise<RunReportResponse> {
    const { book, access } = this.#options;
    const checked: CheckedTest[] = [];
    for (const test of reported) {
      const inboxes: KeptInbox[] = [];
      for (const to of test.inboxes) inboxes.push(await this.#checked(request, to));
      checked.push({ test, inboxes });
    }
    const tests = book.report(secret, access.clientOf(request), checked);
    if (tests === 'full') throw new RequestError(httpErrors.runFull);
    return { tests };
  }

  async read(request: Request, secret: string, from: number): Promise<RunResponse> {
    const { book, node, retentionMs, clock } = this.#options;
    const { tests: kept, counts, total } = book.read(secret, from, MAX_PAGE_TESTS);
    const tests: RunTest[] = [];
    const reader = { request, leaving: leavingOf(request), isRefused: false };
    let emails = 0;
    for (const one of kept) {
      if (emails >= MAX_PAGE_EMAILS) break;
      const shown = await this.#shown(reader, one);
      tests.push(shown);
      for (const inbox of shown.inboxes) emails += inbox.emails?.length ?? 0;
    }
    const next = from + tests.length;
    return {
      ...{ node, retentionMs, counts, tests },
      now: new Date(clock.now()).toISOString(),
      next: next < total ? next : null,
    };
  }

  /** A run opens no inbox that its reporter could not open, at the reporter's own rate of names (D48). */
  async #checked(request: Request, to: string): Promise<KeptInbox> {
    const { access } = this.#options;
    try {
      const inbox = access.inboxNamed(request, to);
      access.checkOwner(request, inbox);
      await access.tryName(request, inbox);
      return { to, inbox };
    } catch (error) {
      if (error instanceof RequestError) return { to, inbox: null };
      throw error;
    }
  }

  async #shown(reader: RunReader, test: KeptTest): Promise<RunTest> {
    const { id, title, outcome, error, waits, begunAt, reportedAt } = test;
    const inboxes: RunInbox[] = [];
    for (const inbox of test.inboxes) inboxes.push(await this.#inboxShown(reader, inbox));
    return {
      ...{ id, title, outcome, error, inboxes },
      waits: [...waits],
      begunAt: new Date(begunAt).toISOString(),
      reportedAt: new Date(reportedAt).toISOString(),
    };
  }

  async #inboxShown(reader: RunReader, { to, inbox }: KeptInbox): Promise<RunInbox> {
    const { access, inboxes } = this.#options;
    const { request, leaving } = reader;
    if (inbox === null) return { to, emails: null, hidden: 'not-readable' };
    if (!access.mayOpen(request, inbox)) return { to, emails: null, hidden: 'key-needed' };
    // A name without mail counts as a guess; otherwise a run could watch guessed names for nothing.
    if (reader.isRefused || !(await this.#mayTry(reader, inbox))) return { to, emails: null, hidden: 'too-many-names' };
    const json = await inboxes.readSummaries(inbox, {}, { limit: MAX_INBOX_EMAILS }, leaving);
    if (typeof json !== 'string') throw new Error('a page of summaries is not small');
    if (json !== NO_SUMMARIES) access.foundMail(request, inbox);
    const { emails }: { emails: EmailSummary[] } = JSON.parse(Buffer.from(json, 'latin1').toString());
    return { to, emails, hidden: null };
  }

  async #mayTry(reader: RunReader, inbox: string): Promise<boolean> {
    try {
      await this.#options.access.tryName(reader.request, inbox);
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      reader.isRefused = true;
      return false;
    }
  }
}

interface RunReader {
  readonly request: Request;
  readonly leaving: Leaving;
  /** Whether it has looked up too many names. */
  isRefused: boolean;
}
