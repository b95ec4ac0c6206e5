import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{cli,client,mcp,server,web}/test/**/*.test.ts', '{action,bench,tools}/test/**/*.test.js'],
    // Tests of whole processes and of worker threads run what a user runs: the compiled code.
    globalSetup: './tools/build-before-tests.js',
    // Most of a test's time is waiting for other processes. Vitest's own choice leaves a core free: of two, that is half of them.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Vitest's own second is less than a busy browser takes for a focus.
    expect: { poll: { timeout: 30_000 } },
  },
});
