import { type MayflyStartOptions, provideService, type TearDown } from './run-service.js';

export type { MayflyStartOptions };

/**
 * A `globalSetup` of Vitest that starts Mayfly with options of its own: the default export of a file that the
 * configuration names.
 */
export function mayflySetup(options: MayflyStartOptions = {}): () => Promise<TearDown> {
  return () => provideService(options);
}

/** A `globalSetup` of Vitest: starts Mayfly for the run, unless `MAYFLY_URL` says that there is one. */
export default mayflySetup();
