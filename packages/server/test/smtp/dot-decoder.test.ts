import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DotDecoder } from '../../src/smtp/dot-decoder.js';
import { stuffed } from './stuffed.js';

/** Decodes pieces; `end` counts from the first byte of the first. */
function decode(pieces: readonly Uint8Array[]): { content: string; end: number | null } {
  const decoder = new DotDecoder();
  const contents: Uint8Array[] = [];
  let before = 0;
  for (const piece of pieces) {
    const { content, end } = decoder.decode(piece);
    // What it gives out is written over by the next piece.
    contents.push(Buffer.from(content));
    if (end !== null) return { content: Buffer.concat(contents).toString('latin1'), end: before + end };
    before += piece.length;
  }
  return { content: Buffer.concat(contents).toString('latin1'), end: null };
}

/** What is sent, and what of it is content. The rest of the cases are conversations. */
const cases: readonly [sent: string, content: string][] = [
  ['.\r\n', ''],
  ['\r\n.\r\n', '\r\n'],
  ['a\r\n.\r\n', 'a\r\n'],
  ['..\r\n.\r\n', '.\r\n'],
  ['....\r\n.\r\n', '...\r\n'],
  ['.a\r\n.\r\n', 'a\r\n'],
  ['a\r\n..\r\nb\r\n.\r\n', 'a\r\n.\r\nb\r\n'],
  ['\n.\n\r\n.\r\n', '\n.\n\r\n'],
  ['\n.\r\n\r\n.\r\n', '\n.\r\n\r\n'],
  ['\r.\r\r\n.\r\n', '\r.\r\r\n'],
  ['\r.\r\n\r\n.\r\n', '\r.\r\n\r\n'],
  ['\r\n.\n\r\n.\r\n', '\r\n\n\r\n'],
  ['\r\n.\r\r\n.\r\n', '\r\n\r\r\n'],
  ['\r\n.\rx\r\n.\r\n', '\r\n\rx\r\n'],
  ['\r\n.\r.\r\n.\r\n', '\r\n\r.\r\n'],
  ['\r\r\n.\r\n', '\r\r\n'],
  ['\r\0\n.\r\n\r\n.\r\n', '\r\0\n.\r\n\r\n'],
  ['\n\n..\r\n.\r\n', '\n\n..\r\n'],
];

describe('DATA', () => {
  test.each(cases)('%j holds %j, however it is cut in three', (sent, content) => {
    const bytes = Buffer.from(`${sent}QUIT\r\n`);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect(decode(pieces), `cut at ${first} and ${second}`).toEqual({ content, end: sent.length });
      }
    }
  });

  test('goes on until its terminator has come in whole', () => {
    for (const sent of ['', '.', '.\r', 'a\r\n', 'a\r\n.', 'a\r\n.\r', 'a\r\n..\r\n']) {
      expect(decode([Buffer.from(sent)]).end, sent).toBeNull();
    }
  });

  test('brings any bytes over as they were, in any pieces', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.array(fc.constantFrom(13, 10, 46, 0, 65)).map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(40)), (content, lengths) => {
        const whole = Buffer.concat([content, Buffer.from('\r\n')]);
        const sent = stuffed(whole);
        const cuts = lengths.map((_, index) => lengths.slice(0, index + 1).reduce((sum, length) => sum + length));
        const pieces = [0, ...cuts].map((cut, index) => sent.subarray(cut, cuts[index]));
        expect(decode(pieces)).toEqual({ content: whole.toString('latin1'), end: sent.length });
      }),
      { numRuns: 2_000 },
    );
  });
});
