/**
 * Checks that LMDB's data file is whole (D54). LMDB maps it into memory and trusts its contents, so a truncated or
 * overwritten file ends the process with SIGSEGV or SIGBUS, when it is opened or when a bad page is first read. The layout
 * is that of the LMDB in the `lmdb` package (its mdb.c: MDB_page_header, MDB_meta, MDB_db, MDB_node), little-endian.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export const DATA_FILE = 'data.mdb';

/** Magic number and version, in the first meta page. */
const LMDB_MARK = Buffer.from('dec0efbe02000000', 'hex');

/** A page begins with its number, transaction, padding, flags and the place of its free space. */
const PAGE_HEAD_BYTES = 24;
const FLAGS_AT = 18;
const LOWER_AT = 20;

const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META = 0x08;

/** Offsets in a meta page after its header. */
const META_AT = { pageBytes: 24, freeRoot: 64, mainRoot: 112, lastPage: 120, transaction: 128 };
const META_BYTES = PAGE_HEAD_BYTES + 136;

/** Both meta pages are within this, because a page has at most 64 KiB. */
const START_BYTES = 128 * 1024;

const NODE_HEAD_BYTES = 8;
const VALUE_IS_ELSEWHERE = 0x01;
const VALUE_IS_TABLE = 0x02;

/** Where a table's record has its root. */
const TABLE_ROOT_AT = 40;

const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** Thrown for damage, as Node throws it for a read beyond the end of a page. */
const DAMAGE = new RangeError('its pages are cut off or written over');

/** Whether a file begins like LMDB's. The binding crashes the process when it opens a file of another kind. */
export function isLmdb(path: string): boolean {
  return withFile(path, (file) => {
    const start = readAt(file, 0, PAGE_HEAD_BYTES + LMDB_MARK.length);
    // LMDB treats an empty file as a new one.
    return start.length === 0 || start.subarray(PAGE_HEAD_BYTES).equals(LMDB_MARK);
  });
}

/** The damage of a data file, as the end of a sentence; null if it is whole, or empty before its first use. */
export function damageOf(path: string): string | null {
  return withFile(path, (file) => {
    const start = readAt(file, 0, START_BYTES);
    const damage = start.length === 0 ? null : damageIn(file);
    // A process that wrote between our reads has the file open, and has found it whole.
    return readAt(file, 0, START_BYTES).equals(start) ? damage : null;
  });
}

/** Checks what LMDB reads when it opens the file, and that no page in use is missing at its end. */
function damageIn(file: number): string | null {
  try {
    const first = metaAt(file, 0);
    const second = metaAt(file, first.pageBytes);
    const snapshot = new Snapshot(file, first.transaction > second.transaction ? first : second);
    return snapshot.damage(fstatSync(file).size);
  } catch (error) {
    if (error instanceof RangeError) return DAMAGE.message;
    throw error;
  }
}

