import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { describeContract } from './contract.js';

describe('the store in LMDB', () => {
  const directories: string[] = [];
  afterAll(async () => {
    for (const directory of directories) await rm(directory, { recursive: true });
  });

  describeContract({
    isDurable: true,
    newUrl: async () => {
      const directory = await mkdtemp(join(tmpdir(), 'mayfly-store-'));
      directories.push(directory);
      return `lmdb:${directory}`;
    },
  });
});
