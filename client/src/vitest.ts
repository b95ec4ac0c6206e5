import { test as base, expect, type TestAPI } from 'vitest';
import { Mayfly } from './client.js';
import { type MayflyFixtures, type MayflyTestOptions, reached, waitTimeoutMs } from './fixtures.js';

export { expect, type MayflyFixtures, type MayflyTestOptions };

/** Vitest's `test` with an inbox. By default, a wait ends before the test's timeout. */
export const test: TestAPI<MayflyFixtures & MayflyTestOptions> = base.extend<MayflyFixtures & MayflyTestOptions>({
  mayflyOptions: {},
  mayfly: async ({ mayflyOptions, task }, use) => {
    const timeout = mayflyOptions.timeout ?? waitTimeoutMs(task.timeout);
    const mayfly = new Mayfly({ ...mayflyOptions, timeout });
    await reached(mayfly, "or let the run start one: globalSetup: 'mayfly-client/vitest/setup' in vitest.config");
    await use(mayfly);
  },
  inbox: async ({ mayfly }, use) => {
    await use(mayfly.createInbox());
  },
});

export { test as it };
