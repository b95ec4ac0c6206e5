import { systemClock } from '../../../src/base/clock.js';
import { ReadingThreads, type ReadingThreadsOptions } from '../../../src/inbox/threads/reading-threads.js';

/** What threads run: compiled code, as users run it. */
const WORKER = new URL('../../../dist/worker.js', import.meta.url);

/** Threads that read mail as those of the service do. They keep no process from ending. */
export function newThreads(options: Partial<ReadingThreadsOptions> = {}): ReadingThreads {
  return new ReadingThreads({ count: 1, clock: systemClock, worker: WORKER, ...options });
}
