import type { Clock } from '../../base/clock.js';
import { NamedError } from '../../base/named-error.js';
import { type Account, type Entry, FairQueue } from '../../limits/fair-queue.js';
import { LoopParser } from './loop-parser.js';
import { ParserThread, SMALL_BYTES, type ThreadOwner, type Work } from './parser-thread.js';
import type { TaskDetails, TaskName, TaskResult } from './tasks.js';

/** A thread gets at most this much in one batch, which nothing overtakes. */
const BATCH_MESSAGES = 16;
const BATCH_BYTES = 256 * 1024;
const BATCH_MS = 4;

export const IDLE_THREAD_MS = 60_000;

/** Pause after a failed start: each try takes a processor that others need. */
const START_PAUSE_MS = 1_000;

/** While there is no thread, the event loop parses what it may. A thread starts if more messages are open than this, */
const LOOP_MESSAGES = 8;

/** or if the event loop rests for longer than this because messages were costly. */
const LOOP_REST_MS = 100;

export interface ToParse {
  /** The client's key. */
  readonly client: string;
  /** Those of a large message are in shared memory. Unchanged until the task has ended. */
  readonly pieces: readonly Uint8Array[];
  /** Once aborted, nothing more begins. */
  readonly signal?: AbortSignal;
  /** Does the task on the event loop; omitted if it must not. */
  readonly onLoop?: () => readonly Uint8Array[];
}

export interface ParserPoolOptions {
  /** Threads at the same time; one more if small and large messages arrive together. */
  readonly count: number;
  readonly clock: Clock;
  /** The module that threads run. */
  readonly worker: URL;
}

interface QueuedWork extends Work {
  readonly account: Account<QueuedWork>;
  readonly lane: Lane;
  readonly signal: AbortSignal | undefined;
  readonly onLoop: (() => readonly Uint8Array[]) | undefined;
  /** 0 until it begins. */
  expectedMs: number;
  /** Whether a thread has died with it. It is then repeated alone, and to blame if that thread dies as well. */
  isSuspect: boolean;
}

/** The small messages, or the large ones, which have one more thread, so that small ones never wait for them. */
interface Lane {
  readonly queue: FairQueue<QueuedWork>;
  /** Messages that wait or are being parsed. */
  open: number;
}

/** The service stops before the work is done. */
export class ThreadsClosedError extends NamedError {
  override name = 'ThreadsClosedError';
  constructor() {
    super('The parser threads are closed because the service is stopping.');
  }
}

/** Parses messages in threads, in turns by time used (D22). A thread that dies or hangs loses one message. */
export class ParserPool implements ThreadOwner<QueuedWork> {
  readonly #options: ParserPoolOptions;
  readonly #loop: LoopParser;
  readonly #small: Lane = { queue: new FairQueue(), open: 0 };
  readonly #large: Lane = { queue: new FairQueue(), open: 0 };
  readonly #threads = new Set<ParserThread<QueuedWork>>();
  /** Idle threads, each with what cancels its end. */
  readonly #free = new Map<ParserThread<QueuedWork>, () => void>();
  #starting: ParserThread<QueuedWork> | null = null;
  #isPlanned = false;
  /** Cancel the next start after one that failed, and the end of the event loop's rest. */
  #cancelStart: (() => void) | null = null;
  #cancelRest: (() => void) | null = null;
  #isClosed = false;

  constructor(options: ParserPoolOptions) {
    this.#options = options;
    this.#loop = new LoopParser(options.clock);
  }

