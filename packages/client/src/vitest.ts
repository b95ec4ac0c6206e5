import { test as base, expect, type TestAPI, type TestContext } from 'vitest';
import { type MayflyFixtures, type MayflyTestOptions, reached, type TestTime, testTime } from './fixtures.js';
import { now } from './real-time.js';
import { mayflyOfTest, runReported, type TestEnd } from './run.js';

export { expect, type MayflyFixtures, type MayflyTestOptions };

type Fixtures = MayflyFixtures & MayflyTestOptions;

/** Vitest's `test` with an inbox. By default, a wait ends before the test's timeout. */
export const test: TestAPI<Fixtures> = base.extend<Fixtures & { mayflyRun: undefined }>({
  mayflyOptions: {},
  mayflyRun: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest demands an object pattern, also where nothing is used.
    async ({}, use) => {
      await use(undefined);
      await runReported();
    },
    { scope: 'file' },
  ],
  mayfly: async ({ mayflyOptions, mayflyRun: _, task }, use) => {
    const time = timeOf(task);
    const { mayfly, endedWithEmails } = mayflyOfTest(mayflyOptions, titleOf(task), time);
    const remedy = "or let the run start one: globalSetup: 'mayfly-client/vitest/setup' in vitest.config";
    await reached(mayflyOptions, remedy, time);
    await use(mayfly);
    const shown = await endedWithEmails(endOf(task));
    // Standard error would come without the name of the test.
    if (shown !== null) console.error(shown);
  },
  inbox: async ({ mayfly }, use) => {
    await use(mayfly.createInbox());
  },
});

export { test as it };

type Task = TestContext['task'];

function titleOf(task: Task): string {
  const names = [task.name];
  for (let { suite } = task; suite !== undefined; { suite } = suite) names.unshift(suite.name);
  return [task.file.name, ...names].join(' › ');
}

/** As Vitest counts it: hooks have a time of their own, each its own, and that of the test begins after them. */
function timeOf(task: Task): TestTime {
  const isInHook = () => {
    const { beforeEach, afterEach } = task.result?.hooks ?? {};
    return beforeEach === 'run' || afterEach === 'run';
  };
  let startedAt = isInHook() ? undefined : now();
  const current = () => {
    if (isInHook()) return testTime(hookTimeoutMs);
    startedAt ??= now();
    return testTime(() => task.timeout, startedAt);
  };
  return { leftMs: () => current().leftMs(), callMs: () => current().callMs() };
}

/** No bound where Vitest does not tell it. */
function hookTimeoutMs(): number {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: { config?: { hookTimeout?: number } } };
  return worker?.config?.hookTimeout ?? 0;
}

/** Vitest turns the outcome of a test that is to fail around only after its fixtures have ended. */
function endOf({ result, fails = false }: Task): TestEnd {
  const hasFailed = result?.state === 'fail';
  if (hasFailed === fails) return { outcome: result?.state === 'skip' ? 'skipped' : 'passed' };
  return { outcome: 'failed', error: result?.errors?.at(-1) ?? 'It was to fail, and passed.' };
}
