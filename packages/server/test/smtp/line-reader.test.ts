import { expect, test } from 'vitest';
import { LineReader, MAX_COMMAND_BYTES } from '../../src/smtp/engine/line-reader.js';

/** The lines of what comes in pieces; `too long` where one is, and nothing after it. */
function linesOf(pieces: readonly Buffer[]): string[] {
  const reader = new LineReader();
  const lines: string[] = [];
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      at = reader.read(piece, at);
      if (reader.isTooLong) return [...lines, 'too long'];
      if (reader.line !== null) lines.push(reader.line);
    }
  }
  return lines;
}

test.each([
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\nb\n', ['a', 'b']],
  ['\r\n\n\r\n', ['', '', '']],
  ['a\rb\r\r\n', ['a\rb\r']],
  ['a\r\nb', ['a']],
  ['é\r\n\0\n', ['é', '\0']],
])('%j, however it is cut in three', (text, lines) => {
  const bytes = Buffer.from(text);
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      expect(linesOf(pieces), `cut at ${first} and ${second}`).toEqual(lines);
    }
  }
});

/** Long lines, in short. */
function brief(lines: readonly string[]): string[] {
  return lines.map((line) => `${line.slice(0, 8)} (${line.length})`);
}

const longest = 'x'.repeat(MAX_COMMAND_BYTES);

test.each([
  ['the longest line', `NOOP\r\n${longest}\r\nNOOP\r\n`, ['NOOP', longest, 'NOOP']],
  ['the longest with a bare LF', `${longest}\nNOOP\r\n`, [longest, 'NOOP']],
  ['one byte more', `NOOP\r\n${longest}x\r\nNOOP\r\n`, ['NOOP', 'too long']],
  ['one byte more with a bare LF', `${longest}x\nNOOP\r\n`, ['too long']],
  ['no end', `${longest}xx`, ['too long']],
  ['CR for ever', '\r'.repeat(MAX_COMMAND_BYTES * 2), ['too long']],
])('%s is found or refused, however it is cut in two', (_, text, lines) => {
  const bytes = Buffer.from(text);
  expect(brief(linesOf(Array.from(bytes, (byte) => Buffer.of(byte))))).toEqual(brief(lines));
  for (let place = 0; place <= bytes.length; place += place < 20 || place > MAX_COMMAND_BYTES - 20 ? 1 : 997) {
    expect(brief(linesOf([bytes.subarray(0, place), bytes.subarray(place)])), `cut at ${place}`).toEqual(brief(lines));
  }
});
