import { afterAll, beforeAll } from 'vitest';
import { endAll, type RunningMayfly, serve, temporaryFolder } from './process.js';

/** A service with a store on disk for all tests of a file. Its fields are set once the tests run. */
export interface ServiceOnDisk {
  readonly mayfly: RunningMayfly;
  readonly folder: string;
  /** The store's options for other commands. */
  readonly store: readonly string[];
}

export function serviceOnDisk(flags: readonly string[]): ServiceOnDisk {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let mayfly: RunningMayfly;
  const store = () => ['--store', `lmdb:${folder.path}/store`];
  beforeAll(async () => {
    folder = await temporaryFolder();
    mayfly = await serve([...store(), '--log-level', 'debug', ...flags]);
  });
  afterAll(async () => {
    endAll();
    await folder.remove();
  });
  return {
    get mayfly() {
      return mayfly;
    },
    get folder() {
      return folder.path;
    },
    get store() {
      return store();
    },
  };
}
