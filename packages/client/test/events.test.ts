import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventParser } from '../src/wait/events.js';

const encoder = new TextEncoder();

function parse(pieces: readonly Uint8Array[]): string[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

/** Streams with `\n` for every line end, and the events in them. */
const STREAMS: readonly (readonly [string, string, readonly string[]])[] = [
  ['what Mayfly sends', ': connected\n\n: keepalive\n\ndata: {"subject":"Grüße 👋"}\n\n', ['{"subject":"Grüße 👋"}']],
  ['its timeout', ': connected\n\ndata: __timeout__\n\n', ['__timeout__']],
  ['several events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['data of several lines', 'data: a\ndata\ndata:b\n\n', ['a\n\nb']],
  ['one space only belongs to the field', 'data:  a \n\n', [' a ']],
  ['other fields', 'event: mail\nid: 7\nretry: 10\ndatas: x\ndata: a\n\n', ['a']],
  ['no data, no event', 'event: mail\n\n\n\n', []],
  ['an event that is cut off is none', 'data: a\n\ndata: b\n', ['a']],
  ['empty data', 'data\n\n', ['']],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
];

const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' };

describe.each(Object.entries(LINE_ENDS))('lines that end in %s', (_, lineEnd) => {
  test.each(STREAMS)('%s: byte by byte', (_, stream, events) => {
    const bytes = encoder.encode(stream.replaceAll('\n', lineEnd));
    expect(parse([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  });
});

test('the same events for any text, line ends and splits', () => {
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
