import { type MayflyStartOptions, provideService, type TearDown } from './run-service.js';

/**
 * Where the end of the run finds what its beginning has begun: Jest loads the two files on their own, in one process.
 */
const TEAR_DOWN = Symbol.for('mayfly-client.jest.tear-down');

const state = globalThis as { [TEAR_DOWN]?: TearDown | undefined };

/** Begins a run; in watch mode there are several, one after the other. */
export async function begin(options: MayflyStartOptions): Promise<void> {
  await end();
  state[TEAR_DOWN] = await provideService(options);
}

/** Ends what the run has begun. */
export async function end(): Promise<void> {
  const tearDown = state[TEAR_DOWN];
  state[TEAR_DOWN] = undefined;
  await tearDown?.();
}
