import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.js';
import { NamedError } from '../../errors.js';
import { FairQueue, type Job } from '../../limits/fair-queue.js';
import type { HandedTask, ResultOf, TaskDetails, TaskName, TaskResult } from './tasks.js';

/** Maximum size of a thread's batch. Small, because later messages wait until the whole batch is done. */
const BATCH_MESSAGES = 16;
const BATCH_MS = 4;

/** Larger messages are passed to threads one by one, and small ones never wait for them. */
export const SMALL_BYTES = 64 * 1024;

export const IDLE_THREAD_MS = 60_000;

/** While no thread runs, the event loop parses small messages. If more than this are unfinished, a thread starts. */
const LOOP_MESSAGES = 8;

/** After a message, the event loop parses nothing for as long as that message took, but at most for this time. */
const MAX_REST_MS = 100;

export interface ToParse {
  /** Identifies the client (see `clientKey`). Work takes turns by client. */
  readonly client: string;
  /** Must not change until the task has ended. Threads read shared memory in place; other memory is copied. */
  readonly pieces: readonly Uint8Array[];
  /** Whether each piece has separate memory, which is transferred to a thread instead of copied. */
  readonly isOwned?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Runs the task on the event loop; omitted if the task must run in a thread. */
  readonly onLoop?: (() => readonly Uint8Array[]) | undefined;
}

export interface ParserPoolOptions {
  /** Maximum number of threads for small messages, and also for large ones. In total, there may be one more thread. */
  readonly count: number;
  readonly clock: Clock;
  /** A file, or the source of the code. */
  readonly worker: URL | string;
}

interface Work extends Job {
  readonly toParse: ToParse;
  readonly name: string;
  readonly details: unknown;
  /** Whether a thread died during this work. The work then runs alone, and is at fault if its thread dies again. */
  isSuspect: boolean;
  ended(outcome: TaskResult['outcome'], usedMs: number): void;
}

/** The work of small or large messages. Uses at most `count` of `count + 1` threads, to leave one to the other lane. */
interface Lane {
  readonly queue: FairQueue<Work>;
  threads: number;
}

/** The service stops before the work is done. */
export class ThreadsClosedError extends NamedError {
  override name = 'ThreadsClosedError';
  constructor() {
    super('The parser threads are closed because the service is stopping.');
  }
}

/** Parses messages in threads, in turns by time used (D22). A thread that dies or hangs loses one message. */
export class ParserPool {
  readonly #options: ParserPoolOptions;
  readonly #small: Lane = { queue: new FairQueue(), threads: 0 };
  readonly #large: Lane = { queue: new FairQueue(), threads: 0 };
  readonly #threads = new Set<ParserThread>();
  #isPlanned = false;
  #restsUntil = 0;
  #cancelRest: (() => void) | null = null;
  #isClosed = false;

  constructor(options: ParserPoolOptions) {
    this.#options = options;
  }

  /** Rejects if the task fails or takes too long, with the signal's reason, or with `ThreadsClosedError`. */
  run<N extends TaskName>(name: N, details: TaskDetails<N>, toParse: ToParse): Promise<ResultOf<N>> {
    const { client, pieces, isOwned = false } = toParse;
    if (this.#isClosed) return Promise.reject(new ThreadsClosedError());
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const { queue } = bytes <= SMALL_BYTES ? this.#small : this.#large;
    return new Promise((resolve, reject) => {
      const ended: Work['ended'] = (outcome, usedMs) => {
        queue.end(work, usedMs);
        if (outcome instanceof Error) reject(this.#isClosed ? new ThreadsClosedError() : outcome);
        else resolve(outcome as ResultOf<N>);
      };
      // Owned memory is gone once transferred to a thread. Such work counts as suspect, so it is not tried again.
      const work: Work = { client, toParse, name, details, bytes, ended, expectedMs: null, isSuspect: isOwned };
      queue.add(work);
      this.#plan();
    });
  }

  get hasThread(): boolean {
    return this.#threads.size > 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRest?.();
    this.#rejectWaiting(new ThreadsClosedError());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #rejectWaiting(error: Error): void {
    for (const { queue } of [this.#small, this.#large]) {
      for (let work = queue.first(); work !== undefined; work = queue.first()) work.ended(error, 0);
    }
  }

  /** Assigns work at the end of this turn of the event loop, so that the messages of one turn make one batch. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(this.#assign);
  }

  readonly #assign = (): void => {
    this.#isPlanned = false;
    for (const lane of [this.#small, this.#large]) {
      // Each lane leaves a thread to the other.
      while (!this.#isClosed && lane.threads < this.#options.count && lane.queue.first() !== undefined) {
        if (lane === this.#small && this.#isForLoop()) break;
        const thread = this.#freeThread() ?? this.#newThread();
        if (thread === undefined) break;
        const batch = nextBatch(lane.queue);
        if (batch.length > 0) void this.#parse(batch, thread, lane);
      }
    }
  };

  /** Whether the event loop parses the next message: if it is the only one (a thread costs more), or no thread runs. */
  #isForLoop(): boolean {
    const { queue } = this.#small;
    const next = queue.first();
    const parse = next?.toParse.onLoop;
    if (!parse || next.isSuspect || (queue.jobs > 1 && this.hasThread)) return false;
    const restMs = this.#restsUntil - this.#options.clock.monotonic();
    if (restMs <= 0) {
      this.#parseOnLoop(next, parse);
      return true;
    }
    if (queue.jobs > LOOP_MESSAGES || this.#freeThread() !== undefined) return false;
    this.#cancelRest ??= this.#options.clock.after(restMs, () => {
      this.#cancelRest = null;
      this.#plan();
    });
    return true;
  }

  #parseOnLoop(work: Work, parse: () => readonly Uint8Array[]): void {
    const { clock } = this.#options;
    this.#small.queue.begin(work);
    const startedAt = clock.monotonic();
    let outcome: TaskResult['outcome'];
    try {
      outcome = parse();
    } catch (error) {
      outcome = error as Error;
    }
    const endedAt = clock.monotonic();
    const usedMs = endedAt - startedAt;
    this.#restsUntil = endedAt + Math.min(usedMs, MAX_REST_MS);
    work.ended(outcome, usedMs);
    this.#plan();
  }

