import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isQuick = process.env.TIER === 'quick';

/** Time limit for a test, far more than a busy machine needs. Tests of the full tier also install packages. */
const TIMEOUT_MS = isQuick ? 240_000 : 900_000;

/**
 * Without times of earlier runs, Vitest begins with the largest files, although the longest waits are in small ones.
 * Sorting files by path starts those before the tests of tools, which are quick.
 */
class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

/** Tests that need a separate process: they replace modules, load plugins, or install packages (the full tier). */
const ISOLATED = [
  'packages/client/test/**/*.test.ts',
  'packages/server/test/plugin/**/*.test.ts',
  '{packages,plugins}/*/test/**/*.full.test.ts',
  '{action,bench,tools}/test/**/*.full.test.js',
];

const common = {
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  expect: { poll: { timeout: 120_000 } },
  setupFiles: process.env.CI ? ['./tools/fixed-seed.js'] : [],
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'isolated',
          include: ISOLATED,
          // `npm test` leaves out the full tier, which tools/test-full.js runs.
          exclude: [...configDefaults.exclude, ...(isQuick ? ['**/*.full.test.*'] : [])],
        },
      },
      {
        test: {
          ...common,
          name: 'shared',
          include: ['{packages,plugins}/*/test/**/*.test.ts', '{action,bench,tools}/test/**/*.test.js'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
          // A process for each file would spend a fifth of the CPU time on loading the same modules again.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
    ],
    reporters: ['default', './tools/needs.js'],
    // Compiles first, because tests of whole processes and of worker threads run compiled code, as users do.
    globalSetup: './tools/build.js',
    // Exceeds the number of cores by two, because tests often wait for other processes and for limits to end.
    maxWorkers: availableParallelism() + 2,
    sequence: process.env.CI ? { sequencer: ByPath } : {},
  },
});
