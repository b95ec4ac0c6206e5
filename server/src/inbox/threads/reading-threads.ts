import type { Clock } from '../../base/clock.js';
import { type Account, type Entry, FairQueue } from '../../fairness/fair-queue.js';
import { ReadingThread, type ThreadOwner, type Work } from './reading-thread.js';
import type { TaskDetails, TaskName, TaskResult } from './tasks.js';
import { SLAB_BYTES } from './thread-messages.js';

/** Up to this size a message is small. Larger ones may take long and have one more thread: small ones never wait. */
export const SMALL_BYTES = 64 * 1024;

/** What a thread is handed at once: this many mails, or what is expected to take this long. Nothing overtakes it. */
const BATCH_MAILS = 16;
const BATCH_MS = 4;

/** A message whose thread died of another one is read again, and given up after this many deaths. */
const MAX_DEATHS = 2;

/** A thread that has had nothing to do for so long ends. */
export const IDLE_THREAD_MS = 60_000;

/** After a thread could not begin, none is begun for this long: each try takes a processor that others need. */
export const START_PAUSE_MS = 1_000;

/** While there is no thread, the event loop reads what it may. One begins where more messages wait than this, */
export const LOOP_MESSAGES = 8;

/** or where they would wait for longer than this because a message was costly. */
const LOOP_PAUSE_MS = 20;

/** The module that threads run. */
const WORKER = new URL('./worker.js', import.meta.url);

/** What is to be read, and for whom. */
export interface ToRead {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** The message in pieces; those of a large one are in shared memory. Not to be changed until it is read. */
  readonly pieces: readonly Uint8Array[];
  /** Once it is aborted, nothing is begun any more. */
  readonly signal?: AbortSignal;
  /** How the event loop reads it, which it may while there is no thread; left out where it must not. */
  readonly onLoop?: OnLoop;
}

export interface OnLoop {
  /** For how many milliseconds the event loop is for others first. */
  pauseMs(): number;
  /** What a thread would answer. Throws what reading it does. */
  read(): readonly Uint8Array[];
}

export interface ReadingThreadsOptions {
  /** How many threads read at once. There is one more where small and large messages come together. */
  readonly count: number;
  readonly clock: Clock;
  /** The module that threads run, when it is not the service's own. */
  readonly worker?: URL;
}

interface QueuedWork extends Work {
  readonly account: Account<QueuedWork>;
  readonly lane: Lane;
  /** What it is expected to take, once it is begun; 0 before. */
  expectedMs: number;
  /** How many threads have ended that had been handed it. */
  deaths: number;
  readonly signal: AbortSignal | undefined;
  /** Undefined, too, once a thread has died with it. */
  onLoop: OnLoop | undefined;
}

/** The small messages, or the large ones: who waits, who has used how much time, and how many threads are at them. */
class Lane {
  readonly queue = new FairQueue<QueuedWork>();
  /** How many messages wait or are being read. */
  open = 0;
  running = 0;
}

/**
 * Reads messages in worker threads, in turns by the time that each client has used (D22). A thread that dies, hangs or
 * runs out of memory takes nothing along but the message that it was reading.
 */
export class ReadingThreads implements ThreadOwner<QueuedWork> {
  readonly #count: number;
  readonly #clock: Clock;
  readonly #url: URL;
  readonly #small = new Lane();
  readonly #large = new Lane();
  /** All threads, each with the lane that it is at. */
  readonly #threads = new Map<ReadingThread<QueuedWork>, Lane | null>();
  /** Those that have nothing to do, and how to keep each from ending for it. */
  readonly #free = new Map<ReadingThread<QueuedWork>, () => void>();
  #starting: ReadingThread<QueuedWork> | null = null;
  /** Ends the pause after a thread that could not begin; null when there is none. */
  #endPause: (() => void) | null = null;
  #isPlanned = false;
  /** Ends the wait for the event loop to have time for reading; null when there is none. */
  #endLoopPause: (() => void) | null = null;
  #isClosed = false;

