import { randomBytes } from 'node:crypto';
import { Change } from './changes.js';
import type { Tables } from './layout.js';
import { WRITER_BYTES } from './news.js';

/** Maximum number of changes in a transaction. Each change blocks the event loop for about 30 µs. */
const MAX_BATCH = 100;

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
