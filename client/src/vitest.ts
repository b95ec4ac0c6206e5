import { test as base, expect, type TestAPI, type TestContext } from 'vitest';
import { type MayflyFixtures, type MayflyTestOptions, reached, waitTimeoutMs } from './fixtures.js';
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
    const timeout = mayflyOptions.timeout ?? waitTimeoutMs(task.timeout);
    const { mayfly, ended } = mayflyOfTest({ ...mayflyOptions, timeout }, titleOf(task));
    await reached(mayfly, "or let the run start one: globalSetup: 'mayfly-client/vitest/setup' in vitest.config");
    await use(mayfly);
    const shown = await ended(endOf(task));
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

/** Vitest turns the outcome of a test that is to fail around only after its fixtures have ended. */
function endOf({ result, fails = false }: Task): TestEnd {
  const hasFailed = result?.state === 'fail';
  if (hasFailed === fails) return { outcome: result?.state === 'skip' ? 'skipped' : 'passed' };
  return { outcome: 'failed', error: result?.errors?.at(-1) ?? 'It was to fail, and passed.' };
}
