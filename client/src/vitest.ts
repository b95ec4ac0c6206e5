import { test as base, expect, type TestAPI } from 'vitest';
import { STANDARD_TIMEOUT_MS } from './bounds.js';
import { Mayfly } from './client.js';
import { type MayflyFixtures, type MayflyTestOptions, reached } from './fixtures.js';

export { expect, type MayflyFixtures, type MayflyTestOptions };

/** The part of a test's time that is left when a wait is over, so that its explanation is what the test fails with. */
const LEFT_PART = 0.2;

/** Vitest's `test` with an inbox. A wait that is not told how long takes less time than the test may. */
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

/** How long a wait may take in a test that may take so long, both in milliseconds; 0 and Infinity are no bound. */
function waitTimeoutMs(testTimeoutMs: number): number {
  if (!(testTimeoutMs > 0)) return STANDARD_TIMEOUT_MS;
  return Math.min(STANDARD_TIMEOUT_MS, Math.ceil(testTimeoutMs * (1 - LEFT_PART)));
}
