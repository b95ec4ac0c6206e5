import { randomBytes } from 'node:crypto';
import { type InboxState, inboxKey, stateRow, type Table, type Tables } from './layout.js';

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

/** Number of changes remembered, one per row. A later change overwrites the row of an earlier one. */
const REMEMBERED = 256;

/** Maximum number of inboxes that a row names. If a change has more, its row names none, which means every inbox. */
const MAX_NAMED = 400;

/**
 * A check reads one row in 1.2 µs. File system notifications would cost a hundred times as much, because they include
 * our own writes, and not every file system has them.
 */
const LOOK_EVERY_MS = 10;

const VERSION_BYTES = 6;
/** Length of the writing process's random ID, by which a process recognizes and ignores its own rows. */
const WRITER_BYTES = 6;
const NAMES_AT = VERSION_BYTES + WRITER_BYTES;
const HASH_BYTES = 4;

/** Records, for other processes, which inboxes get mail in the change that raises the store to this version. */
function putNews({ news }: Tables, version: number, writer: Buffer, inboxes: readonly string[]): void {
  const named = inboxes.length <= MAX_NAMED ? inboxes : [];
  const row = Buffer.allocUnsafe(NAMES_AT + named.length * HASH_BYTES);
  row.writeUIntBE(version, 0, VERSION_BYTES);
  row.set(writer, VERSION_BYTES);
  for (const [i, inbox] of named.entries()) row.writeUInt32BE(hashOf(inbox), NAMES_AT + i * HASH_BYTES);
  news?.putSync(keyOf(version), row);
}

export class News {
  readonly #latest: () => Tables;
  readonly #writer: Buffer;
  /** Watches by the hash of their inbox, because rows contain hashes. Inboxes with the same hash are woken together. */
  readonly #watching = new Map<number, Set<() => void>>();
  #known = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `latest` returns the tables as of the last commit of any process. */
  constructor(latest: () => Tables, writer: Buffer) {
    this.#latest = latest;
    this.#writer = writer;
  }

  watch(inbox: string, wake: () => void): () => void {
    if (this.#watching.size === 0) {
      this.#known = this.#version();
      this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    }
    const hash = hashOf(inbox);
    // Wraps the function, so that two watches with the same function stay separate.
    const own = () => wake();
    const watching = this.#watching.get(hash) ?? new Set();
    this.#watching.set(hash, watching.add(own));
    return () => {
      if (!watching.delete(own) || watching.size > 0) return;
      this.#watching.delete(hash);
      if (this.#watching.size === 0) clearInterval(this.#timer);
    };
  }

  close(): void {
    this.#watching.clear();
    clearInterval(this.#timer);
  }

  look(): void {
    if (this.#watching.size === 0) return;
    const version = this.#version();
    if (version === this.#known) return;
    const hashes = this.#hashesSince(this.#known, version) ?? this.#watching.keys();
    this.#known = version;
    // Copies the functions first, because a `wake` may end its own watch and others.
    const wakes = [...hashes].flatMap((hash) => [...(this.#watching.get(hash) ?? [])]);
    for (const wake of wakes) wake();
  }

  #version(): number {
    return this.#latest().tally.getEntry('tally')?.version ?? 0;
  }

  /** Hashes of the inboxes that got mail after version `known`; null if any inbox may have got mail. */
  #hashesSince(known: number, version: number): Set<number> | null {
    if (version - known > REMEMBERED) return null;
    const { news } = this.#latest();
    const hashes = new Set<number>();
    for (let next = known + 1; next <= version; next += 1) {
      const row = news?.getBinaryFast(keyOf(next));
      // A change without mail, such as a deletion, writes no row, so the key may still hold the row of an older change.
      if (row === undefined || row.readUIntBE(0, VERSION_BYTES) !== next) continue;
      if (this.#writer.equals(row.subarray(VERSION_BYTES, NAMES_AT))) continue;
      if (row.length === NAMES_AT) return null;
      for (let at = NAMES_AT; at < row.length; at += HASH_BYTES) hashes.add(row.readUInt32BE(at));
    }
    return hashes;
  }
}

function keyOf(version: number): Buffer {
  return Buffer.of(version % REMEMBERED);
}

function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
