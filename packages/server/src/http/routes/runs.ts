import type {
  ReportedTest,
  RunCounts,
  RunInbox,
  RunReport,
  RunReportResponse,
  RunResponse,
  RunTest,
  RunWait,
} from 'mayfly-protocol';
import { RUN_SECRET_PATTERN } from 'mayfly-protocol/run-secret';
import { httpErrors } from '../../errors.js';
import { sendJson } from '../answer/answers.js';
import type { RunAnswers } from '../answer/run-answers.js';
import { errorAnswers, jsonAnswer, objectSchema } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { refuseCoding } from '../request/bodies.js';
import { type Field, reading } from '../request/fields.js';
import { KEY_OF_OWNER } from '../request/parameters.js';
import { SUMMARY_EXAMPLE } from './summaries.js';

/** How much of a test is kept. An address is shorter (RFC 5321 section 4.5.3.1). */
const MAX_TITLE_CHARS = 300;
const MAX_TEXT_CHARS = 2_000;
const MAX_ADDRESS_CHARS = 320;
const MAX_INBOXES = 10;
const MAX_WAITS = 5;

const MAX_REPORTED = 100;

const OUTCOME = {
  type: 'string',
  enum: ['running', 'passed', 'failed', 'skipped'],
  description: 'running until the test has ended. A test that is expected to fail and does has passed.',
};

const id = {
  type: 'string',
  pattern: '^[a-z0-9-]{1,32}$',
  description: 'Made up by the client, different for each attempt of each test. A later report of it replaces it.',
};

const title = { type: 'string', maxLength: MAX_TITLE_CHARS };

const error = {
  type: ['string', 'null'],
  maxLength: MAX_TEXT_CHARS,
  description: 'Why it failed; null if it did not.',
};

const address = { type: 'string', minLength: 1, maxLength: MAX_ADDRESS_CHARS };

const waits = {
  type: 'array',
  maxItems: MAX_WAITS,
  items: objectSchema<RunWait>({
    to: { ...address, description: 'The inbox that was watched.' },
    text: {
      type: 'string',
      maxLength: MAX_TEXT_CHARS,
      description: 'What the wait was for, what came instead, and why that did not match.',
    },
  }),
  description: 'The waits of the test that were in vain.',
};

const reportedTest = objectSchema<ReportedTest>({
  id,
  title,
  outcome: OUTCOME,
  inboxes: {
    type: 'array',
    maxItems: MAX_INBOXES,
    items: address,
    description: 'The inboxes that the test used, by address or name.',
  },
  error,
  waits,
});

const REPORT_EXAMPLE: RunReport = {
  tests: [
    {
      id: 'k3v2x7m5q4tp',
      title: 'sign-up.spec.ts › sends a code',
      outcome: 'failed',
      inboxes: ['demo@inbox.example.com'],
      error: 'MayflyTimeoutError: Waited 5 s for an email with a link.',
      waits: [
        {
          to: 'demo@inbox.example.com',
          text: "Waited 5 s for an email with a link. 1 email came to demo@inbox.example.com: 'Your code' (no link).",
        },
      ],
    },
  ],
};

const runReport = objectSchema<RunReport>(
  { tests: { type: 'array', minItems: 1, maxItems: MAX_REPORTED, items: reportedTest } },
  { examples: [REPORT_EXAMPLE] },
);

const runReportResponse = objectSchema<RunReportResponse>({
  tests: { type: 'integer', minimum: 1, description: 'How many tests the run has now.' },
});

const time = (description: string) => ({ type: 'string', format: 'date-time', description });

const runInbox = objectSchema<RunInbox>({
  to: { type: 'string', description: 'As it was reported.' },
  emails: {
    type: ['array', 'null'],
    items: { $ref: 'EmailSummary#' },
    description: 'Its newest emails, at most 10, most recent first; null if they are not shown.',
  },
  hidden: {
    type: ['string', 'null'],
    enum: ['key-needed', 'not-readable', 'too-many-names', null],
    description:
      'Why emails is null: the inbox needs the key of its workspace or space, which the request did not carry; it is private, or the report could not open it; or the caller has looked up too many names.',
  },
});

const runTest = objectSchema<RunTest>({
  ...{ id, title, outcome: OUTCOME, error, waits },
  begunAt: time('When it was first reported.'),
  reportedAt: time('When it was last reported.'),
  inboxes: { type: 'array', items: runInbox },
});

const count = { type: 'integer', minimum: 0 };

