module.exports = {
  globalSetup: 'mayfly-client/jest/setup',
  globalTeardown: 'mayfly-client/jest/teardown',
  testMatch: ['**/*.test.cjs'],
};
