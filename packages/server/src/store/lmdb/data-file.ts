/**
 * Checks that LMDB's data file is whole (D54). LMDB maps the file into memory and trusts its contents, so a truncated
 * or overwritten file ends the process with SIGSEGV or SIGBUS, when it is opened or a bad page is read. The layout is
 * that of the LMDB in the `lmdb` package (its mdb.c: MDB_page_header, MDB_meta, MDB_db, MDB_node), little-endian.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export const DATA_FILE = 'data.mdb';

/** Magic number and version, in the first meta page. */
const LMDB_MARK = Buffer.from('dec0efbe02000000', 'hex');

/** A page begins with its number, transaction, padding, flags and the place of its free space. */
const PAGE_HEAD_BYTES = 24;
const TRANSACTION_AT = 8;
const FLAGS_AT = 18;
const LOWER_AT = 20;
const UPPER_AT = 22;

const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META = 0x08;

const IN_TREE: readonly number[] = [BRANCH, LEAF];

/** Offsets in a meta page after its header. */
const META_AT = {
  pageBytes: 24,
  freeFlags: 28,
  freeRoot: 64,
  mainFlags: 76,
  mainRoot: 112,
  lastPage: 120,
  transaction: 128,
};
const META_BYTES = PAGE_HEAD_BYTES + 136;

/** With these flags, LMDB crashes (fixed address, duplicate keys, encryption) or opens no table (number keys). */
const BAD_FREE_FLAGS = 0x01 | 0x04 | 0x2000;
const BAD_MAIN_FLAGS = 0x04 | 0x08;

const MIN_PAGE_BYTES = 512;
const MAX_PAGE_BYTES = 64 * 1024;

const NODE_HEAD_BYTES = 8;
const VALUE_IS_ELSEWHERE = 0x01;
const VALUE_IS_TABLE = 0x02;

/** Offset of the root in a table's record, and the record's length. */
const TABLE_ROOT_AT = 40;
const TABLE_BYTES = 48;

const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** Maximum number of pages at the end that may be free and missing; 4 GiB, more than a transaction allocates. */
const MAX_MISSING = 1_048_576;

class Damage extends Error {}

const BAD_LIST = 'its list of free pages is overwritten';
const BAD_TREE = 'its pages refer to pages that do not exist';

