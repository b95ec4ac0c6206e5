/** The global setup; empty for a run without one. */
const { GLOBAL_SETUP = 'mayfly-client/jest/setup' } = process.env;

module.exports = {
  ...(GLOBAL_SETUP && { globalSetup: GLOBAL_SETUP, globalTeardown: 'mayfly-client/jest/teardown' }),
  testMatch: ['**/*.test.cjs'],
  maxWorkers: 2,
  // Prevents Jest from running quick files in sequence, because these tests wait for each other.
  workerIdleMemoryLimit: '1GB',
};
