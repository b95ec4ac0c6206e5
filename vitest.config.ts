import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const QUICK = process.env.TIER === 'quick';

/** Far more than a busy machine needs. Tests of the full tier also install packages. */
const TIMEOUT_MS = QUICK ? 240_000 : 900_000;

/**
 * In a fresh clone, Vitest does not know how long a file takes and begins with the largest. Slow files are often small,
 * because they mostly wait. Sorted by path, they begin before the quick tests of tools.
 */
class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

/** Tests often wait for other processes and for time limits, so more workers than cores keep the cores busy. */
const WORKERS = availableParallelism() + 4;

// `npm test` leaves out the full tier: tools/test-full.js.
const EXCLUDED = QUICK ? [...configDefaults.exclude, '**/*.full.test.*'] : configDefaults.exclude;

/** Files that replace modules, or add plugins that stay for the rest of the process: each loads its own modules. */
const ISOLATED = ['packages/client/test/**/*.test.ts', 'packages/server/test/plugin/load-plugins.test.ts'];

const SHARED: TestProjectInlineConfiguration['test'] = {
  setupFiles: process.env.CI ? ['./tools/fixed-seed.js'] : [],
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  expect: { poll: { timeout: 120_000 } },
};

export default defineConfig({
  test: {
    reporters: ['default', './tools/needs.js'],
    // Tests of whole processes and of worker threads run what a user runs: the compiled code.
    globalSetup: './tools/build.js',
    maxWorkers: WORKERS,
    sequence: process.env.CI ? { sequencer: ByPath } : {},
    projects: [
      { test: { ...SHARED, name: 'isolated', include: ISOLATED, exclude: EXCLUDED } },
      // Loading and compiling the service again for each file would take a fifth of the CPU time of all tests.
      {
        test: {
          ...SHARED,
          name: 'other',
          include: ['{packages,plugins}/*/test/**/*.test.ts', '{action,bench,tools}/test/**/*.test.js'],
          exclude: [...EXCLUDED, ...ISOLATED],
          isolate: false,
        },
      },
    ],
  },
});
