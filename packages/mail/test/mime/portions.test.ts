import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from '../../src/mime/base64.js';
import { piecesWithoutBareCr } from '../../src/mime/line-ends.js';
import { decodedPortions, decodedSize } from '../../src/mime/portions.js';
import { decodeQuotedPrintable } from '../../src/mime/quoted-printable.js';

/** So many bytes a portion has. */
const PORTION = 64 * 1024;

async function* cut(content: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** What decoding all of it at once gives. */
function atOnce(content: Buffer, encoding: string): Buffer {
  const decoded = Buffer.alloc(content.length);
  if (encoding === 'base64') return decoded.subarray(0, decodeBase64(content, decoded));
  if (encoding === 'quoted-printable') return decoded.subarray(0, decodeQuotedPrintable(content, decoded));
  return content;
}

const lines = (line: string, bytes: number) => Buffer.from(line.repeat(Math.ceil(bytes / line.length)));

describe('content that comes in pieces is decoded as if it came whole', () => {
  test.each([
    ['base64', 'base64', lines(`${'QUJD'.repeat(19)}\r\n`, 3 * PORTION)],
    ['base64 whose lines are no multiple of four', 'base64', lines('QUJDR\r\n', 3 * PORTION)],
    ['base64 in one line', 'base64', lines('QUJD', 3 * PORTION)],
    ['blocks of base64, each with its padding', 'base64', lines('QQ==', 2 * PORTION)],
    ['quoted-printable', 'quoted-printable', lines(`${'=C3=BC abc'.repeat(7)} =\r\n`, 3 * PORTION)],
    ['blanks at ends of lines', 'quoted-printable', lines('abc  \t \r\n', 2 * PORTION)],
    ['quoted-printable in one line', 'quoted-printable', lines('=41b', 3 * PORTION)],
    ['escapes in one line', 'quoted-printable', lines('=41', 3 * PORTION)],
    ['what is no escape', 'quoted-printable', lines('==4G= =', 2 * PORTION)],
    ['8bit', '8bit', lines('\u00fc\r\n', 3 * PORTION)],
    ['nothing', 'base64', Buffer.alloc(0)],
  ])('%s', async (_, encoding, content) => {
    const whole = atOnce(content, encoding);
    for (const pieceBytes of [1_000, PORTION - 1, PORTION, PORTION + 1, 262_120, content.length + 1]) {
      const decoded = await joined(decodedPortions(cut(content, pieceBytes), encoding));
      expect(decoded.equals(whole), `pieces of ${pieceBytes} bytes`).toBe(true);
    }
    expect(decodedSize(content, encoding)).toBe(whole.length);
  });

  test('what comes out has the size that was told, whatever the content', async () => {
    const content = fc.string({ unit: fc.constantFrom('=', '4', 'A', ' ', '\t', '\r', '\n', 'x'), maxLength: 40 });
    const property = fc.asyncProperty(content, fc.integer({ min: 1, max: 9 }), async (text, pieceBytes) => {
      // One line that is longer than a portion stands in front, so that its cut falls into what follows.
      const bytes = Buffer.from(`${'x'.repeat(PORTION - 20)}${text}`);
      for (const encoding of ['base64', 'quoted-printable']) {
        const decoded = await joined(decodedPortions(cut(bytes, 30_000 + pieceBytes), encoding));
        expect(decodedSize(bytes, encoding)).toBe(decoded.length);
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

describe('bare CRs in pieces', () => {
  test.each(['a\rb', 'a\r\nb', 'a\r', '\r\r\n\r', 'abc'])('%j', async (text) => {
    const expected = text.replace(/\r(?!\n)/g, '\n');
    for (const pieceBytes of [1, 2, 3, 10]) {
      const pieces = piecesWithoutBareCr(cut(Buffer.from(text), pieceBytes));
      expect((await joined(pieces)).toString()).toBe(expected);
    }
  });
});
