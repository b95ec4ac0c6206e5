import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from '../../src/mime/base64.js';
import { decodeQuotedPrintable } from '../../src/mime/quoted-printable.js';

const ENOUGH_BYTES = 1_000;

/** What a decoder makes of content, in a buffer of a size. */
function decoded(decode: typeof decodeQuotedPrintable, content: string | Buffer, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  return buffer.subarray(0, decode(Buffer.from(content), buffer));
}

describe('decodeBase64', () => {
  test.each([
    ['padded once', 'YWI=', 'ab'],
    ['padded twice', 'YQ==', 'a'],
    ['without padding', 'YWI', 'ab'],
    ['in lines', 'YW\r\nJj\r\n', 'abc'],
    ['with characters that do not belong', '*YW!Jj\u0000-_', 'abc'],
    ['several padded blocks in a row', 'YQ==\r\nYWI=\r\nYWJj', 'aababc'],
    ['a single character, which is no byte', 'YWJjY', 'abc'],
    ['nothing', '', ''],
  ])('%s', (_, content, text) => {
    expect(decoded(decodeBase64, content, ENOUGH_BYTES).toString()).toBe(text);
  });

  test('gives back whatever bytes were encoded, and no more of them than asked for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(220), (bytes, maxBytes) => {
        const lines = Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
        expect(decoded(decodeBase64, lines, maxBytes)).toEqual(Buffer.from(bytes.subarray(0, maxBytes)));
      }),
    );
  });
});

describe('decodeQuotedPrintable', () => {
  test.each([
    ['octets, either case', '=C3=a9=3D', 'é='],
    ['a soft line break', 'ver=\r\nify', 'verify'],
    ['a soft line break with LF alone', 'ver=\nify', 'verify'],
    ['a soft line break with blanks after it', 'ver= \t\r\nify', 'verify'],
    ['a soft line break at the end', 'verify=', 'verify'],
    ['a soft line break within an octet', '=C3=\r\n=A9', 'é'],
    ['a hard line break', 'a\r\nb\nc', 'a\r\nb\nc'],
    ['blanks at the end of a line', 'a \t\r\nb  \n  c', 'a\r\nb\n  c'],
    ['an encoded blank at the end of a line', 'a =20\r\nb=09 \r\n', 'a  \r\nb\t\r\n'],
    ['lines of blanks', 'a\r\n \r\n\t\r\nb', 'a\r\n\r\n\r\nb'],
    ['malformed sequences', '=G1=1G= x==41=', '=G1=1G= x=A'],
    ['half a sequence at the end', 'a=4', 'a=4'],
    ['raw bytes', 'é', 'é'],
    ['nothing', '', ''],
  ])('%s', (_, content, text) => {
    expect(decoded(decodeQuotedPrintable, content, ENOUGH_BYTES).toString()).toBe(text);
  });

  test('gives back whatever bytes were encoded, and no more of them than asked for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(220), (bytes, maxBytes) => {
        const octets = Buffer.from(bytes).toString('hex').toUpperCase().replace(/../g, '=$&');
        const lines = octets.replace(/.{72}/g, '$&=\r\n');
        expect(decoded(decodeQuotedPrintable, lines, maxBytes)).toEqual(Buffer.from(bytes.subarray(0, maxBytes)));
      }),
    );
  });

  test('a bound cuts the text of malformed content off, and changes nothing before it but blanks', () => {
    const piece = fc.constantFrom('=', ' ', '\r', '\n', '4', 'a', '=41', '=\r\n', ' \r\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(60), (pieces, maxBytes) => {
        const content = Buffer.from(pieces.join(''));
        const whole = decoded(decodeQuotedPrintable, content, ENOUGH_BYTES).toString();
        const cut = decoded(decodeQuotedPrintable, content, maxBytes).toString();
        expect(cut.length).toBeLessThanOrEqual(maxBytes);
        expect(whole.startsWith(cut.replace(/[ \r]+$/, ''))).toBe(true);
      }),
    );
  });
});
