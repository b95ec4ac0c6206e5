import type { Recipient } from './store.js';

/** Bytes of a message that are written, read or sent at a time. With LMDB's header of 24 bytes, they fill 64 pages. */
export const CHUNK_BYTES = 64 * 4096 - 24;

/** Up to this size, index and content share one row and are read together; above it, filters read the index alone. */
export const JOINED_BYTES = 16 * 4096 - 24;

export function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Cuts the joined parts into chunks of `CHUNK_BYTES` and a shorter last one. Chunks within one part are not copied. */
export function* chunksOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let held: Uint8Array[] = [];
  let wanted = CHUNK_BYTES;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const piece = part.subarray(at, at + wanted);
      held.push(piece);
      at += piece.length;
      wanted -= piece.length;
      if (wanted > 0) continue;
      yield joined(held);
      held = [];
      wanted = CHUNK_BYTES;
    }
  }
  if (held.length > 0) yield joined(held);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}

/** LMDB's page size. A value of more than half a page gets separate pages; smaller ones share pages. */
const PAGE_BYTES = 4096;

const PAGE_HEAD_BYTES = 24;

const SHARED_PAGE_VALUE_BYTES = 2034;

const VALUE_HEAD_BYTES = 20;

/** The bytes of a message in addition to its index and content: its share of the branch pages above it. */
const MESSAGE_ROW_BYTES = 50;

/** The bytes of an email in addition to its names: a row by inbox, one by deadline, and its inbox's state. */
const EMAIL_ROWS_BYTES = 200;

/** Rows in random order take twice their bytes, because LMDB leaves pages half full and copies them at each change. */
const EMAIL_ROWS_FACTOR = 2;

/** Number of rows per email that contain the name of its inbox. */
const ROWS_WITH_NAME = 3;

type MessageSizes = Readonly<Record<'indexBytes' | 'summaryBytes' | 'contentBytes', number>>;

/** Bytes that every store counts for a message: LMDB's measured disk use, so that a quota means the same everywhere. */
export function messageCost({ indexBytes, summaryBytes, contentBytes }: MessageSizes): number {
  const bytes = indexBytes + contentBytes;
  const rows = bytes <= JOINED_BYTES ? lastChunkCost(bytes) : chunksCost(indexBytes) + chunksCost(contentBytes);
  return MESSAGE_ROW_BYTES + lastChunkCost(summaryBytes) + rows;
}

export function emailCost({ inbox, to }: Recipient): number {
  return (EMAIL_ROWS_BYTES + ROWS_WITH_NAME * inbox.length + to.length) * EMAIL_ROWS_FACTOR;
}

function chunksCost(bytes: number): number {
  const whole = Math.floor(bytes / CHUNK_BYTES);
  return whole * (CHUNK_BYTES + PAGE_HEAD_BYTES) + lastChunkCost(bytes - whole * CHUNK_BYTES);
}

function lastChunkCost(bytes: number): number {
  if (bytes === 0) return 0;
  if (bytes > SHARED_PAGE_VALUE_BYTES) return Math.ceil((bytes + PAGE_HEAD_BYTES) / PAGE_BYTES) * PAGE_BYTES;
  // One fewer than fit: LMDB moves the last value of a full page to the next page and leaves a gap.
  const together = Math.floor((PAGE_BYTES - PAGE_HEAD_BYTES) / (bytes + VALUE_HEAD_BYTES)) - 1;
  return Math.ceil(PAGE_BYTES / Math.max(together, 1));
}
