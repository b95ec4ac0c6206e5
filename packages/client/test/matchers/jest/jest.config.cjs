module.exports = {
  globalSetup: 'mayfly-client/jest/setup',
  globalTeardown: 'mayfly-client/jest/teardown',
  setupFilesAfterEnv: ['mayfly-client/matchers/jest'],
  testMatch: ['**/*.test.cjs'],
};
