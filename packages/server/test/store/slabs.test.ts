import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Kept, MAX_SHARED_BYTES, SLAB_BYTES, Slabs } from '../../src/store/slabs.js';
import { noise } from './mail.js';

const NOISE = noise(3 * SLAB_BYTES);

/** A value of so many bytes; another one for another number. */
function value(length: number, number: number): Buffer {
  return NOISE.subarray(number % SLAB_BYTES, (number % SLAB_BYTES) + length);
}

describe('slabs', () => {
  it('hold each value until it is released, in at most twice the bytes of all values and two slabs', () => {
    const length = fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: SLAB_BYTES + 1_000 }));
    // What is kept, and which share of all values is released after that.
    const steps = fc.array(fc.record({ length, cut: fc.nat(4_000), released: fc.constantFrom(0, 0, 0, 0.3, 0.9) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), (taken, choices) => {
        const slabs = new Slabs();
        const model = new Map<Kept, Buffer>();
        for (const [number, { length: bytes, cut, released }] of taken.entries()) {
          const expected = value(bytes, number);
          model.set(slabs.keep([expected.subarray(0, cut), expected.subarray(cut)]), expected);
          for (let left = Math.floor(model.size * released); left > 0; left -= 1) {
            const kept = [...model.keys()][choices.next().value % model.size] as Kept;
            slabs.release(kept);
            model.delete(kept);
          }
          const live = [...model.values()].reduce((sum, { length: one }) => sum + one, 0);
          expect(slabs.heldBytes).toBeLessThanOrEqual(2 * live + 2 * SLAB_BYTES);
        }
        for (const [kept, expected] of model) {
          expect(kept.length).toBe(expected.length);
          expect(expected.equals(slabs.read(kept))).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('give memory back to the system as soon as it is released', () => {
    const slabs = new Slabs();
    const kept = Array.from({ length: 64 * 64 }, (_, number) => slabs.keep([value(SLAB_BYTES / 64, number)]));
    const full = process.memoryUsage.rss();
    for (const one of kept) slabs.release(one);
    expect(full - process.memoryUsage.rss()).toBeGreaterThan(32 * SLAB_BYTES);
    expect(slabs.heldBytes).toBeLessThanOrEqual(SLAB_BYTES);
  });

  it.each([
    ['of a shared size', MAX_SHARED_BYTES],
    ['of more', MAX_SHARED_BYTES + 1],
  ])('give out a value %s that stays as it is when it is released', (_, length) => {
    const slabs = new Slabs();
    const kept = slabs.keep([value(length, 0)]);
    const read = slabs.read(kept);
    // Enough for another slab to be the current one, and none is left in the first.
    const others = Array.from({ length: SLAB_BYTES / MAX_SHARED_BYTES }, () =>
      slabs.keep([value(MAX_SHARED_BYTES, 1)]),
    );
    for (const each of [kept, ...others]) slabs.release(each);
    expect(value(length, 0).equals(read)).toBe(true);
  });

  it('make no copy of a large value for a read: thousands of answers may hold it', () => {
    const slabs = new Slabs();
    const kept = slabs.keep([value(MAX_SHARED_BYTES + 1, 0)]);
    expect(slabs.read(kept).buffer).toBe(slabs.read(kept).buffer);
    expect(slabs.heldBytes).toBe(0);
  });
});
