import type { Clock } from '../../base/clock.js';
import { NamedError } from '../../base/named-error.js';
import { type Account, type Entry, FairQueue } from '../../limits/fair-queue.js';
import { ReadingThread, type ThreadOwner, type Work } from './reading-thread.js';
import type { TaskDetails, TaskName, TaskResult } from './tasks.js';
import { SLAB_BYTES } from './thread-messages.js';

/** Larger messages may take long and have one more thread: small ones never wait for them. */
export const SMALL_BYTES = 64 * 1024;

/** What a thread gets at once: this many mails, or this much expected time. Nothing overtakes it. */
const BATCH_MAILS = 16;
const BATCH_MS = 4;

/** Work whose thread died of other work is repeated, and given up after this many deaths. */
const MAX_DEATHS = 2;

export const IDLE_THREAD_MS = 60_000;

/** Pause after a failed start: each try takes a processor that others need. */
export const START_PAUSE_MS = 1_000;

/** Without a thread, the event loop reads what it may. A thread starts if more messages wait than this, */
export const LOOP_MESSAGES = 8;

/** or if they would wait for longer than this because a message was costly. */
const LOOP_PAUSE_MS = 20;

export interface ToRead {
  /** The client's key. */
  readonly client: string;
  /** In pieces; those of a large message are in shared memory. Unchanged until it is read. */
  readonly pieces: readonly Uint8Array[];
  /** Once aborted, nothing more begins. */
  readonly signal?: AbortSignal;
  /** How the event loop reads it while there is no thread; omitted if it must not. */
  readonly onLoop?: OnLoop;
}

export interface OnLoop {
  /** Milliseconds for which the event loop serves others first. */
  pauseMs(): number;
  /** What a thread would answer. Throws what parsing throws. */
  read(): readonly Uint8Array[];
}

export interface ReadingThreadsOptions {
  /** Threads at once; one more if small and large messages come together. */
  readonly count: number;
  readonly clock: Clock;
  /** The module that threads run. */
  readonly worker: URL;
}

interface QueuedWork extends Work {
  readonly account: Account<QueuedWork>;
  readonly lane: Lane;
  /** 0 until it begins. */
  expectedMs: number;
  /** Threads that ended with it in hand. */
  deaths: number;
  readonly signal: AbortSignal | undefined;
  /** Also undefined once a thread has died with it. */
  onLoop: OnLoop | undefined;
}

/** The small messages or the large ones: their queue, and the number of threads at work on them. */
class Lane {
  readonly queue = new FairQueue<QueuedWork>();
  open = 0;
  running = 0;
}

/** The service stops before the work is done. */
export class ThreadsClosedError extends NamedError {
  override name = 'ThreadsClosedError';
  constructor() {
    super('The reading threads are closed: the service is stopping.');
  }
}

/** Parses messages in threads, in turns by time used (D22). A thread that dies or hangs loses one message. */
export class ReadingThreads implements ThreadOwner<QueuedWork> {
  readonly #count: number;
  readonly #clock: Clock;
  readonly #url: URL;
  readonly #small = new Lane();
  readonly #large = new Lane();
  readonly #threads = new Map<ReadingThread<QueuedWork>, Lane | null>();
  /** Idle threads, each with what cancels its end. */
  readonly #free = new Map<ReadingThread<QueuedWork>, () => void>();
  #starting: ReadingThread<QueuedWork> | null = null;
  #endPause: (() => void) | null = null;
  #isPlanned = false;
  /** Ends the wait for the event loop's turn to read. */
  #endLoopPause: (() => void) | null = null;
  #isClosed = false;

  constructor({ count, clock, worker }: ReadingThreadsOptions) {
    this.#count = count;
    this.#clock = clock;
    this.#url = worker;
  }