  /** Rejects if the task fails or takes too long, with the signal's reason, or with `ThreadsClosedError`. */
  run<N extends TaskName>(name: N, details: TaskDetails<N>, toParse: ToParse): Promise<TaskResult<N>> {
    const { client, pieces, signal, onLoop } = toParse;
    if (this.#isClosed) return Promise.reject(new ThreadsClosedError());
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const lane = bytes <= SMALL_BYTES ? this.#small : this.#large;
    const account = lane.queue.open(client);
    lane.open += 1;
    return new Promise((resolve, reject) => {
      const ended: Work['ended'] = (outcome, usedMs) => {
        // Work that never began says nothing about the cost of the client's mail.
        if (work.expectedMs > 0) lane.queue.end(account, bytes, { expectedMs: work.expectedMs, usedMs });
        lane.queue.close(account);
        lane.open -= 1;
        if (outcome instanceof Error) reject(this.#isClosed ? new ThreadsClosedError() : outcome);
        else resolve(outcome as TaskResult<N>);
      };
      const task = { name, details, pieces, bytes, ended };
      const work: QueuedWork = { ...task, account, lane, signal, onLoop, expectedMs: 0, isSuspect: false };
      lane.queue.add({ account, item: work });
      this.#plan();
    });
  }

  get hasThread(): boolean {
    return this.#threads.size > (this.#starting === null ? 0 : 1);
  }

  /** Ends the threads. Waiting and running work rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelStart?.();
    this.#cancelRest?.();
    this.#rejectWaiting(new ThreadsClosedError());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  freed(thread: ParserThread<QueuedWork>): void {
    if (this.#starting === thread) this.#starting = null;
    const cancel = this.#options.clock.after(IDLE_THREAD_MS, () => {
      this.#forget(thread);
      void thread.end();
    });
    this.#free.set(thread, cancel);
    this.#assign();
  }

  lost(thread: ParserThread<QueuedWork>, undone: readonly QueuedWork[], error: Error, usedMs: number): void {
    this.#forget(thread);
    for (const work of undone.toReversed()) {
      if (work.isSuspect || this.#isClosed) work.ended(error, usedMs);
      else this.#repeat(work);
    }
    if (this.#starting === thread) {
      this.#starting = null;
      this.#startFailed(error);
    }
    this.#plan();
  }

  #forget(thread: ParserThread<QueuedWork>): void {
    this.#threads.delete(thread);
    this.#free.get(thread)?.();
    this.#free.delete(thread);
  }

  #repeat(work: QueuedWork): void {
    const { account, lane } = work;
    lane.queue.takeBack(account, work.expectedMs);
    work.expectedMs = 0;
    work.isSuspect = true;
    lane.queue.putBack({ account, item: work });
  }

  #rejectWaiting(error: Error): void {
    for (const { queue } of [this.#small, this.#large]) {
      for (let next = queue.take(); next !== undefined; next = queue.take()) next.item.ended(error, 0);
    }
  }

  /** Assigns work at the end of this turn of the event loop: what arrives in one turn makes one batch. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(this.#assign);
  }

  readonly #assign = (): void => {
    this.#isPlanned = false;
    while (!this.#isClosed) {
      const lane = [this.#small, this.#large].find((one) => this.#mayBegin(one));
      if (lane === undefined) return;
      if (lane === this.#small && this.#parseOnLoop()) return;
      const [thread] = this.#free.keys();
      if (thread === undefined) {
        if (!this.#waitForLoop() || !this.#large.queue.isEmpty) this.#startThread();
        return;
      }
      const batch = this.#nextBatch(lane);
      if (batch.length === 0) continue;
      this.#free.get(thread)?.();
      this.#free.delete(thread);
      thread.hand(batch);
    }
  };

  /** Whether a lane has work and leaves a thread to the other lane. */
  #mayBegin(lane: Lane): boolean {
    if (lane.queue.isEmpty) return false;
    const running = [...this.#threads].filter(({ batch }) => batch[0]?.lane === lane);
    return running.length < this.#options.count;
  }

  /** The next small message if it is alone, as a thread's round trip costs more than parsing, or if there is no thread. */
  #nextForLoop(): Entry<QueuedWork> | undefined {
    const { queue, open } = this.#small;
    const next = open === 1 || !this.hasThread ? queue.first() : undefined;
    return next?.item.onLoop && !next.item.isSuspect ? next : undefined;
  }

  #parseOnLoop(): boolean {
    const next = this.#nextForLoop();
    if (next?.item.onLoop === undefined || this.#loop.restMs() > 0) return false;
    this.#begin(next);
    const { outcome, usedMs } = this.#loop.parse(next.item.onLoop);
    next.item.ended(outcome, usedMs);
    this.#plan();
    return true;
  }

  /** Waits until the event loop has rested, if it can do without a thread. */
  #waitForLoop(): boolean {
    if (this.#nextForLoop() === undefined) return false;
    const restMs = this.#loop.restMs();
    this.#cancelRest ??= this.#options.clock.after(restMs, () => {
      this.#cancelRest = null;
      this.#plan();
    });
    return restMs <= LOOP_REST_MS && this.#small.open <= LOOP_MESSAGES;
  }

  #nextBatch({ queue }: Lane): QueuedWork[] {
    const batch: QueuedWork[] = [];
    let [bytes, ms] = [0, 0];
    for (let next = queue.first(); next !== undefined && batch.length < BATCH_MESSAGES; next = queue.first()) {
      const { account, item } = next;
      if (item.signal?.aborted) {
        queue.take();
        item.ended(item.signal.reason as Error, 0);
        continue;
      }
      bytes += item.bytes;
      ms += queue.expectedMs(account, item.bytes);
      if (batch.length > 0 && (bytes > BATCH_BYTES || ms > BATCH_MS || item.isSuspect)) break;
      this.#begin(next);
      batch.push(item);
      if (item.isSuspect) break;
    }
    return batch;
  }

  #begin({ account, item }: Entry<QueuedWork>): void {
    const { queue } = item.lane;
    queue.take();
    item.expectedMs = queue.expectedMs(account, item.bytes);
    queue.begin(account, item.expectedMs);
  }

  /** Starts another thread if allowed. One at a time: each takes a whole processor for a moment. */
  #startThread(): void {
    const { count, clock, worker } = this.#options;
    if (this.#starting !== null || this.#cancelStart !== null || this.#threads.size > count) return;
    try {
      this.#starting = new ParserThread<QueuedWork>(worker, clock, this);
      this.#threads.add(this.#starting);
    } catch (error) {
      // Node throws at once if the system has no thread left; uncaught, it would end the process.
      this.#startFailed(error);
    }
  }

  /** Waiting work is left to other threads. Without any it is rejected, and new work waits for the next try. */
  #startFailed(cause: unknown): void {
    if (this.#isClosed) return;
    this.#cancelStart = this.#options.clock.after(START_PAUSE_MS, () => {
      this.#cancelStart = null;
      this.#plan();
    });
    if (this.#threads.size === 0) this.#rejectWaiting(new Error('No parser thread can be started.', { cause }));
  }
}
