import { randomBytes } from 'node:crypto';
import type { BinaryTable, Environment, Tables } from './tables.js';

/** How many transactions are remembered, one in each row. The last one that has a row's turn has the row. */
const REMEMBERED = 256;

/** How many inboxes a transaction names. With more of them the row stays small all the same, and means every inbox. */
const MAX_NAMED = 400;

/**
 * How often it is looked whether another process has written, in milliseconds, while somebody waits. A look is a read of one row, 1.2 µs: a
 * hundredth of a percent of a processor. To be told by the file system of each write was measured to cost a hundred times that, since
 * this process writes as well, and is not to be had on every file system that LMDB works on.
 */
const LOOK_EVERY_MS = 10;

const VERSION_BYTES = 6;
const WRITER_BYTES = 6;
const NAMES_AT = VERSION_BYTES + WRITER_BYTES;
const HASH_BYTES = 4;

/** What is notified: something without an argument, so that thousands may wait. */
type Wake = () => void;

/** Tells the processes apart that write: a row of one's own is no news. */
export type WriterId = Buffer;

export function newWriterId(): WriterId {
  return randomBytes(WRITER_BYTES);
}

/** Notes for the other processes into which inboxes the transaction that makes this version brings mail. */
export function putNews(news: BinaryTable, version: number, writer: WriterId, inboxes: readonly string[]): void {
  if (inboxes.length === 0) return;
  const named = inboxes.length <= MAX_NAMED ? inboxes : [];
  const row = Buffer.allocUnsafe(NAMES_AT + named.length * HASH_BYTES);
  row.writeUIntBE(version, 0, VERSION_BYTES);
  row.set(writer, VERSION_BYTES);
  for (const [i, inbox] of named.entries()) row.writeUInt32BE(hashOf(inbox), NAMES_AT + i * HASH_BYTES);
  news.put(keyOf(version), row);
}

export class News {
  readonly #environment: Environment;
  readonly #tables: Tables;
  readonly #writer: WriterId;
  /** By the hash of the inbox, as rows name it: two inboxes with the same one are both woken. */
  readonly #watching = new Map<number, Set<Wake>>();
  #known = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(environment: Environment, tables: Tables, writer: WriterId) {
    this.#environment = environment;
    this.#tables = tables;
    this.#writer = writer;
  }

  watch(inbox: string, wake: Wake): () => void {
    const hash = hashOf(inbox);
    // Two who hand in the same function are two.
    const own = () => wake();
    if (this.#timer === null) this.#begin();
    const watching = this.#watching.get(hash);
    if (watching === undefined) this.#watching.set(hash, new Set([own]));
    else watching.add(own);
    return () => this.#leave(hash, own);
  }

  tell(): void {
    if (this.#timer !== null) this.#look();
  }

  close(): void {
    this.#watching.clear();
    this.#end();
  }

  #leave(hash: number, wake: Wake): void {
    const watching = this.#watching.get(hash);
    if (!watching?.delete(wake) || watching.size > 0) return;
    this.#watching.delete(hash);
    if (this.#watching.size === 0) this.#end();
  }

  #begin(): void {
    this.#known = this.#version();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  #end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #version(): number {
    this.#environment.resetReadTxn();
    return this.#tables.tally.getEntry('tally')?.version ?? 0;
  }

  #look(): void {
    const version = this.#version();
    const unknown = version - this.#known;
    if (unknown === 0) return;
    const hashes = unknown > REMEMBERED ? null : this.#hashesSince(this.#known, version);
    this.#known = version;
    const wakes: Wake[] = [];
    for (const hash of hashes ?? this.#watching.keys()) {
      for (const wake of this.#watching.get(hash) ?? []) wakes.push(wake);
    }
    // Whoever is woken may leave, and others with it.
    for (const wake of wakes) wake();
  }

  #hashesSince(known: number, version: number): Set<number> | null {
    const hashes = new Set<number>();
    for (let next = known + 1; next <= version; next += 1) {
      const row = this.#tables.news.getBinaryFast(keyOf(next));
      // A transaction that brought no mail, such as one that deletes, leaves its row as it was.
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
