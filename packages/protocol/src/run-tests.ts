import type { RunTest } from './wire-runs.js';

/** A test that passed in a retry is `flaky`. In the order of the report. */
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

/** Matches the end of a title that the fixtures give to a retry. */
const RETRY = / \(retry \d+\)$/;

/** The tests of a run, failed ones first. A retry joins the last test of its title; two tests may have the same title. */
export function testsOf(executions: readonly RunTest[]): ShownTest[] {
  const tests: RunTest[][] = [];
  const byTitle = new Map<string, RunTest[]>();
  for (const one of executions) {
    const title = one.title.replace(RETRY, '');
    const attempts = title === one.title ? undefined : byTitle.get(title);
    if (attempts !== undefined) attempts.push(one);
    else {
      const first = [one];
      byTitle.set(title, first);
      tests.push(first);
    }
  }
  const shown = tests.map(shownTest);
  return OUTCOMES.flatMap((outcome) => shown.filter((test) => test.outcome === outcome));
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

/** Maximum size shown of an error. The service keeps fewer characters, but its answer may be of another version. */
const MAX_ERROR_CHARS = 10_000;
const MAX_ERROR_LINES = 500;

/** Test runners write the expected value after `Expected:` or `-`, and the received value after `Received:` or `+`. */
const COMPARED = /^(?:(-|\s*Expected\b.*:)|\+|\s*Received\b.*:)/;

/** The lines of an error, and for each whether it shows the expected or the received value. */
export function errorLines(error: string) {
  const lines = error.slice(0, MAX_ERROR_CHARS).split(/\r?\n/);
  const isCut = error.length > MAX_ERROR_CHARS || lines.length > MAX_ERROR_LINES;
  return [...lines.slice(0, MAX_ERROR_LINES), ...(isCut ? ['…'] : [])].map((line) => {
    const [matched, expected] = COMPARED.exec(line) ?? [];
    return { text: line, of: matched === undefined ? undefined : expected === undefined ? 'received' : 'expected' };
  });
}