  constructor({ count, clock, worker = WORKER }: ReadingThreadsOptions) {
    this.#count = count;
    this.#clock = clock;
    this.#url = worker;
  }

  /** Does a task with a message. Rejects when that fails or takes too long, or with the signal's reason. */
  run<N extends TaskName>(name: N, details: TaskDetails<N>, toRead: ToRead): Promise<TaskResult<N>> {
    const { client, pieces, signal, onLoop } = toRead;
    if (this.#isClosed) return Promise.reject(new Error('The reading threads are closed.'));
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const isSmall = bytes <= SMALL_BYTES;
    const lane = isSmall ? this.#small : this.#large;
    const account = lane.queue.open(client);
    lane.open += 1;
    return new Promise((resolve, reject) => {
      const ended = (outcome: readonly Uint8Array[] | Error, usedMs: number) => {
        // What was given up before it was begun says nothing of what the client's mail takes: it would make it look
        // cheap.
        if (work.expectedMs > 0) lane.queue.end(account, bytes, { expectedMs: work.expectedMs, usedMs });
        lane.queue.close(account);
        lane.open -= 1;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome as TaskResult<N>);
      };
      const isCopied = isSmall;
      const how = { name, details, pieces, bytes, isCopied, ended, onLoop };
      const work = { ...how, account, lane, expectedMs: 0, deaths: 0, signal };
      lane.queue.add({ account, item: work });
      this.#plan();
    });
  }

  /** Whether there is a thread, busy or not, that has begun. */
  get hasOne(): boolean {
    return this.#threads.size > (this.#starting === null ? 0 : 1);
  }

  /** Whether nothing is being read or waits for it. */
  get isIdle(): boolean {
    return this.#small.queue.isIdle && this.#large.queue.isIdle;
  }

  /** Ends the threads. What waits, and what they were doing, rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endPause?.();
    this.#endLoopPause?.();
    this.#rejectAll(new Error('The reading threads were closed.'));
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

  /** Work of a thread that died of other work. It is alone in its next batch, in case it is to blame after all. */
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

  /** Assigns work at the end of this turn of the event loop, so that what came in it goes to a thread together. */
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

  /** Reads the next message on the event loop where it may. Tells whether what waits needs no thread. */
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

  /** A lane with work that a thread may be given to. Neither lane may have the last thread, which is the other's. */
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

  /** Takes the next message of a lane, to be read now. */
  #begin({ account, item }: Entry<QueuedWork>): void {
    const { queue } = item.lane;
    queue.take();
    item.expectedMs = queue.expectedMs(account, item.bytes);
    queue.begin(account, item.expectedMs);
  }

  /** Begins another thread where there may be one. One at a time: each takes all of a processor for a moment. */
  #startOne(): void {
    const mayStart = this.#starting === null && this.#endPause === null && !this.#isClosed;
    if (!mayStart || this.#threads.size > this.#count) return;
    try {
      const thread = new ReadingThread<QueuedWork>(this.#url, this.#clock, this);
      this.#threads.set(thread, null);
      this.#starting = thread;
    } catch (error) {
      // Where the system gives no more threads, Node throws at once. Nobody would catch it here, and it would end the
      // process.
      this.#startFailed(error);
    }
  }

  /** A thread cannot begin. What waits is left to other threads; without any, new work waits for the next try. */
  #startFailed(cause?: unknown): void {
    if (this.#isClosed) return;
    this.#endPause = this.#clock.after(START_PAUSE_MS, () => {
      this.#endPause = null;
      this.#plan();
    });
    if (this.#threads.size === 0) this.#rejectAll(new Error('No thread can be started.', { cause }));
  }

  /** Notes that a thread is not starting any more; tells whether it was. */
  #endStart(thread: ReadingThread<QueuedWork>): boolean {
    if (this.#starting !== thread) return false;
    this.#starting = null;
    return true;
  }

  #endIdle(thread: ReadingThread<QueuedWork>): void {
    if (!this.#free.delete(thread)) return;
    // At once: what comes until it has ended needs another.
    this.#threads.delete(thread);
    void thread.end();
  }
}
