import { CHUNK_BYTES, JOINED_BYTES } from './chunks.js';
import type { Recipient } from './store.js';

/** LMDB's page. A value of more than half a page has whole pages of its own; smaller ones share pages. */
const PAGE_BYTES = 4096;

/** The head of a value's own pages. */
const PAGE_HEAD_BYTES = 24;

/** How much more room small values take than their bytes: their keys, and what is left free at the end of a page. */
const SMALL_VALUE_FACTOR = 1.25;

/** What a message takes beside its index and content: its own row. */
const MESSAGE_ROW_BYTES = 150;

/** What one email takes beside its names: a row by inbox, one by deadline, and the state of its inbox. */
const EMAIL_ROWS_BYTES = 450;

/** How much more room these rows take: they come in no order, so that pages are half full, and are copied when they change. */
const EMAIL_ROWS_FACTOR = 2;

/** In how many rows of an email its inbox's name stands. */
const ROWS_WITH_NAME = 3;

/**
 * How many bytes a store counts for a message with so many bytes of index and content, whoever has it. It is what LMDB takes
 * on disk, by measure; a store in memory counts the same, so that a budget means one thing.
 */
export function messageCost(indexBytes: number, contentBytes: number): number {
  const bytes = indexBytes + contentBytes;
  if (bytes <= JOINED_BYTES) return MESSAGE_ROW_BYTES + lastChunkCost(bytes);
  return MESSAGE_ROW_BYTES + chunksCost(indexBytes) + chunksCost(contentBytes);
}

/** How many bytes a store counts for one email of a message: what its rows take. */
export function emailCost({ inbox, to }: Recipient): number {
  return (EMAIL_ROWS_BYTES + ROWS_WITH_NAME * inbox.length + to.length) * EMAIL_ROWS_FACTOR;
}

/** What the chunks of so many bytes take: all but the last one fill their pages to the last byte. */
function chunksCost(bytes: number): number {
  const whole = Math.floor(bytes / CHUNK_BYTES);
  return whole * (CHUNK_BYTES + PAGE_HEAD_BYTES) + lastChunkCost(bytes - whole * CHUNK_BYTES);
}

function lastChunkCost(bytes: number): number {
  if (bytes <= PAGE_BYTES / 2) return Math.ceil(bytes * SMALL_VALUE_FACTOR);
  return Math.ceil((bytes + PAGE_HEAD_BYTES) / PAGE_BYTES) * PAGE_BYTES;
}
