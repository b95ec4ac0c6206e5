import { randomBytes } from 'node:crypto';
import { type InboxState, inboxKey, stateRow, type Table, type Tables } from './layout.js';
import { putNews, WRITER_BYTES } from './news.js';

/** Maximum number of changes in a transaction. Each change blocks the event loop for about 30 µs. */
const MAX_BATCH = 100;

/** One change of the store within a transaction. A change that throws must not have written anything. */
export class Change {
  readonly tables: Tables;
  bytes: number;
  messages: number;
  readonly arrivals = new Set<string>();
  readonly #version: number;
  #isEmpty = true;

  constructor(tables: Tables) {
    const { value, version = 0 } = tables.tally.getEntry('tally') ?? { value: { bytes: 0, messages: 0 } };
    this.tables = tables;
    this.bytes = value.bytes;
    this.messages = value.messages;
    this.#version = version;
  }

  put<V, K>(table: Table<V, K>, key: K, value: V): void {
    this.#isEmpty = false;
    table.putSync(key, value);
  }

  remove<V, K>(table: Table<V, K>, key: K): void {
    this.#isEmpty = false;
    table.removeSync(key);
  }

  setInbox(inbox: string, state: InboxState | undefined): void {
    if (state === undefined) this.remove(this.tables.emails, inboxKey(inbox));
    else this.put(this.tables.emails, inboxKey(inbox), stateRow(state));
  }

  finish(writer: Buffer): void {
    if (this.#isEmpty) return;
    const version = this.#version + 1;
    this.tables.tally.putSync('tally', { bytes: this.bytes, messages: this.messages }, version);
    if (this.tables.news !== null && this.arrivals.size > 0) putNews(this.tables, version, writer, [...this.arrivals]);
  }
}

export interface WriterParts {
  readonly tables: Tables;
  /** Runs one transaction. Resolves once the changes are on disk (D14); no other process writes meanwhile. */
  transaction(changes: () => void): Promise<void>;
}

interface Waiting {
  /** Makes the change. Once it is on disk, call the returned function, which settles the caller's promise. */
  make(change: Change): () => void;
  reject(error: unknown): void;
}

/** Makes changes in turn. Changes that arrive during a transaction share the next one and its `fdatasync`. */
export class Writer {
  readonly id: Buffer = randomBytes(WRITER_BYTES);
  readonly #parts: WriterParts;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Resolves once the change is on disk (D14). `job` may read the tables; no other process writes meanwhile. */
  change<T>(job: (change: Change) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const make = (change: Change) => {
        try {
          const result = job(change);
          return () => resolve(result);
        } catch (error) {
          return () => reject(error);
        }
      };
      this.#waiting.push({ make, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      let batch: Waiting[] = [];
      let outcomes: (() => void)[] = [];
      const transaction = () => {
        batch = this.#waiting.splice(0, MAX_BATCH);
        const change = new Change(this.#parts.tables);
        outcomes = batch.map(({ make }) => make(change));
        change.finish(this.id);
      };
      try {
        await this.#parts.transaction(transaction);
        for (const settle of outcomes) settle();
      } catch (error) {
        // An empty batch means that LMDB failed before it ran `transaction`. Then rejects the next batch of changes.
        if (batch.length === 0) batch = this.#waiting.splice(0, MAX_BATCH);
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