  /** Rejects if the task fails or takes too long, or with the signal's reason. */
  run<N extends TaskName>(name: N, details: TaskDetails<N>, toRead: ToRead): Promise<TaskResult<N>> {
    const { client, pieces, signal, onLoop } = toRead;
    if (this.#isClosed) return Promise.reject(new ThreadsClosedError());
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const isSmall = bytes <= SMALL_BYTES;
    const lane = isSmall ? this.#small : this.#large;
    const account = lane.queue.open(client);
    lane.open += 1;
    return new Promise((resolve, reject) => {
      const ended = (outcome: readonly Uint8Array[] | Error, usedMs: number) => {
        // Work given up before it began says nothing about the cost of the client's mail.
        if (work.expectedMs > 0) lane.queue.end(account, bytes, { expectedMs: work.expectedMs, usedMs });
        lane.queue.close(account);
        lane.open -= 1;
        if (outcome instanceof Error) reject(this.#isClosed ? new ThreadsClosedError() : outcome);
        else resolve(outcome as TaskResult<N>);
      };
      const isCopied = isSmall;
      const how = { name, details, pieces, bytes, isCopied, ended, onLoop };
      const work = { ...how, account, lane, expectedMs: 0, deaths: 0, signal };
      lane.queue.add({ account, item: work });
      this.#plan();
    });
  }

  get hasOne(): boolean {
    return this.#threads.size > (this.#starting === null ? 0 : 1);
  }

  get isIdle(): boolean {
    return this.#small.queue.isIdle && this.#large.queue.isIdle;
  }

  /** Ends the threads. Waiting and running work rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endPause?.();
    this.#endLoopPause?.();
    this.#rejectAll(new ThreadsClosedError());
    await Promise.all([...this.#threads.keys()].map((thread) => thread.end()));
  }

  isFree(thread: ReadingThread<QueuedWork>): void {
    const lane = this.#threads.get(thread);
    if (lane) lane.running -= 1;
    this.#threads.set(thread, null);
    this.#free.set(
      thread,
      this.#clock.after(IDLE_THREAD_MS, () => this.#endIdle(thread)),
    );
    this.#endStart(thread);
    this.#assign();
  }

  isLost(thread: ReadingThread<QueuedWork>, undone: readonly QueuedWork[]): void {
    const lane = this.#threads.get(thread);
    if (lane) lane.running -= 1;
    this.#threads.delete(thread);
    this.#free.get(thread)?.();
    this.#free.delete(thread);
    for (const work of undone.toReversed()) this.#doAgain(work);
    if (this.#endStart(thread)) this.#startFailed();
    if (!this.#isClosed) this.#plan();
  }

  /** Repeats work of a thread that died of other work, alone in its batch in case it is to blame after all. */
  #doAgain(work: QueuedWork): void {
    const { account, lane } = work;
    work.deaths += 1;
    work.onLoop = undefined;
    lane.queue.takeBack(account, work.expectedMs);
    work.expectedMs = 0;
    if (this.#isClosed || work.deaths >= MAX_DEATHS) {
      work.ended(new Error('The thread that was to read the message was ended.'), 0);
      return;
    }
    lane.queue.putBack({ account, item: work });
  }

  #rejectAll(error: Error): void {
    for (const { queue } of [this.#small, this.#large]) {
      for (let next = queue.take(); next !== undefined; next = queue.take()) next.item.ended(error, 0);
    }
  }

  /** Assigns work at the end of this turn of the event loop, so that what arrived in it goes to a thread together. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(this.#assign);
  }

  readonly #assign = (): void => {
    this.#isPlanned = false;
    for (let lane = this.#nextLane(); lane !== null && !this.#isClosed; lane = this.#nextLane()) {
      const [thread] = this.#free.keys();
      if (thread === undefined) {
        if (!this.#readOnLoop() || !this.#large.queue.isEmpty) this.#startOne();
        return;
      }
      const batch = this.#batchOf(lane);
      if (batch.length === 0) continue;
      this.#free.get(thread)?.();
      this.#free.delete(thread);
      this.#threads.set(thread, lane);
      lane.running += 1;
      thread.hand(batch);
    }
  };

  #readOnLoop(): boolean {
    const { queue, open } = this.#small;
    const next = this.hasOne ? undefined : queue.first();
    const onLoop = next?.item.onLoop;
    if (next === undefined || onLoop === undefined) return false;
    const pauseMs = onLoop.pauseMs();
    if (pauseMs === 0) {
      this.#begin(next);
      next.item.ended(...this.#outcomeOf(onLoop));
      this.#plan();
    } else {
      this.#endLoopPause ??= this.#clock.after(pauseMs, () => {
        this.#endLoopPause = null;
        this.#assign();
      });
    }
    return pauseMs <= LOOP_PAUSE_MS && open <= LOOP_MESSAGES;
  }

  #outcomeOf(onLoop: OnLoop): [outcome: readonly Uint8Array[] | Error, usedMs: number] {
    const begunAt = this.#clock.monotonic();
    let outcome: readonly Uint8Array[] | Error;
    try {
      outcome = onLoop.read();
    } catch (error) {
      outcome = error as Error;
    }
    return [outcome, this.#clock.monotonic() - begunAt];
  }

  /** A lane with work for a thread. Neither lane takes the last thread, which is the other's. */
  #nextLane(): Lane | null {
    for (const lane of [this.#small, this.#large]) {
      if (!lane.queue.isEmpty && lane.running < this.#count) return lane;
    }
    return null;
  }

  #batchOf(lane: Lane): QueuedWork[] {
    const { queue } = lane;
    const batch: QueuedWork[] = [];
    let [bytes, ms] = [0, 0];
    for (let next = queue.first(); next !== undefined; next = queue.first()) {
      const { account, item } = next;
      if (item.signal?.aborted) {
        queue.take();
        item.ended(item.signal.reason as Error, 0);
        continue;
      }
      const expectedMs = queue.expectedMs(account, item.bytes);
      bytes += item.bytes;
      ms += expectedMs;
      if (batch.length > 0 && (bytes > SLAB_BYTES || ms > BATCH_MS || item.deaths > 0)) break;
      this.#begin(next);
      batch.push(item);
      if (batch.length >= BATCH_MAILS || item.deaths > 0) break;
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
  #startOne(): void {
    const mayStart = this.#starting === null && this.#endPause === null && !this.#isClosed;
    if (!mayStart || this.#threads.size > this.#count) return;
    try {
      const thread = new ReadingThread<QueuedWork>(this.#url, this.#clock, this);
      this.#threads.set(thread, null);
      this.#starting = thread;
    } catch (error) {
      // Node throws at once if the system gives no more threads; uncaught, it would end the process.
      this.#startFailed(error);
    }
  }

  /** Waiting work is left to other threads. Without any it is rejected, and new work waits for the next try. */
  #startFailed(cause?: unknown): void {
    if (this.#isClosed) return;
    this.#endPause = this.#clock.after(START_PAUSE_MS, () => {
      this.#endPause = null;
      this.#plan();
    });
    if (this.#threads.size === 0) this.#rejectAll(new Error('No thread can be started.', { cause }));
  }

  #endStart(thread: ReadingThread<QueuedWork>): boolean {
    if (this.#starting !== thread) return false;
    this.#starting = null;
    return true;
  }

  #endIdle(thread: ReadingThread<QueuedWork>): void {
    if (!this.#free.delete(thread)) return;
    // At once: work that arrives until it has ended needs another.
    this.#threads.delete(thread);
    void thread.end();
  }
}
