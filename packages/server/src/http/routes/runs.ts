import { hostname } from 'node:os';
import type { EmailSummary, RunInbox, RunReport, RunReportResponse, RunResponse, RunTest } from 'mayfly-protocol';
import { RUN_SECRET_PATTERN } from 'mayfly-protocol/run-secret';
import { httpErrors } from '../../errors.js';
import { NO_SUMMARIES } from '../../inbox/inboxes.js';
import type { CheckedTest, KeptInbox } from '../../runs/run-book.js';
import type { Access } from '../access/access.js';
import { leavingOf, sendJson } from '../answer/answers.js';
import { RequestError } from '../answer/request-error.js';
import type { App, Request } from '../framework.js';
import type { Served } from '../parts.js';
import { refuseCoding } from '../request/bodies.js';
import { type Field, reading } from '../request/fields.js';

/** A page ends after `MAX_PAGE_TESTS` tests, or with the test at which it reaches `MAX_PAGE_EMAILS` emails. */
const MAX_PAGE_TESTS = 50;
const MAX_PAGE_EMAILS = 200;

const MAX_INBOX_EMAILS = 10;

const RUN: Field = {
  schema: { type: 'string', pattern: RUN_SECRET_PATTERN },
  error: httpErrors.badRun,
};

const FROM: Field = {
  schema: { type: 'string', pattern: '^(?:0|[1-9][0-9]{0,4})$' },
  rule: 'use it once, with "next" of the previous page',
};

const READ_INPUT = reading({ path: { run: RUN }, query: { from: FROM } });
const REPORT_INPUT = reading({
  path: { run: RUN },
  body: { schema: { $ref: 'RunReport#' }, error: httpErrors.badRunReport },
});

/** `POST /api/run/{run}` and `GET /api/run/{run}` (D68). */
export function addRunRoutes(app: App, served: Served): void {
  const { runs, access, clock, settings } = served;
  app.post<{ Params: { run: string }; Body: RunReport }>(
    '/api/run/:run',
    { ...REPORT_INPUT.options('read'), preParsing: refuseCoding },
    async (request): Promise<RunReportResponse> => {
      const checked: CheckedTest[] = [];
      for (const test of request.body.tests) {
        const inboxes: KeptInbox[] = [];
        for (const to of test.inboxes) inboxes.push({ to, inbox: await readableInbox(access, request, to) });
        checked.push({ test, inboxes });
      }
      const tests = runs.report(request.params.run, request.caller.client, checked);
      if (tests === 'full') throw new RequestError(httpErrors.runFull);
      return { tests };
    },
  );
  app.get<{ Params: { run: string }; Querystring: { from?: string } }>(
    '/api/run/:run',
    READ_INPUT.options('read'),
    (request, reply) =>
      sendJson(reply, async () => {
        const from = Number(request.query.from ?? 0);
        const { tests: kept, counts, total } = runs.read(request.params.run, from, MAX_PAGE_TESTS);
        const shownOf = inboxReader(served, request);
        const tests: RunTest[] = [];
        let emails = 0;
        for (const { begunAt, reportedAt, waits, ...test } of kept) {
          if (emails >= MAX_PAGE_EMAILS) break;
          const inboxes: RunInbox[] = [];
          for (const inbox of test.inboxes) inboxes.push(await shownOf(inbox));
          for (const inbox of inboxes) emails += inbox.emails?.length ?? 0;
          const times = { begunAt: isoTime(begunAt), reportedAt: isoTime(reportedAt) };
          tests.push({ ...test, waits: [...waits], inboxes, ...times });
        }
        const next = from + tests.length;
        const page: RunResponse = {
          ...{ node: hostname(), now: isoTime(clock.now()), retentionMs: settings.retention, counts, tests },
          next: next < total ? next : null,
        };
        return Buffer.from(JSON.stringify(page)).toString('latin1');
      }),
  );
}

/** The inbox of an address; null if the reporter may not open it. The name counts as the reporter's guess (D48). */
async function readableInbox(access: Access, request: Request, to: string): Promise<string | null> {
  return unlessRefused(async () => {
    const inbox = access.inboxNamed(request, to);
    access.checkOwner(request, inbox);
    await access.tryName(request, inbox);
    return inbox;
  });
}

/** Reads the inboxes of a run for a caller. */
function inboxReader({ access, inboxes }: Served, request: Request) {
  let isRefused = false;
  return async ({ to, inbox }: KeptInbox): Promise<RunInbox> => {
    if (inbox === null) return { to, emails: null, hidden: 'not-readable' };
    if (!access.mayOpen(request, inbox)) return { to, emails: null, hidden: 'key-needed' };
    // A name without mail counts as a guess. Otherwise a client could report guessed names in a run, to try them freely.
    isRefused ||= (await unlessRefused(async () => access.tryName(request, inbox))) === null;
    if (isRefused) return { to, emails: null, hidden: 'too-many-names' };
    const json = await inboxes.readSummaries(inbox, {}, { limit: MAX_INBOX_EMAILS }, leavingOf(request));
    if (typeof json !== 'string') throw new Error('The email summaries exceed the size of one piece.');
    if (json !== NO_SUMMARIES) access.foundMail(request.caller.client, inbox);
    const { emails }: { emails: EmailSummary[] } = JSON.parse(Buffer.from(json, 'latin1').toString());
    return { to, emails, hidden: null };
  };
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
