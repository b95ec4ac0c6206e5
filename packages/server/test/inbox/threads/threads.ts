import { systemClock } from '../../../src/base/clock.js';
import { ParserPool, type ParserPoolOptions } from '../../../src/inbox/threads/parser-pool.js';

/** The compiled worker, as users run it. */
const WORKER = new URL('../../../dist/worker.js', import.meta.url);

/** Creates parser threads like the service's, which do not keep a process alive. */
export function newThreads(options: Partial<ParserPoolOptions> = {}): ParserPool {
  return new ParserPool({ count: 1, clock: systemClock, worker: WORKER, ...options });
}
