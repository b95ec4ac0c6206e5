import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SharedCopy } from '../../../src/inbox/threads/inspector.js';

/** Sizes of pieces below, at and above that of a block. */
const PIECES = [1, 700_001, 1_048_576, 3_000_000, 0, 2_097_151];

test('a copy has the bytes of a message, in memory that copies before it have used', () => {
  const spare: Uint8Array[] = [];
  const used = new Set<ArrayBufferLike>();
  for (const sizes of [PIECES, [5], PIECES.toReversed()]) {
    const message = sizes.map((bytes) => randomBytes(bytes));
    const copy = new SharedCopy(spare);
    for (const piece of message) copy.add(piece);
    expect(Buffer.concat(copy.pieces).equals(Buffer.concat(message))).toBe(true);
    for (const { buffer } of copy.pieces) {
      expect(buffer).toBeInstanceOf(SharedArrayBuffer);
      if (used.size < 7) used.add(buffer);
      else expect(used.has(buffer)).toBe(true);
    }
    copy.release();
  }
});

test('of the memory that was used, so much is kept', () => {
  const spare: Uint8Array[] = [];
  const copy = new SharedCopy(spare);
  copy.add(Buffer.alloc(40 * 1024 * 1024));
  copy.release();
  expect(spare).toHaveLength(32);
});
