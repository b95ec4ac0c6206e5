module.exports = { setupFilesAfterEnv: ['mayfly-client/matchers/jest'], testMatch: ['**/*.test.cjs'] };
