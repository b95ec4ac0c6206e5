import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InFlight } from '../../src/fairness/client-memory.js';
import { Content } from '../../src/smtp/message-content.js';

const MIB = 1024 * 1024;

/** Room for so many bytes, all of which one message may have. */
function room(maxBytes: number): InFlight {
  return new InFlight({ maxBytes, maxMessageBytes: maxBytes, maxMessages: 10 });
}

test('pieces of any size come out as one, and count as in flight until released', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20_000 }), { maxLength: 20, size: 'max' }), (lengths) => {
      const pieces = lengths.map((length, place) => Buffer.alloc(length, place + 1));
      const inFlight = room(MIB);
      const content = new Content(MIB, inFlight.open('a'));
      for (const piece of pieces) content.add(piece);
      const sent = Buffer.concat(pieces);
      expect(Buffer.compare(content.whole() as Uint8Array, sent)).toBe(0);
      expect(inFlight.bytes).toBe(sent.length);
      content.release();
      content.release();
      expect(inFlight.bytes).toBe(0);
      expect((content.whole() as Uint8Array).buffer.byteLength).toBe(0);
    }),
  );
});

test('a piece that is changed afterwards does not change what was added', () => {
  const content = new Content(MIB, room(MIB).open('a'));
  const piece = Buffer.from('hello');
  content.add(piece);
  piece.fill(0);
  expect(Buffer.from(content.whole()).toString()).toBe('hello');
});

test('a byte at a time costs little more than a byte each', () => {
  const content = new Content(MIB, room(MIB).open('a'));
  const byte = Uint8Array.of(65);
  const before = process.memoryUsage();
  for (let bytes = 0; bytes < MIB; bytes += 1) content.add(byte);
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(3 * MIB);
  expect(content.whole()).toHaveLength(MIB);
});

test('a message that is released twice gives its memory to one other only', () => {
  const first = new Content(MIB, room(MIB).open('a'));
  first.add(Buffer.alloc(100));
  first.release();
  first.release();
  const others = ['one', 'two'].map((text) => {
    const content = new Content(MIB, room(MIB).open('a'));
    content.add(Buffer.from(text));
    return content;
  });
  expect(others.map((content) => Buffer.from(content.whole()).toString())).toEqual(['one', 'two']);
});

test('a message that was dropped lets go of its memory, and takes nothing of who has it next', () => {
  const dropped = new Content(10, room(MIB).open('a'));
  dropped.add(Buffer.alloc(10, 'x'));
  const { buffer } = dropped.whole() as Uint8Array;
  dropped.add(Buffer.alloc(10, 'x'));
  const next = new Content(MIB, room(MIB).open('a'));
  next.add(Buffer.from('next'));
  expect((next.whole() as Uint8Array).buffer === buffer).toBe(true);
  dropped.add(Buffer.alloc(4, 'y'));
  dropped.release();
  expect(Buffer.from(next.whole()).toString()).toBe('next');
});

test('past its limit a message is dropped at once, and nothing of it comes back', () => {
  const inFlight = room(MIB);
  const content = new Content(10, inFlight.open('a'));
  content.add(Buffer.alloc(10));
  expect(inFlight.bytes).toBe(10);
  content.add(Buffer.alloc(1));
  expect(inFlight.bytes).toBe(0);
  content.add(Buffer.alloc(1));
  expect(inFlight.bytes).toBe(0);
  expect(content.whole()).toBe('too-large');
});

test('a message that no room was for stays dropped when there is room again', () => {
  const inFlight = room(10);
  const other = new Content(MIB, inFlight.open('a'));
  other.add(Buffer.alloc(8));
  const content = new Content(20, inFlight.open('b'));
  content.add(Buffer.alloc(3));
  other.release();
  content.add(Buffer.alloc(3));
  expect(content.whole()).toBe('all-taken');
  expect(inFlight.bytes).toBe(0);
  content.add(Buffer.alloc(20));
  expect(content.whole()).toBe('too-large');
});
