import type { RunTest } from 'mayfly-client';
import { testsOf } from 'mayfly-protocol/run-tests';
import { expect, test } from 'vitest';
import { MAX_FILE_BYTES, runFile } from '../../src/commands/export-run.js';

function aTest(id: string, outcome: RunTest['outcome'], chars: number): RunTest {
  const [begunAt, reportedAt] = ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'];
  return { ...{ id, outcome, begunAt, reportedAt }, title: 'x'.repeat(chars), error: null, waits: [], inboxes: [] };
}

function fileOf(tests: RunTest[]) {
  const run = { tests, node: 'ci-7', now: '2026-01-31T09:31:00.000Z', retentionMs: 1_800_000 };
  return runFile({ ...run, texts: new Map(), origin: 'http://127.0.0.1:8080', css: '' });
}

test('the exported file of a run omits passed tests first if it would exceed its size limit', () => {
  const chars = MAX_FILE_BYTES / 4;
  const tests = [...['a', 'b', 'c', 'd', 'e'].map((id) => aTest(id, 'passed', chars)), aTest('f', 'failed', chars)];
  const { html, leftOut } = fileOf(tests);
  expect(leftOut).toBe(3);
  expect(html).toContain('Tests left out: 3.');
  expect(Buffer.byteLength(html)).toBeLessThan(MAX_FILE_BYTES + 4_096);
  expect(html.match(/(?<=class="run-attempt stack gap-12" id=")\w/g)).toEqual(['f', 'a', 'b']);
});

test('the file of a run shows how long after the end of a failed test an email arrived', () => {
  const email = (receivedAt: string) => ({
    ...{ to: 'a@inbox.example.com', receivedAt, from: 'app@app.test', fromName: null, subject: receivedAt },
    ...{ code: null, magicLink: null, text: '', size: 1 },
  });
  const emails = ['2026-01-31T09:30:02.000Z', '2026-01-31T09:29:59.000Z'].map(email) as never;
  const inboxes = [{ to: 'a@inbox.example.com', emails, hidden: null }];
  const tests = [aTest('a', 'failed', 1), aTest('b', 'passed', 1)].map((one) => ({ ...one, inboxes }));
  const { html } = fileOf(tests);
  expect(html.match(/[\d.]+ s after the test had failed/g)).toEqual(['2.0 s after the test had failed']);
  expect(html).toMatch(/ id="a".*09:30:02\.000Z<\/bdi><\/span> <strong class="run-late">2\.0 s after/s);
});

test.each([
  { first: 'running', outcome: 'flaky' },
  { first: 'passed', outcome: 'passed' },
] as const)('joins a marked retry with an attempt that is $first', ({ first, outcome }) => {
  const tests = [aTest('a', first, 1), { ...aTest('b', 'passed', 1), title: 'x (retry 1)' }];
  expect(testsOf(tests)).toMatchObject([{ name: 'x', outcome, attempts: [{ id: 'a' }, { id: 'b' }] }]);
});
