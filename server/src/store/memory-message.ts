import { bytesOf, chunksOf } from './chunks.js';
import { messageCost } from './cost.js';
import type { Delivery } from './store.js';

/** What the emails of one delivery share in memory. */
export interface MemoryMessage {
  readonly index: Uint8Array;
  readonly summary: Uint8Array;
  readonly contentBytes: number;
  readonly chunks: readonly Uint8Array[];
  /** How many of its emails are not deleted yet. The last one takes the message with it. */
  emails: number;
}

/** The message of a delivery that so many emails came of, in memory of its own. */
export function memoryMessage({ index, summary, content }: Delivery, emails: number): MemoryMessage {
  return {
    index: Buffer.from(index),
    summary: Buffer.from(summary),
    contentBytes: bytesOf(content),
    chunks: [...chunksOf(content)].map((chunk) => ownCopy(chunk, content)),
    emails,
  };
}

/** What a message counts in the budget, without its emails. */
export function memoryMessageCost({ index, summary, contentBytes }: MemoryMessage): number {
  return messageCost({ indexBytes: index.length, summaryBytes: summary.length, contentBytes });
}

/** A chunk of some pieces in memory of its own: a copy, unless it was joined of several pieces and is one already. */
function ownCopy(chunk: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.some(({ buffer }) => buffer === chunk.buffer) ? Buffer.from(chunk) : chunk;
}
