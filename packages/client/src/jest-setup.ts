import { begin } from './jest-run.js';
import type { MayflyStartOptions } from './run-service.js';

export type { MayflyStartOptions };

/**
 * A `globalSetup` of Jest that starts Mayfly with options of its own: the default export of a file that the
 * configuration names. Goes with `mayfly-client/jest/teardown`.
 */
export function mayflySetup(options: MayflyStartOptions = {}): () => Promise<void> {
  return () => begin(options);
}

/** A `globalSetup` of Jest: starts Mayfly for the run, unless `MAYFLY_URL` says that there is one. */
export default mayflySetup();
