import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventParser } from '../src/wait/transport.js';

const encoder = new TextEncoder();

function parse(pieces: readonly Uint8Array[]): string[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' };

test.each(Object.entries(LINE_ENDS))('EventParser reads lines that end in %s and arrive byte by byte', (_, lineEnd) => {
  const stream =
    '\uFEFF: connected\n\nevent: mail\nid: 7\ndatas: x\ndata: {"subject":"Grüße 👋"}\n\nevent: mail\n\ndata: a\ndata\ndata:b\n\ndata: cut\n';
  const bytes = encoder.encode(stream.replaceAll('\n', lineEnd));
  expect(parse([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(['{"subject":"Grüße 👋"}', 'a\n\nb']);
});

test('EventParser returns the same events for any split of a stream with any texts and line ends', () => {
  const line = fc.oneof(
    fc.constantFrom('', 'data', 'data:', ': connected', 'id: 1'),
    fc.string({ unit: 'binary' }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')));
  fc.assert(
    fc.property(stream, fc.array(fc.nat()), (lines, cuts) => {
      const bytes = encoder.encode(lines.flat().join(''));
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end));
      expect(parse(pieces)).toEqual(parse([bytes]));
    }),
    { numRuns: 200 },
  );
});
