import type { Clock } from '../../base/clock.js';
import { NamedError } from '../../errors.js';
import { type Account, type Entry, FairQueue } from '../../limits/fair-queue.js';
import { ParserThread } from './parser-thread.js';
import type { HandedTask, ResultOf, TaskDetails, TaskName, TaskResult } from './tasks.js';

/** A thread gets at most this much in one batch, which nothing overtakes. */
const BATCH_MESSAGES = 16;
const BATCH_MS = 4;

/** Larger messages are handed over one by one, and small ones never wait for them. */
export const SMALL_BYTES = 64 * 1024;

export const IDLE_THREAD_MS = 60_000;

/** While there is no thread, the event loop parses what it may. A thread starts if more messages are open than this. */
const LOOP_MESSAGES = 8;

/** The event loop rests for as long as it took to parse a message, but no longer: on a busy machine all take long. */
const MAX_REST_MS = 100;

export interface ToParse {
  /** The client's key. */
  readonly client: string;
  /** Unchanged until the task has ended. Threads read shared memory as it lies; other memory is copied. */
  readonly pieces: readonly Uint8Array[];
  /** Whether each piece has memory of its own, which a thread gets instead of a copy. */
  readonly isOwned?: boolean;
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

interface Work extends ToParse {
  readonly name: string;
  readonly details: unknown;
  readonly bytes: number;
  readonly account: Account<Work>;
  /** 0 until it begins. */
  expectedMs: number;
  /** Whether a thread has died with it. It is then repeated alone, and to blame if that thread dies as well. */
  isSuspect: boolean;
  ended(outcome: TaskResult['outcome'], usedMs: number): void;
}

/** The small messages, or the large ones, which have one more thread, so that small ones never wait for them. */
interface Lane {
  readonly queue: FairQueue<Work>;
  /** Messages that wait or are being parsed. */
  open: number;
  /** Threads that work for it. */
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
  readonly #small: Lane = { queue: new FairQueue(), open: 0, threads: 0 };
  readonly #large: Lane = { queue: new FairQueue(), open: 0, threads: 0 };
  readonly #threads = new Set<ParserThread>();
  #isPlanned = false;
  /** Until then the event loop parses nothing. */
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
    const lane = bytes <= SMALL_BYTES ? this.#small : this.#large;
    const { queue } = lane;
    const account = queue.open(client);
    lane.open += 1;
    return new Promise((resolve, reject) => {
      const ended: Work['ended'] = (outcome, usedMs) => {
        // Work that never began says nothing about the cost of the client's mail.
        if (work.expectedMs > 0) queue.end(account, bytes, { expectedMs: work.expectedMs, usedMs });
        queue.close(account);
        lane.open -= 1;
        if (outcome instanceof Error) reject(this.#isClosed ? new ThreadsClosedError() : outcome);
        else resolve(outcome as ResultOf<N>);
      };
      // What a thread was given instead of copied cannot be repeated.
      const work: Work = { ...toParse, name, details, bytes, account, ended, expectedMs: 0, isSuspect: isOwned };
      queue.add({ account, item: work });
      this.#plan();
    });
  }

  get hasThread(): boolean {
    return this.#threads.size > 0;
  }

