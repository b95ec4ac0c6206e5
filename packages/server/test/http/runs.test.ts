import type { ReportedTest, RunResponse } from 'mayfly-client';
import { afterEach, describe, expect, test } from 'vitest';
import { startApi, type TestApi, type TestApiOptions } from './api.js';

const RUN = 'abcdefghijklmnopqrstuvwxyz';
const KEY = 'a-key-of-acme-that-is-long-enough';
const ACME = { workspaces: [{ workspace: 'acme', key: KEY }] };
const WITH_KEY = { authorization: `Bearer ${KEY}` };

let api: TestApi;

afterEach(async () => {
  await api.close();
});

async function start(options: TestApiOptions = {}): Promise<void> {
  api = await startApi(options);
}

function aTest(more: Partial<ReportedTest> = {}): ReportedTest {
  return { id: 'one', title: 'signs up', outcome: 'failed', inboxes: ['jane'], error: null, waits: [], ...more };
}

const report = (tests: readonly unknown[], headers: Record<string, string> = {}, run = RUN) =>
  api.app.inject({ method: 'POST', url: `/api/run/${run}`, payload: { tests }, headers });

const get = (query = '', headers: Record<string, string> = {}, run = RUN) =>
  api.app.inject({ url: `/api/run/${run}${query}`, headers });

const read = async (query = '', headers: Record<string, string> = {}, run = RUN): Promise<RunResponse> =>
  (await get(query, headers, run)).json();

