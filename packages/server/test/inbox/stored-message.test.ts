import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageRecord, openMessage, rawPieces } from '../../src/inbox/ingest/stored-message.js';
import type { Content } from '../../src/store/store.js';

const VALUES = {
  id: '<1@app.test>',
  from: 'app@app.test',
  subject: 'Grüße',
  otp: null,
  magicLink: 'https://app.test/verify?t=1',
  body: 'x'.repeat(5_000),
  envelopeFrom: '',
  recipients: null,
};

/** What is kept, as a store hands it out that keeps so many bytes together. */
function inPieces(kept: Uint8Array, pieceBytes: number): Content {
  async function* behindFirst() {
    for (let at = pieceBytes; at < kept.length; at += pieceBytes) yield kept.subarray(at, at + pieceBytes);
  }
  return { first: kept.subarray(0, pieceBytes), rest: kept.length > pieceBytes ? behindFirst() : null };
}

async function allOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

describe('what is kept of a message', () => {
  test('gives back its bytes and its values, however the store cuts it', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const encoding = fc.constantFrom('utf8' as const, 'latin1' as const);
    await fc.assert(
      fc.asyncProperty(bytes, encoding, fc.integer({ min: 1, max: 80 }), async (raw, encoding, pieceBytes) => {
        const kept = Buffer.concat([messageRecord(VALUES, encoding), raw]);
        const message = await openMessage(inPieces(kept, pieceBytes));
        for (const [name, value] of Object.entries(VALUES)) {
          expect(JSON.parse(message.json(name as keyof typeof VALUES).toString())).toBe(value);
        }
        expect(message.encoding).toBe(encoding);
        expect((await allOf(rawPieces(message))).equals(Buffer.from(raw))).toBe(true);
      }),
    );
  });

  test('may hold values that a later version adds, and lack those that it does not know', async () => {
    const record = messageRecord(VALUES, 'utf8');
    const later = Buffer.from([200, 4, 0, 0, 0, ...Buffer.from('"no"')]);
    // Only the subject, behind a value with a number that means nothing here.
    const subject = Buffer.from('"Grüße"');
    const values = Buffer.concat([later, Buffer.from([3, subject.length, 0, 0, 0]), subject]);
    const head = Buffer.from(record.subarray(0, 6));
    head.writeUInt32LE(values.length, 2);
    const message = await openMessage(inPieces(Buffer.concat([head, values, Buffer.from('raw')]), 1_000));
    expect(message.json('subject').toString()).toBe('"Grüße"');
    expect(message.json('envelopeFrom').toString()).toBe('null');
    expect((await allOf(rawPieces(message))).toString()).toBe('raw');
  });

  test('is refused where it is of another version, or cut off', async () => {
    const record = messageRecord(VALUES, 'utf8');
    const other = Buffer.from(record);
    other[0] = 9;
    const opened = async (kept: Uint8Array, pieceBytes: number) => openMessage(inPieces(kept, pieceBytes));
    await expect(opened(other, 1_000_000)).rejects.toThrow('unknown version 9');
    await expect(opened(other, 1_000)).rejects.toThrow('unknown version 9');
    await expect(opened(record.subarray(0, 100), 10)).rejects.toThrow('without its record');
    await expect(opened(record.subarray(0, 100), 100)).rejects.toThrow('without its record');
    await expect(opened(Buffer.alloc(0), 10)).rejects.toThrow('without its record');
  });
});
