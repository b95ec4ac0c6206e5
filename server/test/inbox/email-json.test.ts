import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailHead, emailTail } from '../../src/inbox/email-json.js';
import type { Reading } from '../../src/mail/reading.js';

const READING: Reading = {
  messageId: '<1@app.test>',
  from: 'app@app.test',
  subject: 'Hello "you"',
  body: 'Your code is 482913',
  otp: '482913',
  magicLink: null,
};

function emailOf(raw: Uint8Array, compat = false, reading = READING): Record<string, unknown> {
  const tail = emailTail({ reading, generatedId: '<made@inbox.test>', envelopeFrom: 'bounce@app.test', raw, compat });
  return JSON.parse(emailHead('demo@inbox.test', Date.UTC(2026, 0, 31, 9, 30, 0, 7)) + Buffer.concat(tail).toString());
}

describe('the JSON of an email (spec.md section 2.1)', () => {
  test('has the nine fields', () => {
    expect(emailOf(Buffer.from('Subject: x\r\n\r\nbody'))).toEqual({
      id: '<1@app.test>',
      from: 'app@app.test',
      to: 'demo@inbox.test',
      subject: 'Hello "you"',
      body: 'Your code is 482913',
      rawBody: 'Subject: x\r\n\r\nbody',
      receivedAt: '2026-01-31T09:30:00.007Z',
      otp: '482913',
      magicLink: null,
    });
  });

  test('has a made-up id and the envelope sender where the message names none', () => {
    const email = emailOf(Buffer.from(''), false, { ...READING, messageId: null, from: null });
    expect(email).toMatchObject({ id: '<made@inbox.test>', from: 'bounce@app.test' });
  });

  test('repeats the raw message for clients of the hosted original', () => {
    expect(emailOf(Buffer.from('raw text'), true)).toMatchObject({ rawBody: 'raw text', raw: 'raw text' });
    expect(emailOf(Buffer.from('raw text'))).not.toHaveProperty('raw');
  });

  test('is one line', () => {
    const tail = emailTail({
      reading: READING,
      generatedId: '',
      envelopeFrom: '',
      raw: Buffer.from('a\r\nb\nc\r'),
      compat: true,
    });
    expect(Buffer.concat(tail).toString()).not.toMatch(/[\r\n]/);
  });

  test('rawBody is UTF-8 where the bytes are that, and one character a byte otherwise (design D5)', () => {
    const utf8 = fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => Buffer.from(text));
    const any = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(utf8, any), (raw) => {
        const text = raw.toString('utf8');
        const expected = Buffer.from(text).equals(raw) ? text : raw.toString('latin1');
        expect(emailOf(raw).rawBody).toBe(expected);
      }),
    );
  });

  test.each([0, 1, 2, 3])('a character of several bytes survives at the border of two pieces (shift %i)', (shift) => {
    const text = 'x'.repeat(shift) + '😀'.repeat(200_000);
    expect(emailOf(Buffer.from(text)).rawBody).toBe(text);
  });
});
