import { JOINED_BYTES } from '../chunks.js';
import { Arena, Draft } from './draft.js';
import type { WriterId } from './news.js';
import type { Environment, Tables } from './tables.js';

/** Changes that share a transaction at most: drafting one blocks the event loop for some 10 µs. */
const MAX_BATCH = 100;

/** Bytes after which a batch is full, so that it occupies LMDB for some ten milliseconds. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** Transactions made under LMDB's lock after another process was seen writing. */
const LOCKED_TRANSACTIONS = 100;

/** Drafts a change. It may run again on another draft. If it throws, it must not have drafted anything. */
type Job<T> = (draft: Draft) => T;

interface Waiting {
  noteDown(draft: Draft): () => void;
  readonly bytes: number;
  reject(error: unknown): void;
}

/**
 * Makes a store's transactions, one after another. Changes that wait when one ends share the next, so one `fdatasync`
 * serves many. In between, one job that must be alone has its turn: neither kind waits for more than one of the other.
 */
export class Writer {
  readonly #environment: Environment;
  readonly #tables: Tables;
  readonly #id: WriterId;
  readonly #arena = new Arena(MAX_BATCH_BYTES + JOINED_BYTES);
  readonly #together: Waiting[] = [];
  readonly #alone: Waiting[] = [];
  #isRunning = false;
  #locked = 0;

  constructor(environment: Environment, tables: Tables, id: WriterId) {
    this.#environment = environment;
    this.#tables = tables;
    this.#id = id;
  }

  /** Runs a job together with those that wait beside it. It must read only through the draft. */
  together<T>(job: Job<T>, bytes: number): Promise<T> {
    return this.#queue(this.#together, job, bytes);
  }

  /** Runs a job in a transaction of its own, so that it may read the tables. */
  alone<T>(job: Job<T>): Promise<T> {
    return this.#queue(this.#alone, job, 0);
  }

  #queue<T>(queue: Waiting[], job: Job<T>, bytes: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const noteDown = (draft: Draft) => {
        try {
          const result = job(draft);
          return () => resolve(result);
        } catch (error) {
          return () => reject(error);
        }
      };
      queue.push({ noteDown, bytes, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Jobs of the same moment share the transaction.
      queueMicrotask(() => this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#together.length > 0 || this.#alone.length > 0) {
      if (this.#together.length > 0) await this.#commit(this.#together.splice(0, this.#batchLength()));
      if (this.#alone.length > 0) await this.#commit(this.#alone.splice(0, 1));
    }
    this.#isRunning = false;
  }

  #batchLength(): number {
    let bytes = 0;
    let length = 0;
    for (const waiting of this.#together) {
      bytes += waiting.bytes;
      if (length > 0 && (length === MAX_BATCH || bytes > MAX_BATCH_BYTES)) break;
      length += 1;
    }
    return length;
  }

  async #commit(jobs: readonly Waiting[]): Promise<void> {
    try {
      const settle = (await this.#written(jobs)) ?? (await this.#writtenUnderLock(jobs));
      for (const one of settle) one();
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  }

  /** Has LMDB's thread write the jobs. Null once another process wrote, and for a while after: their basis is stale. */
  async #written(jobs: readonly Waiting[]): Promise<(() => void)[] | null> {
    if (this.#locked > 0) return null;
    this.#environment.resetReadTxn();
    const draft = new Draft(this.#tables, this.#arena, this.#id);
    const settle = jobs.map(({ noteDown }) => noteDown(draft));
    if (draft.isEmpty || (await this.#environment.writeIfUnchanged(draft.version, () => draft.write()))) return settle;
    this.#locked = LOCKED_TRANSACTIONS;
    return null;
  }

  #writtenUnderLock(jobs: readonly Waiting[]): Promise<(() => void)[]> {
    this.#locked -= 1;
    return this.#environment.transaction(() => {
      const draft = new Draft(this.#tables, this.#arena, this.#id);
      const settle = jobs.map(({ noteDown }) => noteDown(draft));
      if (!draft.isEmpty) draft.write();
      return settle;
    });
  }
}