/** The damage of a data file, as the end of a sentence; null if it is whole, or empty before its first use. */
export function damageOf(path: string): string | null {
  const file = openSync(path, 'r');
  try {
    if (fstatSync(file).size === 0) return null;
    const snapshot = Snapshot.newest(file);
    if (snapshot === null) return 'its first pages are not those of this version of LMDB';
    const damage = snapshot.damage(fstatSync(file).size);
    // Another process's writes can look like damage. If it has just committed, it had checked the file on opening it.
    return Snapshot.newest(file)?.transaction === snapshot.transaction ? damage : null;
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

/** The data file as its last commit left it. */
class Snapshot {
  readonly #file: number;
  readonly #meta: Buffer;
  readonly #pageBytes: number;
  readonly #lastPage: number;

  private constructor(file: number, meta: Buffer) {
    this.#file = file;
    this.#meta = meta;
    this.#pageBytes = meta.readUInt32LE(META_AT.pageBytes);
    this.#lastPage = Number(meta.readBigUInt64LE(META_AT.lastPage));
  }

  get transaction(): bigint {
    return this.#number('transaction');
  }

  #number(field: keyof typeof META_AT): bigint {
    return this.#meta.readBigUInt64LE(META_AT[field]);
  }

  /** The snapshot of the newer meta page; null unless both meta pages are whole. */
  static newest(file: number): Snapshot | null {
    const first = Snapshot.#at(file, 0);
    const second = first && Snapshot.#at(file, first.#pageBytes);
    if (!first || !second) return null;
    return first.transaction > second.transaction ? first : second;
  }

  static #at(file: number, position: number): Snapshot | null {
    const page = readAt(file, position, META_BYTES);
    const meta = page.subarray(PAGE_HEAD_BYTES);
    if (page.length < META_BYTES || (page.readUInt16LE(FLAGS_AT) & META) === 0) return null;
    if (!meta.subarray(0, LMDB_MARK.length).equals(LMDB_MARK)) return null;
    const freeFlags = meta.readUInt16LE(META_AT.freeFlags);
    if (freeFlags & BAD_FREE_FLAGS || meta.readUInt16LE(META_AT.mainFlags) & BAD_MAIN_FLAGS) return null;
    const snapshot = new Snapshot(file, meta);
    const bytes = snapshot.#pageBytes;
    const isSize = bytes >= MIN_PAGE_BYTES && bytes <= MAX_PAGE_BYTES && (bytes & (bytes - 1)) === 0;
    return isSize && Number.isSafeInteger((snapshot.#lastPage + 1) * bytes) ? snapshot : null;
  }

  /** Checks what LMDB reads when it opens the file, and that the file is not too short to contain all pages in use. */
  damage(size: number): string | null {
    try {
      const roots = [this.#number('freeRoot'), this.#number('mainRoot'), ...this.#tableRoots()].filter(
        (root) => root !== NO_PAGE,
      );
      for (const root of roots) this.#page(root);
      const firstMissing = Math.floor(size / this.#pageBytes);
      if (firstMissing > this.#lastPage) return null;
      const cut = `it ends after ${size} of ${(this.#lastPage + 1) * this.#pageBytes} bytes`;
      if (this.#lastPage - firstMissing >= MAX_MISSING) return cut;
      const missing = new Set<number>();
      for (let page = firstMissing; page <= this.#lastPage; page += 1) missing.add(page);
      // LMDB does not write the last pages while they are free, so these may be missing.
      for (const node of this.#leafNodes(this.#number('freeRoot'))) {
        for (const [first, end] of runsIn(this.#valueOf(node), this.#lastPage)) {
          for (let page = Math.max(first, firstMissing); page < end; page += 1) missing.delete(page);
        }
      }
      return missing.size === 0 ? null : cut;
    } catch (error) {
      if (error instanceof Damage) return error.message;
      throw error;
    }
  }

  #page(number: bigint, kinds = IN_TREE, length = this.#pageBytes): Buffer {
    const isInFile = number <= BigInt(this.#lastPage);
    const bytes = isInFile ? readAt(this.#file, Number(number) * this.#pageBytes, length) : Buffer.alloc(0);
    const isIt =
      bytes.length === length &&
      bytes.readBigUInt64LE(0) === number &&
      // LMDB would take a page of a later transaction for one in memory.
      bytes.readBigUInt64LE(TRANSACTION_AT) <= this.transaction &&
      kinds.includes(bytes.readUInt16LE(FLAGS_AT)) &&
      (kinds !== IN_TREE || hasNodes(bytes));
    if (!isIt) throw new Damage(`its page ${number} is cut off or overwritten`);
    return bytes;
  }

  /** The roots of the tables in the main tree. Each must be whole, because LMDB reads it when it opens the table. */
  *#tableRoots(): Generator<bigint> {
    for (const node of this.#leafNodes(this.#number('mainRoot'))) {
      if ((node.readUInt16LE(4) & VALUE_IS_TABLE) === 0) continue;
      const table = this.#valueOf(node);
      if (table.length < TABLE_BYTES) throw new Damage(BAD_TREE);
      yield table.readBigUInt64LE(TABLE_ROOT_AT);
    }
  }

  *#leafNodes(root: bigint, seen = new Set<bigint>()): Generator<Buffer> {
    if (root === NO_PAGE) return;
    // Otherwise, a damaged page that leads back to itself would cause an endless loop.
    if (seen.has(root)) throw new Damage(BAD_TREE);
    seen.add(root);
    const page = this.#page(root);
    const isLeaf = (page.readUInt16LE(FLAGS_AT) & LEAF) !== 0;
    for (const node of nodesOf(page)) {
      if (isLeaf) yield node;
      else yield* this.#leafNodes(BigInt(node.readUIntLE(0, 6)), seen);
    }
  }

  #valueOf(node: Buffer): Buffer {
    const length = node.readUInt32LE(0);
    const value = node.subarray(NODE_HEAD_BYTES + node.readUInt16LE(6));
    const isElsewhere = (node.readUInt16LE(4) & VALUE_IS_ELSEWHERE) !== 0;
    if (value.length < (isElsewhere ? 8 : length) || length > (this.#lastPage + 1) * this.#pageBytes) {
      throw new Damage(BAD_LIST);
    }
    if (!isElsewhere) return value.subarray(0, length);
    return this.#page(value.readBigUInt64LE(0), [OVERFLOW], PAGE_HEAD_BYTES + length).subarray(PAGE_HEAD_BYTES);
  }
}

/** Whether a page in a tree has nodes, whose positions end before its free space. An empty tree has no pages. */
function hasNodes(page: Buffer): boolean {
  const [lower, upper] = [page.readUInt16LE(LOWER_AT), page.readUInt16LE(UPPER_AT)];
  return lower > 0 && lower <= upper && upper <= page.length - PAGE_HEAD_BYTES;
}

/** The nodes of a page. Their positions count from the end of the page's head. */
function* nodesOf(page: Buffer): Generator<Buffer> {
  const content = page.subarray(PAGE_HEAD_BYTES);
  for (let at = 0; at + 2 <= page.readUInt16LE(LOWER_AT); at += 2) {
    const start = content.readUInt16LE(at);
    if (start + NODE_HEAD_BYTES > content.length) throw new Damage(BAD_LIST);
    yield content.subarray(start);
  }
}

/** Yields the runs of pages in a list, which has a count, then entries: a page, 0, or a negated length and its page. */
function* runsIn(list: Buffer, lastPage: number): Generator<[first: number, end: number]> {
  if (list.length < 8) throw new Damage(BAD_LIST);
  const entries = Math.min(Number(list.readBigUInt64LE(0)), Math.floor(list.length / 8) - 1);
  for (let i = 1; i <= entries; i += 1) {
    const entry = Number(list.readBigInt64LE(i * 8));
    if (entry > 0) yield [entry, entry + 1];
    if (entry >= 0 || i === entries) continue;
    i += 1;
    const first = Number(list.readBigInt64LE(i * 8));
    if (first - entry > lastPage + 1) throw new Damage(BAD_LIST);
    yield [first, first - entry];
  }
}
