import { Piscina } from 'piscina';
import type { Task, TaskInput, TaskName, TaskResult } from './tasks.js';

/** Memory of one thread's heap. A message's bytes lie outside of it. */
const THREAD_HEAP_MB = 256;

/** A thread that has had nothing to do for so long ends; the next task pays some 60 ms for a new one. */
const IDLE_THREAD_MS = 300_000;

/**
 * Reading a message is linear, so this is reached only by a fault of ours. It begins when a task is handed in, so it
 * leaves time for those that are before it.
 */
const TASK_TIMEOUT_MS = 60_000;

/** Worker threads, begun when they are first needed. */
export class ThreadPool {
  readonly #pool: Piscina<Task, TaskResult<TaskName>>;

  constructor(maxThreads: number) {
    this.#pool = new Piscina({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads,
      idleTimeout: IDLE_THREAD_MS,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
  }

  /** Runs a task, after those that were handed in before. Rejects when it fails or takes too long; its thread ends then. */
  async run<N extends TaskName>(name: N, input: TaskInput<N>): Promise<TaskResult<N>> {
    const limit = new AbortController();
    // AbortSignal.timeout would hold on to the task, and so to a message, until the time is over.
    const timer = setTimeout(() => limit.abort(), TASK_TIMEOUT_MS);
    try {
      return (await this.#pool.run({ name, input }, { signal: limit.signal })) as TaskResult<N>;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the threads. What they were doing rejects. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
