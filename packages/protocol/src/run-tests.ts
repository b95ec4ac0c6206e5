import type { RunTest } from './wire-runs.js';

/** A test that passed after a failed attempt is `flaky`. In the order of the report. */
export const OUTCOMES = ['failed', 'flaky', 'running', 'passed', 'skipped'] as const;

export type ShownOutcome = (typeof OUTCOMES)[number];

/** A test of a run with its attempts, oldest first. */
export interface ShownTest {
  readonly name: string;
  /** The test's file; empty if the runner reports none. */
  readonly file: string;
  readonly outcome: ShownOutcome;
  readonly attempts: readonly RunTest[];
}

export interface ShownFile {
  readonly name: string;
  readonly tests: readonly ShownTest[];
}

/** Matches titles of Playwright and Vitest (`[project] FILE › test`) and of pytest (`FILE::test`). */
const TITLE = /^(\[[^\]]*\] )?(.+?)(?: › |::)(.+)$/s;

/** Matches the end of a title that Playwright's fixture gives to a retry. */
const RETRY = / \(retry \d+\)$/;

/** The tests of a run, failed ones first. Joins the attempts of a retried test. */
export function testsOf(executions: readonly RunTest[]): ShownTest[] {
  const tests: RunTest[][] = [];
  const byTitle = new Map<string, RunTest[]>();
  for (const one of executions) {
    const title = one.title.replace(RETRY, '');
    const attempts = byTitle.get(title);
    if (attempts !== undefined && isRetry(one, attempts)) attempts.push(one);
    else {
      byTitle.set(title, [one]);
      tests.push(byTitle.get(title) as RunTest[]);
    }
  }
  const shown = tests.map(shownTest);
  return OUTCOMES.flatMap((outcome) => shown.filter((test) => test.outcome === outcome));
}

/**
 * Two tests may have the same title. Without a mark, only a retry begins after the failure of the attempt before it. A
 * marked one also follows an attempt whose end was not reported, or that passed in a serial group of tests.
 */
function isRetry({ title, begunAt }: RunTest, attempts: readonly RunTest[]): boolean {
  const last = attempts.at(-1) as RunTest;
  return RETRY.test(title) || (last.outcome === 'failed' && begunAt >= last.reportedAt);
}

function shownTest(attempts: readonly RunTest[]): ShownTest {
  const [first, last] = [attempts[0] as RunTest, attempts.at(-1) as RunTest];
  const title = first.title.replace(RETRY, '');
  const [, project = '', file = '', rest = title] = TITLE.exec(title) ?? [];
  const isFlaky = last.outcome === 'passed' && attempts.some(({ outcome }) => outcome !== 'passed');
  const outcome = isFlaky ? 'flaky' : last.outcome;
  return { name: `${project}${rest}`, file, outcome, attempts };
}

/** Groups tests by file, in the order of the tests: the files of failed tests come first. */
export function filesOf(tests: readonly ShownTest[]): ShownFile[] {
  const files = new Map<string, ShownTest[]>();
  for (const test of tests) {
    const known = files.get(test.file);
    if (known === undefined) files.set(test.file, [test]);
    else known.push(test);
  }
  return [...files].map(([name, tests]) => ({ name, tests }));
}

/** Number of tests by outcome. Leaves out those that are 0, except the chosen one. */
export function countsOf(tests: readonly ShownTest[], chosen = ''): (readonly [ShownOutcome, number])[] {
  const countOf = (outcome: ShownOutcome) => tests.filter((test) => test.outcome === outcome).length;
  return OUTCOMES.map((outcome) => [outcome, countOf(outcome)] as const).filter(
    ([outcome, count]) => count > 0 || outcome === chosen,
  );
}

/** Milliseconds from the first report of the tests to the last: a test first reports when it uses an inbox or ends. */
export function durationOf(tests: readonly RunTest[]): number {
  const times = tests.flatMap(({ begunAt, reportedAt }) => [Date.parse(begunAt), Date.parse(reportedAt)]);
  return Math.max(...times) - Math.min(...times);
}

/** How long after the failure of its test an email arrived, in milliseconds; 0 if it arrived in time. */
export function latenessOf(receivedAt: string, { outcome, reportedAt }: RunTest): number {
  return outcome === 'failed' ? Math.max(0, Date.parse(receivedAt) - Date.parse(reportedAt)) : 0;
}

/** Whether each word occurs in the test's titles, errors, waits, inboxes or emails. The words are in lower case. */
export function isMatch({ attempts }: ShownTest, words: readonly string[]): boolean {
  const texts = attempts.map(({ title, error, waits, inboxes }) => [
    ...[title, error, waits.map(({ to, text }) => [to, text])],
    inboxes.map(({ to, emails }) => [
      to,
      emails?.map(({ subject, from, fromName, code }) => [subject, from, fromName, code]),
    ]),
  ]);
  // Joins the nested lists.
  const text = `${texts}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Maximum number of characters shown of an error. The service keeps fewer, but its answer may be of another version. */
const MAX_ERROR_CHARS = 10_000;

/** Test runners write the expected value after `Expected:` or `-`, and the received value after `Received:` or `+`. */
const COMPARED = /^(?:(-|\s*Expected\b.*:)|\+|\s*Received\b.*:)/;

/** The lines of an error, and for each whether it shows the expected or the received value. */
export function errorLines(error: string) {
  const text = error.length > MAX_ERROR_CHARS ? `${error.slice(0, MAX_ERROR_CHARS)}…` : error;
  return text.split(/\r?\n/).map((line) => {
    const [matched, expected] = COMPARED.exec(line) ?? [];
    return { text: line, of: matched === undefined ? undefined : expected === undefined ? 'received' : 'expected' };
  });
}
