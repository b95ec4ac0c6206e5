import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Far more than a busy machine needs. Tests of the full tier also install packages. */
const TIMEOUT_MS = process.env.TIER === 'quick' ? 240_000 : 900_000;

/**
 * In a fresh clone, Vitest does not know how long a file takes and begins with the largest. Slow files are often small,
 * because they mostly wait. Sorted by path, they begin before the quick tests of tools.
 */
class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    include: ['{packages,plugins}/*/test/**/*.test.ts', '{action,bench,tools}/test/**/*.test.js'],
    // `npm test` leaves out the full tier: tools/test-full.js.
    exclude: process.env.TIER === 'quick' ? [...configDefaults.exclude, '**/*.full.test.*'] : configDefaults.exclude,
    reporters: ['default', './tools/needs.js'],
    // Tests of whole processes and of worker threads run what a user runs: the compiled code.
    globalSetup: './tools/build.js',
    setupFiles: process.env.CI ? ['./tools/fixed-seed.js'] : [],
    // Tests often wait for other processes and for time limits, so two workers more than cores keep the cores busy.
    maxWorkers: availableParallelism() + 2,
    sequence: process.env.CI ? { sequencer: ByPath } : {},
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: 120_000 } },
  },
});
