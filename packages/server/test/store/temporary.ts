import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Returns new, empty directories, which are removed after the tests of the file. */
export function temporaryDirectories(): () => Promise<string> {
  const directories: string[] = [];
  afterAll(async () => {
    for (const directory of directories) await rm(directory, { recursive: true });
  });
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mayfly-store-'));
    directories.push(directory);
    return directory;
  };
}