  #freeThread(): ParserThread | undefined {
    return [...this.#threads].find(({ isFree }) => isFree);
  }

  /** Starts a thread. Undefined if there are enough threads, or the system has none left. */
  #newThread(): ParserThread | undefined {
    const { count, clock, worker } = this.#options;
    if (this.#threads.size > count) return undefined;
    try {
      const thread: ParserThread = new ParserThread(worker, clock, () => this.#threads.delete(thread));
      this.#threads.add(thread);
      thread.endAfter(IDLE_THREAD_MS);
      return thread;
    } catch (cause) {
      // Node throws if the system has no thread left. Other threads may do the work.
      if (!this.hasThread) this.#rejectWaiting(new Error('No parser thread can be started.', { cause }));
      return undefined;
    }
  }

  async #parse(batch: readonly Work[], thread: ParserThread, lane: Lane): Promise<void> {
    const { clock } = this.#options;
    const begunAt = clock.monotonic();
    lane.threads += 1;
    try {
      const results = await thread.parse(batch);
      for (const [n, { outcome, usedMs }] of results.entries()) batch[n]?.ended(outcome, usedMs);
      thread.endAfter(IDLE_THREAD_MS);
    } catch (error) {
      for (const work of batch.toReversed()) {
        if (work.isSuspect || this.#isClosed) work.ended(error as Error, clock.monotonic() - begunAt);
        else {
          work.isSuspect = true;
          lane.queue.putBack(work);
        }
      }
    }
    lane.threads -= 1;
    this.#assign();
  }
}

function nextBatch(queue: FairQueue<Work>): Work[] {
  const batch: Work[] = [];
  let ms = 0;
  for (let work = queue.first(); work !== undefined && batch.length < BATCH_MESSAGES; work = queue.first()) {
    const { signal } = work.toParse;
    if (signal?.aborted) {
      work.ended(signal.reason, 0);
      continue;
    }
    ms += queue.expectedMs(work);
    if (batch.length > 0 && (ms > BATCH_MS || work.isSuspect)) break;
    queue.begin(work);
    batch.push(work);
    if (work.isSuspect) break;
  }
  return batch;
}

/** Heap of one thread. The bytes of large messages are outside of this heap. */
const THREAD_HEAP_MB = 256;

/** Three times the part that V8 fills between two collections. More would only keep memory. */
const YOUNG_HEAP_MB = 24;

/** Parsing is linear, so only a bug in Mayfly exceeds this limit. */
export const PARSING_LIMIT_MS = 30_000;

interface Batch {
  resolve(results: readonly TaskResult[]): void;
  reject(error: Error): void;
}

class ParserThread {
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #ended: () => void;
  #batch: Batch | null = null;
  #error = new Error('The parser thread ended before it had parsed the message.');
  #stopWatch = () => {};

  /** Throws if the system has no thread left. `ended` is called once the thread accepts no more work. */
  constructor(code: URL | string, clock: Clock, ended: () => void) {
    this.#clock = clock;
    this.#ended = ended;
    this.#worker = new Worker(code, {
      eval: typeof code === 'string',
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', this.#received);
    this.#worker.on('error', (error: unknown) => {
      this.#error = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on('exit', () => {
      ended();
      this.#over()?.reject(this.#error);
    });
  }

  get isFree(): boolean {
    return this.#batch === null;
  }

  /** Must be called only while the thread is free. Rejects if the thread ends, or takes too long. */
  parse(batch: readonly Pick<Work, 'name' | 'details' | 'toParse'>[]): Promise<readonly TaskResult[]> {
    const transferred: ArrayBuffer[] = [];
    const tasks = batch.map(({ name, details, toParse }): HandedTask => {
      const pieces = toParse.pieces.map((piece) => {
        if (piece.buffer instanceof SharedArrayBuffer) return piece;
        // Copies a piece that is not owned, because its memory may contain more than this message.
        const own = toParse.isOwned ? piece : new Uint8Array(piece);
        transferred.push(own.buffer as ArrayBuffer);
        return own;
      });
      return { name, details, pieces };
    });
    this.#stopWatch();
    this.#stopWatch = this.#clock.after(PARSING_LIMIT_MS, () => {
      this.#error = new Error(`Parsing the message took more than ${PARSING_LIMIT_MS} ms.`);
      // A result that arrives now must not make an ending thread look free.
      this.#worker.off('message', this.#received);
      void this.end();
    });
    return new Promise((resolve, reject) => {
      this.#batch = { resolve, reject };
      this.#worker.postMessage(tasks, transferred);
    });
  }

  endAfter(idleMs: number): void {
    this.#stopWatch = this.#clock.after(idleMs, () => void this.end());
  }

  async end(): Promise<void> {
    this.#ended();
    await this.#worker.terminate();
  }

  readonly #received = (results: readonly TaskResult[]): void => {
    this.#over()?.resolve(results);
  };

  #over(): Batch | null {
    this.#stopWatch();
    const batch = this.#batch;
    this.#batch = null;
    return batch;
  }
}
