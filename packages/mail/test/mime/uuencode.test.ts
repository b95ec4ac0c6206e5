import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { parseMessage } from '../../src/mime/parse.js';
import { decodeUuencode, withoutUuencodedFiles } from '../../src/mime/uuencode.js';

const BYTES_OF_LINE = 45;

/** Bytes as a uuencoded file (POSIX uuencode). */
function uuencoded(bytes: Uint8Array, lineEnd = '\n'): string {
  const lines = ['begin 644 mail.txt'];
  for (let start = 0; start < bytes.length; start += BYTES_OF_LINE)
    lines.push(lineOf(bytes.subarray(start, start + BYTES_OF_LINE)));
  return [...lines, '`', 'end', ''].join(lineEnd);
}

function lineOf(bytes: Uint8Array): string {
  const char = (sextet: number) => String.fromCharCode(sextet === 0 ? 0x60 : sextet + 0x20);
  let line = char(bytes.length);
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    line += [18, 12, 6, 0].map((shift) => char((bits >> shift) & 0x3f)).join('');
  }
  return line;
}

function mail(body: string, encoding: string): Buffer {
  const head = ['From: app@app.test', 'Subject: Sign in', 'Content-Type: text/plain; charset=utf-8'];
  return Buffer.from([...head, `Content-Transfer-Encoding: ${encoding}`, '', body].join('\r\n'));
}

describe('uuencode', () => {
  test('decodes any encoded bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('\n', '\r\n'), (bytes, lineEnd) => {
        const decoded = Buffer.alloc(300);
        const length = decodeUuencode(Buffer.from(uuencoded(bytes, lineEnd)), decoded);
        expect(decoded.subarray(0, length)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.each(['x-uuencode', 'x-uue', 'uuencode'])('decodes the transfer encoding %s', (encoding) => {
    const body = uuencoded(Buffer.from('Your verification code is 482913.\n'), '\r\n');
    expect(extract(parseMessage(mail(body, encoding))).otp).toBe('482913');
  });

  test('removes a file from a text before the search for codes', () => {
    const file = uuencoded(Buffer.from('Your verification code is 482913. '.repeat(9)));
    expect(withoutUuencodedFiles(`See below\n${file}Bye`)).toBe('See below\nBye');
    expect(withoutUuencodedFiles(file)).toBe('');
    expect(extract(parseMessage(mail(`Your code is 904412\r\n\r\n${file}`, '7bit'))).otp).toBe('904412');
  });

  test.each([
    'begin 644 of them today\nYour code is 482913',
    'begin the 644 steps\n',
    'begin 644 name\nthis sentence is in small letters\nend',
  ])('does not treat a sentence as a file: %s', (text) => {
    expect(withoutUuencodedFiles(text)).toBe(text);
  });

  test('removes the text from the start of a truncated file to the end', () => {
    const cut = uuencoded(Buffer.from('x'.repeat(400))).slice(0, 300);
    expect(withoutUuencodedFiles(`Hello\n${cut}`)).toBe('Hello');
  });
});
