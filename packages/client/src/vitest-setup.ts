import { type MayflyStartOptions, provideService, type TearDown } from './run-service.js';

export type { MayflyStartOptions };

/** What Vitest calls a set-up with, as far as it is used here. */
interface Project {
  readonly config?: { readonly watch?: boolean };
}

/**
 * A `globalSetup` of Vitest that starts Mayfly with options of its own: the default export of a file that the
 * configuration names.
 */
export function mayflySetup(options: MayflyStartOptions = {}): (project?: Project) => Promise<TearDown> {
  return (project) => provideService(options, project?.config?.watch === true);
}

/** A `globalSetup` of Vitest: starts Mayfly for the run, unless `MAYFLY_URL` says that there is one. */
export default mayflySetup();
