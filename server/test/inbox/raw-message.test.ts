import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailTail, rawEncodingOf } from '../../src/inbox/email-json.js';
import { rawMessage } from '../../src/inbox/raw-message.js';
import type { Reading } from '../../src/mail/reading.js';

const READING: Reading = { messageId: null, from: null, subject: '', body: '', otp: null, magicLink: null };

/** What the store keeps of a message, cut into pieces of that many bytes, and read back. */
async function readBack(raw: Uint8Array, pieceBytes: number, { reading = READING, compat = false } = {}) {
  const json = Buffer.concat(emailTail({ reading, generatedId: '', envelopeFrom: '', raw, compat }));
  async function* pieces() {
    for (let at = 0; at < json.length; at += pieceBytes) yield json.subarray(at, at + pieceBytes);
  }
  const read: Uint8Array[] = [];
  for await (const piece of rawMessage(pieces(), rawEncodingOf(raw))) read.push(piece);
  return Buffer.concat(read);
}

describe('the bytes of a message out of the JSON of its email', () => {
  test('are those that came, whatever they were and however the JSON is cut', async () => {
    const utf8 = fc.string({ unit: 'grapheme', maxLength: 100 }).map((text) => Buffer.from(text));
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 100 }).map((text) => Buffer.from(text));
    const any = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.oneof(utf8, ascii, any), fc.integer({ min: 1, max: 50 }), async (raw, pieceBytes) => {
        expect(await readBack(raw, pieceBytes)).toEqual(raw);
      }),
    );
  });

  test.each([
    ['a subject that looks like the field', { subject: 'a","rawBody":"b' }],
    ['a subject that ends in a comma', { subject: ',', body: ',"rawBody":"no' }],
    ['an id that does', { messageId: '<,"rawBody":"@x>' }],
  ])('are not taken from %s', async (_, fields) => {
    const raw = Buffer.from('the message ","rawBody":"');
    expect(await readBack(raw, 7, { reading: { ...READING, ...fields } })).toEqual(raw);
  });

  test('come once, also where they are there twice', async () => {
    const raw = Buffer.from('the message');
    expect(await readBack(raw, 1000, { compat: true })).toEqual(raw);
  });

  test('10 MiB of the worst that JSON can make of a byte', async () => {
    const raw = Buffer.alloc(10 * 1024 * 1024);
    expect((await readBack(raw, 256 * 1024)).equals(raw)).toBe(true);
  });
});
