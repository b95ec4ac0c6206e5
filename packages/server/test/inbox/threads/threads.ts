import { systemClock } from '../../../src/base/clock.js';
import { ParserPool, type ParserPoolOptions } from '../../../src/inbox/threads/parser-pool.js';

/** What threads run: compiled code, as users run it. */
const WORKER = new URL('../../../dist/worker.js', import.meta.url);

/** Threads that read mail as those of the service do. They keep no process from ending. */
export function newThreads(options: Partial<ParserPoolOptions> = {}): ParserPool {
  return new ParserPool({ count: 1, clock: systemClock, worker: WORKER, ...options });
}
