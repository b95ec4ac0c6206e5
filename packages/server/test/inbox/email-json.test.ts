import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageRecord, openMessage, rawEncodingOf } from '../../src/inbox/ingest/stored-message.js';
import { emailHeadJson, emailJson, isSmall, smallMessageJson } from '../../src/inbox/read/email-json.js';

const VALUES = {
  id: '<1@app.test>',
  from: 'app@app.test',
  subject: 'Hello "you"',
  otp: '482913',
  magicLink: null,
  body: 'Your code is 482913',
  envelopeFrom: 'bounce@app.test',
  recipients: null,
};

const HEAD = { to: 'demo@inbox.example.com', receivedAt: Date.UTC(2026, 0, 31, 9, 30, 0, 7) };

interface Kept {
  readonly compat?: boolean;
  /** How many bytes the store hands out at a time. */
  readonly pieceBytes?: number;
}

/** The JSON of a message's email, out of what is kept of it. */
async function jsonOf(raw: Uint8Array, { compat = false, pieceBytes = 256 * 1024 }: Kept = {}): Promise<string> {
  const kept = Buffer.concat([messageRecord(VALUES, rawEncodingOf(raw)), raw]);
  async function* behindFirst() {
    for (let at = pieceBytes; at < kept.length; at += pieceBytes) yield kept.subarray(at, at + pieceBytes);
  }
  const open = () =>
    openMessage({ first: kept.subarray(0, pieceBytes), rest: kept.length > pieceBytes ? behindFirst() : null });
  const message = await open();
  const pieces: string[] = [];
  if (isSmall(message)) pieces.push(emailHeadJson(HEAD) + smallMessageJson(message, { twice: compat }));
  else for await (const piece of emailJson(HEAD, message, compat ? open : null)) pieces.push(piece);
  return Buffer.from(pieces.join(''), 'latin1').toString();
}

describe('the JSON of an email (interface section 2.1)', () => {
  test('has the nine fields, in this order and form', async () => {
    expect(await jsonOf(Buffer.from('Subject: x\r\n\r\n"body"'))).toBe(
      '{"to":"demo@inbox.example.com","receivedAt":"2026-01-31T09:30:00.007Z","id":"<1@app.test>","from":"app@app.test",' +
        '"subject":"Hello \\"you\\"","otp":"482913","magicLink":null,"body":"Your code is 482913",' +
        '"rawBody":"Subject: x\\r\\n\\r\\n\\"body\\""}',
    );
  });

  test('has an address beyond ASCII (RFC 6531) in UTF-8, as all else', () => {
    const head = emailHeadJson({ ...HEAD, to: 'grüße-日本@inbox.example.com' });
    expect(JSON.parse(`${Buffer.from(head, 'latin1').toString()}}`).to).toBe('grüße-日本@inbox.example.com');
  });

  test('repeats the raw message for clients of the hosted original', async () => {
    const raw = Buffer.from('raw "text" 😀'.repeat(50_000));
    const { raw: repeated, ...email } = JSON.parse(await jsonOf(raw, { compat: true }));
    expect(repeated).toBe(raw.toString());
    expect(email).toEqual(JSON.parse(await jsonOf(raw)));
  });

  test('is one line', async () => {
    expect(await jsonOf(Buffer.from('a\r\nb\nc\r'), { compat: true })).not.toMatch(/[\r\n]/);
  });

  test('rawBody is UTF-8 where the bytes are that, and one character a byte otherwise (D5)', async () => {
    const utf8 = fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => Buffer.from(text));
    const any = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.oneof(utf8, any), fc.integer({ min: 1, max: 50 }), async (raw, pieceBytes) => {
        const text = raw.toString('utf8');
        const expected = Buffer.from(text).equals(raw) ? text : raw.toString('latin1');
        expect(JSON.parse(await jsonOf(raw, { pieceBytes })).rawBody).toBe(expected);
      }),
    );
  });

  test.each([0, 1, 2, 3])(
    'a character of several bytes survives at the border of two pieces (shift %i)',
    async (shift) => {
      const text = 'x'.repeat(shift) + '😀'.repeat(200_000);
      expect(JSON.parse(await jsonOf(Buffer.from(text))).rawBody).toBe(text);
    },
  );

  test('is made of bounded pieces, whatever the message', async () => {
    const raw = Buffer.alloc(3_000_000);
    async function* rest() {
      yield raw;
    }
    const message = await openMessage({ first: messageRecord(VALUES, 'utf8'), rest: rest() });
    for await (const piece of emailJson(HEAD, message, null)) {
      expect(piece.length).toBeLessThanOrEqual(6 * 64 * 1024);
    }
  });
});