  /** Ends the threads. Waiting and running work rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRest?.();
    this.#rejectWaiting(new ThreadsClosedError());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
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
    for (const lane of [this.#small, this.#large]) {
      // Each lane leaves a thread to the other.
      while (!this.#isClosed && !lane.queue.isEmpty && lane.threads < this.#options.count) {
        if (lane === this.#small && this.#isForLoop()) break;
        const thread = this.#freeThread() ?? this.#newThread();
        if (thread === undefined) break;
        const batch = this.#nextBatch(lane);
        if (batch.length > 0) void this.#parse(batch, thread, lane);
      }
    }
  };

  /**
   * Whether the event loop parses the next small message, now or after a rest: if it is alone, as a thread's round trip
   * costs more than parsing, or if there is no thread.
   */
  #isForLoop(): boolean {
    const { queue, open } = this.#small;
    const next = queue.first();
    if (!next?.item.onLoop || next.item.isSuspect || (open > 1 && this.hasThread)) return false;
    const restMs = this.#restsUntil - this.#options.clock.monotonic();
    if (restMs <= 0) {
      this.#parseOnLoop(next, next.item.onLoop);
      return true;
    }
    if (open > LOOP_MESSAGES || this.#freeThread() !== undefined) return false;
    this.#cancelRest ??= this.#options.clock.after(restMs, () => {
      this.#cancelRest = null;
      this.#plan();
    });
    return true;
  }

  #parseOnLoop(entry: Entry<Work>, parse: () => readonly Uint8Array[]): void {
    const { clock } = this.#options;
    this.#begin(entry, this.#small);
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
    entry.item.ended(outcome, usedMs);
    this.#plan();
  }

  #freeThread(): ParserThread | undefined {
    return [...this.#threads].find(({ isFree }) => isFree);
  }

  /** None if there are enough, or the system has none left. */
  #newThread(): ParserThread | undefined {
    const { count, clock, worker } = this.#options;
    if (this.#threads.size > count) return undefined;
    try {
      const thread: ParserThread = new ParserThread(worker, clock, () => this.#threads.delete(thread));
      this.#threads.add(thread);
      thread.endAfter(IDLE_THREAD_MS);
      return thread;
    } catch (cause) {
      // Node throws at once if the system has no thread left. Other threads may do the work.
      if (!this.hasThread) this.#rejectWaiting(new Error('No parser thread can be started.', { cause }));
      return undefined;
    }
  }

  async #parse(batch: readonly Work[], thread: ParserThread, lane: Lane): Promise<void> {
    const { clock } = this.#options;
    const begunAt = clock.monotonic();
    lane.threads += 1;
    try {
      const results = await parsedBy(thread, batch);
      for (const [n, { outcome, usedMs }] of results.entries()) batch[n]?.ended(outcome, usedMs);
      thread.endAfter(IDLE_THREAD_MS);
    } catch (error) {
      for (const work of batch.toReversed()) {
        if (work.isSuspect || this.#isClosed) work.ended(error as Error, clock.monotonic() - begunAt);
        else this.#repeat(work, lane);
      }
    }
    lane.threads -= 1;
    this.#assign();
  }

  #nextBatch(lane: Lane): Work[] {
    const { queue } = lane;
    const batch: Work[] = [];
    let ms = 0;
    for (let next = queue.first(); next !== undefined && batch.length < BATCH_MESSAGES; next = queue.first()) {
      const { account, item } = next;
      if (item.signal?.aborted) {
        queue.take();
        item.ended(item.signal.reason, 0);
        continue;
      }
      ms += queue.expectedMs(account, item.bytes);
      if (batch.length > 0 && (ms > BATCH_MS || item.isSuspect)) break;
      this.#begin(next, lane);
      batch.push(item);
      if (item.isSuspect) break;
    }
    return batch;
  }

  #begin({ account, item }: Entry<Work>, { queue }: Lane): void {
    queue.take();
    item.expectedMs = queue.expectedMs(account, item.bytes);
    queue.begin(account, item.expectedMs);
  }

  #repeat(work: Work, { queue }: Lane): void {
    queue.takeBack(work.account, work.expectedMs);
    work.expectedMs = 0;
    work.isSuspect = true;
    queue.putBack({ account: work.account, item: work });
  }
}

function parsedBy(thread: ParserThread, batch: readonly Work[]): Promise<readonly TaskResult[]> {
  const transferred: ArrayBuffer[] = [];
  const tasks = batch.map(({ name, details, pieces, isOwned }): HandedTask => {
    const handed = pieces.map((piece) => {
      if (piece.buffer instanceof SharedArrayBuffer) return piece;
      // A piece may share its memory with more than this message.
      const own = isOwned ? piece : new Uint8Array(piece);
      transferred.push(own.buffer as ArrayBuffer);
      return own;
    });
    return { name, details, pieces: handed };
  });
  return thread.parse(tasks, transferred);
}