const runResponse = objectSchema<RunResponse>({
  node: { type: 'string', description: 'The node that answered. Each node knows only what was reported to it.' },
  now: time("The server's time."),
  retentionMs: { type: 'integer', description: 'How long an email is kept, and a run after its last report.' },
  counts: objectSchema<RunCounts>(
    { running: count, passed: count, failed: count, skipped: count },
    { description: 'How many tests of the whole run have each outcome.' },
  ),
  tests: {
    type: 'array',
    items: runTest,
    description: 'In the order in which they were first reported: at most 50, or fewer if they have much mail.',
  },
  next: { type: ['integer', 'null'], description: 'Where the next page begins (from); null on the last page.' },
});

const [{ inboxes: _named, ...TEST_EXAMPLE }] = REPORT_EXAMPLE.tests as [ReportedTest];

const RUN_EXAMPLE: RunResponse = {
  node: 'ci-7',
  now: '2026-01-31T09:30:05.000Z',
  retentionMs: 1_800_000,
  counts: { running: 0, passed: 0, failed: 1, skipped: 0 },
  tests: [
    {
      ...TEST_EXAMPLE,
      begunAt: '2026-01-31T09:29:59.000Z',
      reportedAt: '2026-01-31T09:30:05.000Z',
      inboxes: [
        {
          to: SUMMARY_EXAMPLE.to,
          emails: [SUMMARY_EXAMPLE],
          hidden: null,
        },
      ],
    },
  ],
  next: null,
};

const RUN: Field = {
  schema: {
    type: 'string',
    pattern: RUN_SECRET_PATTERN,
    description: 'The secret of the run (MAYFLY_RUN): 26 random characters of a-z and 2-7. Any secret is a run.',
  },
  error: httpErrors.badRun,
};

const FROM: Field = {
  schema: {
    type: 'string',
    pattern: '^(?:0|[1-9][0-9]{0,4})$',
    description: 'Where the page begins: next of the previous page. The first one by default.',
  },
  error: httpErrors.badQuery,
  rule: 'use next of the previous page, once',
};

const READ_INPUT = reading({ path: { run: RUN }, query: { from: FROM } });
const REPORT_INPUT = reading({
  path: { run: RUN },
  body: { schema: { $ref: 'RunReport#' }, error: httpErrors.badRunReport },
});

/** `POST /api/run/{run}` and `GET /api/run/{run}` (D68). */
export function addRunRoutes(app: App, answers: RunAnswers): void {
  app.addSchema({ $id: 'RunReport', ...runReport });
  app.addSchema({ $id: 'RunReportResponse', ...runReportResponse });
  app.addSchema({ $id: 'RunResponse', ...runResponse });
  app.post<{ Params: { run: string }; Body: RunReport }>(
    '/api/run/:run',
    {
      ...REPORT_INPUT.options('look', {
        operationId: 'reportRun',
        summary: 'Reports tests of a run, with the inboxes that they use and the waits that were in vain.',
        security: KEY_OF_OWNER,
        response: {
          200: jsonAnswer('They are kept.', { $ref: 'RunReportResponse#' }, { tests: 1 }),
          ...errorAnswers(
            ...[httpErrors.badRun, httpErrors.badJson, httpErrors.badRunReport, httpErrors.runFull],
            ...[httpErrors.bodyTooLarge, httpErrors.unsupportedMediaType, httpErrors.unsupportedContentEncoding],
          ),
        },
      }),
      preParsing: refuseCoding,
    },
    (request): Promise<RunReportResponse> => answers.report(request, request.params.run, request.body.tests),
  );
  app.get<{ Params: { run: string }; Querystring: { from?: string } }>(
    '/api/run/:run',
    READ_INPUT.options('look', {
      operationId: 'getRun',
      summary:
        'Returns the tests of a run, each with its outcome, its inboxes and their mail. There is no list of runs.',
      security: KEY_OF_OWNER,
      response: {
        200: jsonAnswer('The tests; none if nothing was reported.', { $ref: 'RunResponse#' }, RUN_EXAMPLE),
        ...errorAnswers(
          ...[httpErrors.badRun, httpErrors.badQuery, httpErrors.misspelledQuery, httpErrors.tooManyAnswers],
        ),
      },
    }),
    (request, reply) =>
      sendJson(reply, async () => {
        const page = await answers.read(request, request.params.run, Number(request.query.from ?? 0));
        return Buffer.from(JSON.stringify(page)).toString('latin1');
      }),
  );
}
