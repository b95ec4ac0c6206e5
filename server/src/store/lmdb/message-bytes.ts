/**
 * A message's bytes as rows: index and content share one, as nearly every message is small. Beyond the size of that
 * row, the chunks of the index come first, then those of the content. The summary has its own row, so that a list reads
 * none of these.
 */

import { bytesOf, chunkCount, chunksOf, JOINED_BYTES } from '../chunks.js';
import type { MessageSizes } from '../cost.js';
import type { Delivery } from '../store.js';

/** Chunks of a large message made before others have a turn. */
const CHUNKS_A_TURN = 8;

interface Place {
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

type PartSizes = Omit<MessageSizes, 'summaryBytes'>;

/** Rows of a message beside its summary. An empty message has none. */
export function partCount({ indexBytes, contentBytes }: PartSizes): number {
  if (indexBytes + contentBytes <= JOINED_BYTES) return indexBytes + contentBytes > 0 ? 1 : 0;
  return chunkCount(indexBytes) + chunkCount(contentBytes);
}

export function indexPlaces({ indexBytes, contentBytes }: PartSizes): Place[] {
  if (indexBytes + contentBytes <= JOINED_BYTES)
    return indexBytes > 0 ? [{ position: 0, start: 0, end: indexBytes }] : [];
  return wholeRows(0, chunkCount(indexBytes));
}

export function contentPlaces({ indexBytes, contentBytes }: PartSizes): Place[] {
  const end = indexBytes + contentBytes;
  if (end <= JOINED_BYTES) return contentBytes > 0 ? [{ position: 0, start: indexBytes, end }] : [];
  return wholeRows(chunkCount(indexBytes), chunkCount(contentBytes));
}

function wholeRows(first: number, count: number): Place[] {
  return Array.from({ length: count }, (_, i) => ({ position: first + i, start: 0, end: Number.POSITIVE_INFINITY }));
}

export function joinedBytes({ index, content }: Delivery): number | null {
  const bytes = index.length + bytesOf(content);
  return bytes <= JOINED_BYTES ? bytes : null;
}

/** The rows of a larger delivery. Copying pieces takes time, so others have turns in between. */
export async function chunkedParts({ index, content }: Delivery): Promise<readonly Uint8Array[]> {
  const parts = [...chunksOf([index])];
  for (const chunk of chunksOf(content)) {
    // LMDB's thread cannot take shared memory.
    parts.push(chunk.buffer instanceof SharedArrayBuffer ? Buffer.from(chunk) : chunk);
    if (parts.length % CHUNKS_A_TURN === 0) await new Promise(setImmediate);
  }
  return parts;
}
