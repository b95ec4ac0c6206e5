import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, and look short. */
const LONGEST = [
  'packages/client/test/runners.test.ts',
  'packages/server/test/service/redis.test.ts',
  'packages/server/test/container/image.test.ts',
  'packages/web/test/hostile.test.ts',
  'packages/server/test/store/redis/cluster-faults.test.ts',
  'packages/cli/test/installed.test.ts',
  'packages/server/test/service/memory-limit.test.ts',
  'packages/server/test/service/spaces-on-redis.test.ts',
  'packages/client/test/many-tests.test.ts',
  'packages/web/test/problems.test.ts',
  'packages/server/test/service/redis-cluster.test.ts',
  'packages/server/test/service/end-to-end.test.ts',
];

/**
 * Begins with the files that take longest, for all others have to wait for one that begins last. Vitest itself begins with what took
 * longest the last time, and in a fresh clone with the largest files.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const renamed = LONGEST.filter((name) => !existsSync(name));
    if (renamed.length > 0) throw new Error(`vitest.config.ts names files that are not there: ${renamed.join(', ')}`);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    include: ['{packages,plugins}/*/test/**/*.test.ts', '{action,bench,tools}/test/**/*.test.js'],
    // Tests of whole processes and of worker threads run what a user runs: the compiled code.
    reporters: ['default', './tools/skipped-tests.js'],
    globalSetup: './tools/build-before-tests.js',
    setupFiles: process.env.CI ? ['./tools/fixed-seed.js'] : [],
    // Much of a test's time is waiting, for other processes and for limits to be over: two more than there are cores keep them busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // None of these is near what a machine needs that is busy with much else.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
