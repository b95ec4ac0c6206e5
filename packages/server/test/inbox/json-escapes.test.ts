import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapedBytes, SLICE_BYTES } from '../../src/inbox/read/email-json.js';

/** The same by the engine's own means: bytes as characters of the same number. */
function byTheEngine(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1')).slice(1, -1);
}

describe('bytes inside a JSON string (RFC 8259 section 7)', () => {
  test('every byte beside every other, at each place of four', () => {
    for (let first = 0; first < 256; first++) {
      const pairs = Buffer.from(Array.from({ length: 256 }, (_, second) => [first, second]).flat());
      for (const shift of [0, 1, 2, 3]) {
        const bytes = Buffer.concat([Buffer.alloc(shift, 'x'), pairs]);
        expect(escapedBytes(bytes)).toBe(byTheEngine(bytes));
      }
    }
  });

  test('any bytes, wherever they lie in memory', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 7 }), (random, offset) => {
        const bytes = Buffer.concat([Buffer.alloc(offset), random]).subarray(offset);
        expect(escapedBytes(bytes)).toBe(byTheEngine(bytes));
      }),
    );
  });

  test('a whole slice of what takes the longest escape', () => {
    const bytes = Buffer.alloc(SLICE_BYTES, 0x1f);
    expect(escapedBytes(bytes)).toBe(byTheEngine(bytes));
  });
});
