/**
 * Checks that LMDB's data file is whole (D54). LMDB maps it into memory and trusts its contents, so a truncated or
 * overwritten file ends the process with SIGSEGV or SIGBUS, at once or when the missing page is first read. The layout
 * is that of the LMDB in the `lmdb` package (its mdb.c: MDB_page_header, MDB_meta, MDB_db, MDB_node), little-endian.
 */

import { type FileHandle, open } from 'node:fs/promises';

export const DATA_FILE = 'data.mdb';

const MAGIC = 0xbeefc0de;
const VERSION = 2;

/** A page's head: its number, transaction, padding, flags and where its free space is. */
const PAGE_HEAD_BYTES = 24;
const FLAGS_AT = 18;
const LOWER_AT = 20;

const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META = 0x08;

const META_AT = {
  magic: PAGE_HEAD_BYTES,
  version: PAGE_HEAD_BYTES + 4,
  pageBytes: PAGE_HEAD_BYTES + 24,
  freeRoot: PAGE_HEAD_BYTES + 24 + 40,
  mainRoot: PAGE_HEAD_BYTES + 24 + 48 + 40,
  lastPage: PAGE_HEAD_BYTES + 24 + 96,
  transaction: PAGE_HEAD_BYTES + 24 + 104,
} as const;
const META_BYTES = PAGE_HEAD_BYTES + 24 + 112;

const MIN_PAGE_BYTES = 512;
const MAX_PAGE_BYTES = 64 * 1024;

const NODE_HEAD_BYTES = 8;
const VALUE_IS_ELSEWHERE = 0x01;
const VALUE_IS_TABLE = 0x02;

/** Where a table's record has its root, and the record's length. */
const TABLE_ROOT_AT = 40;
const TABLE_BYTES = 48;

const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** Looks at the file while another process keeps writing to it. */
const MAX_LOOKS = 20;

interface Meta {
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  readonly roots: { readonly free: bigint; readonly main: bigint };
}

class Damage extends Error {}

const BAD_LIST = 'its list of free pages is written over';
const BAD_TREE = 'its pages lead nowhere';

/** What is wrong with a data file, ending a sentence; null if it is whole, or empty before its first use. */
export async function damageOf(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    for (let look = 1; ; look += 1) {
      const before = await newestMeta(file);
      const damage = await lookAt(file, before);
      if (damage === null || look === MAX_LOOKS) return damage;
      // Another process may have written between our reads.
      if ((await newestMeta(file))?.transaction === before?.transaction) return damage;
    }
  } finally {
    await file.close();
  }
}

async function lookAt(file: FileHandle, meta: Meta | null): Promise<string | null> {
  const { size } = await file.stat();
  if (size === 0) return null;
  if (meta === null) return 'its first pages are not what LMDB writes';
  const wanted = (meta.lastPage + 1) * meta.pageBytes;
  try {
    if (meta.roots.free !== NO_PAGE) await page(file, meta, meta.roots.free, BRANCH | LEAF);
    for await (const root of tableRoots(file, meta)) await page(file, meta, root, BRANCH | LEAF);
    if (size >= wanted) return null;
    const missing = new Set<number>();
    for (let number = Math.floor(size / meta.pageBytes); number <= meta.lastPage; number += 1) missing.add(number);
    // LMDB leaves out the last pages where they are free.
    for await (const free of freePages(file, meta)) missing.delete(free);
    return missing.size === 0 ? null : `it has ${size} bytes of at least ${wanted}`;
  } catch (error) {
    if (error instanceof Damage) return error.message;
    throw error;
  }
}

/** The meta record of the last commit; null unless both records are whole. */
async function newestMeta(file: FileHandle): Promise<Meta | null> {
  const first = await metaAt(file, 0);
  const second = first && (await metaAt(file, first.pageBytes));
  if (!first || !second) return null;
  return first.transaction > second.transaction ? first : second;
}

async function metaAt(file: FileHandle, position: number): Promise<Meta | null> {
  const bytes = Buffer.alloc(META_BYTES);
  const { bytesRead } = await file.read(bytes, 0, META_BYTES, position);
  if (bytesRead < META_BYTES) return null;
  const pageBytes = bytes.readUInt32LE(META_AT.pageBytes);
  const lastPage = Number(bytes.readBigUInt64LE(META_AT.lastPage));
  const isWhole =
    (bytes.readUInt16LE(FLAGS_AT) & META) !== 0 &&
    bytes.readUInt32LE(META_AT.magic) === MAGIC &&
    bytes.readUInt16LE(META_AT.version) === VERSION &&
    pageBytes >= MIN_PAGE_BYTES &&
    pageBytes <= MAX_PAGE_BYTES &&
    (pageBytes & (pageBytes - 1)) === 0 &&
    Number.isSafeInteger((lastPage + 1) * pageBytes);
  if (!isWhole) return null;
  return {
    pageBytes,
    lastPage,
    transaction: bytes.readBigUInt64LE(META_AT.transaction),
    roots: { free: bytes.readBigUInt64LE(META_AT.freeRoot), main: bytes.readBigUInt64LE(META_AT.mainRoot) },
  };
}

