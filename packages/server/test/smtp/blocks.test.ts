import { expect, test } from 'vitest';
import { Blocks } from '../../src/smtp/message-content.js';

const KIB = 1024;

// Blocks are compared outside of what is expected: to print them takes minutes.

test.each([
  [1, 4],
  [4 * KIB, 4],
  [4 * KIB + 1, 16],
  [16 * KIB, 16],
  [16 * KIB + 1, 64],
  [64 * KIB, 64],
])('%i bytes have a block of %i KiB', (bytes, kib) => {
  expect(new Blocks().take(bytes)?.length).toBe(kib * KIB);
});

test('what is larger than the largest block has none', () => {
  expect(new Blocks().take(64 * KIB + 1) === null).toBe(true);
});

test('blocks that are in use are never given to another, and those that are given back are, once', () => {
  const blocks = new Blocks();
  const sizes = [100, 10_000, 60_000];
  const inUse = sizes.flatMap((bytes) => [blocks.take(bytes), blocks.take(bytes)]) as Uint8Array[];
  expect(new Set(inUse.map(({ buffer }) => buffer)).size).toBe(6);
  const [first] = inUse as [Uint8Array];
  blocks.giveBack(first);
  expect(blocks.take(100) === first).toBe(true);
  expect(inUse.includes(blocks.take(100) as Uint8Array)).toBe(false);
});

test('32 of a size are kept for later', () => {
  const blocks = new Blocks();
  const used = Array.from({ length: 40 }, () => blocks.take(100) as Uint8Array);
  for (const block of used) blocks.giveBack(block);
  const again = used.map(() => blocks.take(100) as Uint8Array);
  expect(new Set(again).size).toBe(40);
  expect(again.filter((block) => used.includes(block)).length).toBe(32);
});

test('memory that is no block is not kept', () => {
  const blocks = new Blocks();
  const other = new Uint8Array(5 * KIB);
  blocks.giveBack(other);
  for (const bytes of [1, 5 * KIB, 64 * KIB]) expect(blocks.take(bytes) === other).toBe(false);
});
