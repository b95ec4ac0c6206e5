import { CHUNK_BYTES, JOINED_BYTES } from './chunks.js';
import type { Recipient } from './store.js';

/** LMDB's page. A value of more than half a page gets pages of its own; smaller ones share pages. */
const PAGE_BYTES = 4096;

const PAGE_HEAD_BYTES = 24;

const SHARED_PAGE_VALUE_BYTES = 2034;

const VALUE_HEAD_BYTES = 20;

/** What a message of any size takes beside its index and content: its share of the pages that lead to it. */
const MESSAGE_ROW_BYTES = 50;

/** What an email takes beside its names: a row by inbox, one by deadline, and its inbox's state. */
const EMAIL_ROWS_BYTES = 200;

/** These rows take more than their bytes: they come in no order, so pages are half full and copied at each change. */
const EMAIL_ROWS_FACTOR = 2;

/** Rows of an email that hold its inbox's name. */
const ROWS_WITH_NAME = 3;

export interface MessageSizes {
  readonly indexBytes: number;
  readonly summaryBytes: number;
  readonly contentBytes: number;
}

/**
 * The bytes that every store counts for a message: what LMDB takes on disk, measured, so that a budget means one thing.
 */
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
  // When a page is full, LMDB moves its last value to the next page and leaves the gap.
  const together = Math.floor((PAGE_BYTES - PAGE_HEAD_BYTES) / (bytes + VALUE_HEAD_BYTES)) - 1;
  return Math.ceil(PAGE_BYTES / Math.max(together, 1));
}