/** A page, or the bytes from its beginning on. Rejects with `Damage` when it is missing or of another kind. */
async function page(
  file: FileHandle,
  { pageBytes, lastPage }: Meta,
  number: bigint,
  kind: number,
  length = pageBytes,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const isThere =
    number <= BigInt(lastPage) &&
    (await file.read(bytes, 0, length, Number(number) * pageBytes)).bytesRead === length &&
    bytes.readBigUInt64LE(0) === number &&
    (bytes.readUInt16LE(FLAGS_AT) & kind) !== 0;
  if (!isThere) throw new Damage(`its page ${number} is cut off or written over`);
  return bytes;
}

async function* freePages(file: FileHandle, meta: Meta): AsyncGenerator<number> {
  for await (const node of leafNodes(file, meta, meta.roots.free)) {
    yield* pagesIn(await bytesOf(file, meta, node), meta.lastPage);
  }
}

/** The roots of the tables, as the main tree lists them. LMDB reads a table's root as soon as it opens the table. */
async function* tableRoots(file: FileHandle, meta: Meta): AsyncGenerator<bigint> {
  for await (const node of leafNodes(file, meta, meta.roots.main)) {
    if ((node.readUInt16LE(4) & VALUE_IS_TABLE) === 0) continue;
    const table = await bytesOf(file, meta, node);
    if (table.length < TABLE_BYTES) throw new Damage(BAD_TREE);
    const root = table.readBigUInt64LE(TABLE_ROOT_AT);
    if (root !== NO_PAGE) yield root;
  }
}

async function* leafNodes(
  file: FileHandle,
  meta: Meta,
  root: bigint,
  seen = new Set<bigint>(),
): AsyncGenerator<Buffer> {
  if (root === NO_PAGE) return;
  // An overwritten page could lead back to itself.
  if (seen.has(root)) throw new Damage(BAD_TREE);
  seen.add(root);
  const bytes = await page(file, meta, root, BRANCH | LEAF);
  const isLeaf = (bytes.readUInt16LE(FLAGS_AT) & LEAF) !== 0;
  for (const node of nodesOf(bytes)) {
    if (isLeaf) yield node;
    else yield* leafNodes(file, meta, BigInt(node.readUIntLE(0, 6)), seen);
  }
}

/** The nodes of a page. Their positions count from the end of the page's head. */
function* nodesOf(bytes: Buffer): Generator<Buffer> {
  const content = bytes.subarray(PAGE_HEAD_BYTES);
  const end = Math.min(bytes.readUInt16LE(LOWER_AT), content.length);
  for (let at = 0; at + 2 <= end; at += 2) {
    const start = content.readUInt16LE(at);
    if (start + NODE_HEAD_BYTES > content.length) throw new Damage(BAD_LIST);
    yield content.subarray(start);
  }
}

async function bytesOf(file: FileHandle, meta: Meta, node: Buffer): Promise<Buffer> {
  const length = node.readUInt32LE(0);
  const value = node.subarray(NODE_HEAD_BYTES + node.readUInt16LE(6));
  const isElsewhere = (node.readUInt16LE(4) & VALUE_IS_ELSEWHERE) !== 0;
  if (value.length < (isElsewhere ? 8 : length) || length > (meta.lastPage + 1) * meta.pageBytes) {
    throw new Damage(BAD_LIST);
  }
  if (!isElsewhere) return value.subarray(0, length);
  const bytes = await page(file, meta, value.readBigUInt64LE(0), OVERFLOW, PAGE_HEAD_BYTES + length);
  return bytes.subarray(PAGE_HEAD_BYTES);
}

/** A list of pages: a count of entries, and per entry a page, nothing, or minus a number of pages and the first one. */
function* pagesIn(list: Buffer, lastPage: number): Generator<number> {
  if (list.length < 8) throw new Damage(BAD_LIST);
  const entries = Math.min(Number(list.readBigUInt64LE(0)), Math.floor(list.length / 8) - 1);
  for (let i = 1; i <= entries; i += 1) {
    const entry = Number(list.readBigInt64LE(i * 8));
    if (entry > 0) yield entry;
    if (entry >= 0 || i === entries) continue;
    i += 1;
    const first = Number(list.readBigInt64LE(i * 8));
    if (first - entry > lastPage + 1) throw new Damage(BAD_LIST);
    for (let number = first; number < first - entry; number += 1) yield number;
  }
}
