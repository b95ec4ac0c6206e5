/** The set-up of the run; empty where it has none. */
const { GLOBAL_SETUP = 'mayfly-client/jest/setup' } = process.env;

module.exports = {
  ...(GLOBAL_SETUP && { globalSetup: GLOBAL_SETUP, globalTeardown: 'mayfly-client/jest/teardown' }),
  testMatch: ['**/*.test.cjs'],
  maxWorkers: 2,
  // Files that were quick the last time would otherwise run one after the other, and these wait for each other.
  workerIdleMemoryLimit: '1GB',
};
