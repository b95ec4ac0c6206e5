import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../src/base/make-folder.js';

test('a folder that several processes make at the same time is made, and none of them takes it for a link', async () => {
  const home = await mkdtemp(join(tmpdir(), 'mayfly-test-'));
  onTestFinished(() => rm(home, { recursive: true }));
  for (let round = 0; round < 100; round += 1) {
    const folder = join(home, `${round}`, 'data');
    // Each begins a moment later than the one before, so that some look while others make.
    const makers: Promise<void>[] = [];
    for (let maker = 0; maker < 20; maker += 1) {
      makers.push(makeFolder(folder));
      await setImmediate();
    }
    await Promise.all(makers);
    expect((await stat(folder)).isDirectory()).toBe(true);
  }
});
