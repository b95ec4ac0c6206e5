import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, CHUNK_BYTES, chunkCount, chunksOf } from '../../src/store/chunks.js';
import { noise } from './mail.js';

describe('chunks', () => {
  it('are of one size but the last, and hold all bytes in order, however these are parted', () => {
    const bytes = noise(3 * CHUNK_BYTES);
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(cuts, (unsorted) => {
        const sorted = [0, ...unsorted].sort((a, b) => a - b);
        const parts = sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end));
        const chunks = [...chunksOf(parts)];
        const length = sorted.at(-1) ?? 0;
        expect(bytesOf(parts)).toBe(length);
        expect(chunks).toHaveLength(chunkCount(length));
        expect(chunks.slice(0, -1).every((chunk) => chunk.length === CHUNK_BYTES)).toBe(true);
        expect(Buffer.concat(chunks).equals(bytes.subarray(0, length))).toBe(true);
      }),
    );
  });

  it('are not copied where they lie within one part', () => {
    const part = noise(2 * CHUNK_BYTES);
    expect([...chunksOf([part])].map((chunk) => chunk.buffer === part.buffer)).toEqual([true, true]);
  });
});
