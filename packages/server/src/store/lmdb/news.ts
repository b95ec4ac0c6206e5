import { randomBytes } from 'node:crypto';
import type { BinaryTable, Environment, Tables } from './tables.js';

/** Transactions remembered, one per row; a later transaction overwrites an earlier one's row. */
const REMEMBERED = 256;

/** Inboxes that a transaction names. With more, the row names none and means every inbox. */
const MAX_NAMED = 400;

/**
 * Interval of looks for other processes' writes while watches are open. A look reads one row in 1.2 µs, a hundredth of
 * a percent of a processor. Notifications measured a hundred times that, since we write, too; and not every file system
 * has them.
 */
const LOOK_EVERY_MS = 10;

const VERSION_BYTES = 6;
const WRITER_BYTES = 6;
const NAMES_AT = VERSION_BYTES + WRITER_BYTES;
const HASH_BYTES = 4;

/** Without an argument, so that thousands may wait. */
type Wake = () => void;

/** Tells writing processes apart: one's own rows are no news. */
export type WriterId = Buffer;

export function newWriterId(): WriterId {
  return randomBytes(WRITER_BYTES);
}

/** Notes for other processes which inboxes get mail in the transaction that makes this version. */
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
  /** By the hash of the inbox, as rows name it: two inboxes with one hash are both woken. */
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
    // Two watches with the same function are two.
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
    // A woken watch may leave, and take others with it.
    for (const wake of wakes) wake();
  }

  #hashesSince(known: number, version: number): Set<number> | null {
    const hashes = new Set<number>();
    for (let next = known + 1; next <= version; next += 1) {
      const row = this.#tables.news.getBinaryFast(keyOf(next));
      // A transaction without mail, such as a deletion, leaves its row unchanged.
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
