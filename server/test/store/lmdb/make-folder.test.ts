import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../src/store/lmdb/make-folder.js';

test('a folder that several processes make at the same time is made, and none of them takes it for a link', async () => {
  const home = await mkdtemp(join(tmpdir(), 'mayfly-test-'));
  onTestFinished(() => rm(home, { recursive: true }));
  for (let round = 0; round < 100; round += 1) {
    const folder = join(home, `${round}`, 'data');
    // In one process their steps are mixed more than those of several.
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder)));
    expect((await stat(folder)).isDirectory()).toBe(true);
  }
});