describe('/api/run/{run}', () => {
  test('lists the tests of a run with their waits and messages, including tests without mail', async () => {
    await start();
    const text = 'Waited 5 s for an email with a link.';
    const asked = { asked: 'an email with a link', arrived: [{ subject: 'Hello', why: 'no link' }] };
    const waits = [{ to: 'jane@inbox.example.com', text, ...asked }];
    const first = aTest({ error: 'Waited', waits, inboxes: ['Jane', 'bob@inbox.example.com'] });
    expect((await report([first, aTest({ id: 'two', outcome: 'passed', inboxes: [] })])).json()).toEqual({ tests: 2 });
    await api.mail('jane', 'Your code is 482913', { Subject: '<b>Grüße</b>' });
    expect(await read()).toEqual({
      node: expect.stringMatching(/./),
      now: new Date(api.clock.now()).toISOString(),
      retentionMs: 1_800_000,
      counts: { running: 0, passed: 1, failed: 1, skipped: 0 },
      tests: [
        {
          ...first,
          begunAt: expect.stringMatching(/Z$/),
          reportedAt: expect.stringMatching(/Z$/),
          inboxes: [
            { to: 'Jane', emails: [expect.objectContaining({ subject: '<b>Grüße</b>', otp: '482913' })], hidden: null },
            { to: 'bob@inbox.example.com', emails: [], hidden: null },
          ],
        },
        expect.objectContaining({ id: 'two', outcome: 'passed', inboxes: [] }),
      ],
      next: null,
    });
  });

  test('returns pages that contain every test once', async () => {
    await start();
    const ids = Array.from({ length: 120 }, (_, at) => `t-${at}`);
    for (const some of [ids.slice(0, 100), ids.slice(100)]) await report(some.map((id) => aTest({ id, inboxes: [] })));
    const seen: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const page: RunResponse = await read(`?from=${from}`);
      expect(page.counts.failed).toBe(120);
      seen.push(...page.tests.map(({ id }) => id));
      from = page.next;
    }
    expect(seen).toEqual(ids);
  });

  test.each([
    { name: 'a short secret', run: 'abc', code: 'bad-run' },
    { name: 'a secret in capitals', run: RUN.toUpperCase(), code: 'bad-run' },
    { name: 'a secret with other characters', run: `${RUN.slice(1)}1`, code: 'bad-run' },
    { name: 'no tests', tests: [], code: 'bad-run-report' },
    { name: 'too many tests', tests: Array(101).fill(aTest()), code: 'bad-run-report' },
    { name: 'a long title', tests: [aTest({ title: 'x'.repeat(301) })], code: 'bad-run-report' },
    { name: 'a long error', tests: [aTest({ error: 'x'.repeat(2_001) })], code: 'bad-run-report' },
    {
      name: 'a wait with too many emails',
      tests: [aTest({ waits: [{ to: 'a', text: '', arrived: Array(11).fill({ subject: '', why: '' }) }] })],
      code: 'bad-run-report',
    },
    { name: 'an id with other characters', tests: [aTest({ id: 'One' })], code: 'bad-run-report' },
    { name: 'an unknown outcome', tests: [{ ...aTest(), outcome: 'flaky' }], code: 'bad-run-report' },
    { name: 'too many inboxes', tests: [aTest({ inboxes: Array(11).fill('a') })], code: 'bad-run-report' },
    { name: 'a test without a title', tests: [{ ...aTest(), title: undefined }], code: 'bad-run-report' },
  ])('rejects $name', async ({ run = RUN, tests = [aTest()], code }) => {
    await start();
    const response = await report(tests, {}, run);
    expect([response.statusCode, response.headers['mayfly-error']]).toEqual([400, code]);
    expect(response.body).not.toContain(RUN);
    expect(api.runs.read(run, 0, 1).total).toBe(0);
  });

  test('shows an inbox only if the reporter could read it and the reader sends the key of its workspace', async () => {
    await start(ACME);
    await api.mail('acme-jane', 'Your code is 482913');
    await report([aTest({ inboxes: ['acme-jane', 'jane@elsewhere.test', 'no name!'] })]);
    const hidden = { emails: null, hidden: 'not-readable' };
    expect((await read('', WITH_KEY)).tests[0]?.inboxes).toMatchObject([hidden, hidden, hidden]);
    await report([aTest({ inboxes: ['acme-jane'] })], WITH_KEY);
    expect((await read()).tests[0]?.inboxes).toEqual([{ to: 'acme-jane', emails: null, hidden: 'key-needed' }]);
    expect((await read('', WITH_KEY)).tests[0]?.inboxes).toMatchObject([{ emails: [{ otp: '482913' }] }]);
  });

  test('shows mail of an ad-hoc workspace only with its credentials, and never mail of a private inbox', async () => {
    await start({ adHocQuota: { hasMail: () => false } });
    const [pair, other] = ['run:4711-secret', 'run:another-secret'].map((key) => ({ authorization: `Bearer ${key}` }));
    const secret = `p-${'a'.repeat(26)}`;
    await report([aTest({ inboxes: ['jane@inbox.example.com', secret] })], pair);
    const hidden = async (headers?: Record<string, string>) =>
      (await read('', headers)).tests[0]?.inboxes.map((inbox) => inbox.hidden);
    expect(await hidden(pair)).toEqual([null, null]);
    expect(await hidden(other)).toEqual(['key-needed', 'key-needed']);
    expect(await hidden()).toEqual(['key-needed', 'key-needed']);
    await report([aTest({ id: 'one', inboxes: [secret] })]);
    expect(await hidden()).toEqual(['not-readable']);
    expect((await get()).body).not.toContain('4711');
  });

  test('counts guessable inbox names against --name-limit, for the reporter and for each reader', async () => {
    await start({ nameRate: { count: 2, windowMs: 600_000 } });
    await report([aTest({ inboxes: ['a', 'b', 'c'] })]);
    const [a, b, c] = (await read()).tests[0]?.inboxes ?? [];
    expect([a?.hidden, b?.hidden, c?.hidden]).toEqual([null, null, 'not-readable']);
    const other = await api.app.inject({ url: `/api/run/${RUN}`, remoteAddress: '10.0.0.1' });
    expect(other.json().tests[0].inboxes.map(({ hidden }: { hidden: string }) => hidden)).toEqual([
      null,
      null,
      'not-readable',
    ]);
    await report([aTest({ id: 'two', inboxes: ['a', 'b'] })]);
    await api.app.inject({ url: '/api/inbox/x/summary', remoteAddress: '10.0.0.2' });
    await api.app.inject({ url: '/api/inbox/y/summary', remoteAddress: '10.0.0.2' });
    const third = await api.app.inject({ url: `/api/run/${RUN}`, remoteAddress: '10.0.0.2' });
    const { tests }: RunResponse = third.json();
    expect(tests[1]?.inboxes.map(({ hidden }) => hidden)).toEqual(['too-many-names', 'too-many-names']);
  });
});