function withFile<T>(path: string, job: (file: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return job(file);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

type Meta = ReturnType<typeof metaAt>;

function metaAt(file: number, position: number) {
  const page = readAt(file, position, META_BYTES);
  const meta = page.subarray(PAGE_HEAD_BYTES);
  const isMeta = (page.readUInt16LE(FLAGS_AT) & META) !== 0 && meta.subarray(0, LMDB_MARK.length).equals(LMDB_MARK);
  if (!isMeta) throw DAMAGE;
  return {
    transaction: meta.readBigUInt64LE(META_AT.transaction),
    pageBytes: meta.readUInt32LE(META_AT.pageBytes),
    lastPage: Number(meta.readBigUInt64LE(META_AT.lastPage)),
    freeRoot: meta.readBigUInt64LE(META_AT.freeRoot),
    mainRoot: meta.readBigUInt64LE(META_AT.mainRoot),
  };
}

/** The data file as its last commit left it. */
class Snapshot {
  readonly #file: number;
  readonly #meta: Meta;

  constructor(file: number, meta: Meta) {
    this.#file = file;
    this.#meta = meta;
  }

  damage(size: number): string | null {
    const { pageBytes, lastPage, freeRoot, mainRoot } = this.#meta;
    const roots = [freeRoot, mainRoot, ...this.#tableRoots()].filter((root) => root !== NO_PAGE);
    for (const root of roots) this.#page(root, BRANCH | LEAF);
    const firstMissing = Math.floor(size / pageBytes);
    const missing = lastPage + 1 - firstMissing;
    // LMDB omits the last pages if they are free.
    if (missing <= 0 || this.#freePages(firstMissing) >= missing) return null;
    return `it has ${size} bytes of at least ${(lastPage + 1) * pageBytes}`;
  }

  #page(number: bigint, kind: number, length = this.#meta.pageBytes): Buffer {
    const bytes = readAt(this.#file, Number(number) * this.#meta.pageBytes, length);
    const isIt = bytes.readBigUInt64LE(0) === number && (bytes.readUInt16LE(FLAGS_AT) & kind) !== 0;
    if (!isIt || bytes.length < length) throw DAMAGE;
    return bytes;
  }

  /** The roots of the tables, as the main tree lists them. LMDB reads a table's root as soon as it opens the table. */
  *#tableRoots(): Generator<bigint> {
    for (const node of this.#leafNodes(this.#meta.mainRoot)) {
      const isTable = (node.readUInt16LE(4) & VALUE_IS_TABLE) !== 0;
      if (isTable) yield this.#valueOf(node).readBigUInt64LE(TABLE_ROOT_AT);
    }
  }

  /** The number of free pages from one page on. */
  #freePages(from: number): number {
    let free = 0;
    for (const node of this.#leafNodes(this.#meta.freeRoot)) {
      for (const [first, pages] of freeRanges(this.#valueOf(node))) {
        free += Math.max(0, first + pages - Math.max(first, from));
      }
    }
    return free;
  }

  *#leafNodes(root: bigint, seen = new Set<bigint>()): Generator<Buffer> {
    if (root === NO_PAGE) return;
    // An overwritten page could lead back to itself.
    if (seen.has(root)) throw DAMAGE;
    seen.add(root);
    const page = this.#page(root, BRANCH | LEAF);
    const isLeaf = (page.readUInt16LE(FLAGS_AT) & LEAF) !== 0;
    // The positions of nodes count from the end of the page's head.
    const content = page.subarray(PAGE_HEAD_BYTES);
    for (let at = 0; at < page.readUInt16LE(LOWER_AT); at += 2) {
      const node = content.subarray(content.readUInt16LE(at));
      if (isLeaf) yield node;
      else yield* this.#leafNodes(BigInt(node.readUIntLE(0, 6)), seen);
    }
  }

  #valueOf(node: Buffer): Buffer {
    const length = node.readUInt32LE(0);
    const value = node.subarray(NODE_HEAD_BYTES + node.readUInt16LE(6));
    const isElsewhere = (node.readUInt16LE(4) & VALUE_IS_ELSEWHERE) !== 0;
    if (!isElsewhere) return value.subarray(0, length);
    return this.#page(value.readBigUInt64LE(0), OVERFLOW, PAGE_HEAD_BYTES + length).subarray(PAGE_HEAD_BYTES);
  }
}

/** The ranges of a list of pages: a count of entries, and per entry a page, nothing, or minus a length and the start. */
function* freeRanges(list: Buffer): Generator<readonly [first: number, pages: number]> {
  const entries = Number(list.readBigUInt64LE(0));
  for (let i = 1; i <= entries; i += 1) {
    const entry = Number(list.readBigInt64LE(i * 8));
    if (entry > 0) yield [entry, 1];
    if (entry >= 0 || i === entries) continue;
    i += 1;
    yield [Number(list.readBigInt64LE(i * 8)), -entry];
  }
}
