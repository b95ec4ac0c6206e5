import fc from 'fast-check';
import type { EmailSummary } from 'mayfly-client';
import { describe, expect, test } from 'vitest';
import { jsonBytes, type Summarized, summaryRecord } from '../../src/inbox/ingest/stored-message.js';
import { summaryJson } from '../../src/inbox/read/read.js';

/** Maximum size of a summary (D31). */
const MAX_SUMMARY_BYTES = 1_000;
const VALUES: Summarized = {
  id: '<1@app.test>',
  from: 'anna@app.test',
  fromName: 'Anna Ék',
  subject: 'Grüße "you"',
  otp: '482913',
  magicLink: 'https://app.test/verify?t=1',
  size: 12_345,
  attachments: 2,
  code: '482913',
  action: true,
  body: 'Your code is 482913',
};

const HEAD = { to: 'demo@inbox.example.com', receivedAt: Date.UTC(2026, 0, 31, 9, 30, 0, 7) };

function jsonOf(values: Partial<Summarized>, head = HEAD): string {
  const record = summaryRecord({ ...VALUES, ...values }, jsonBytes(head.to));
  return Buffer.from(summaryJson(head, record), 'latin1').toString();
}

function summaryOf(values: Partial<Summarized>, head = HEAD): EmailSummary {
  return JSON.parse(jsonOf(values, head));
}

/** The longest recipient address that SMTP accepts. JSON writes each character of the domain as two. */
const LONGEST_TO = `${'n'.repeat(64)}@${'\\'.repeat(255)}`;

describe('a summary', () => {
  test('has its fields in a fixed order and form', () => {
    expect(jsonOf({})).toBe(
      '{"receivedAt":"2026-01-31T09:30:00.007Z","to":"demo@inbox.example.com","id":"<1@app.test>","from":"anna@app.test",' +
        '"fromName":"Anna Ék","subject":"Grüße \\"you\\"","otp":"482913","magicLink":"https://app.test/verify?t=1",' +
        '"size":12345,"attachments":2,"text":"Your code is 482913","cut":[],"code":"482913","action":true}',
    );
  });

  test.each([
    ['null', 'null', '"magicLink"', { code: null, action: true }],
    ['"482913"', '"https://app.test/verify"', '', { code: '482913', action: true }],
    ['null', 'null', '', { code: null, action: false }],
  ])('stored by an earlier version with otp %s and link %s gets code and action', (otp, magicLink, cut, added) => {
    const values =
      '"id":"","from":"","fromName":"Ék","subject":"{]}","otp":' +
      `${otp},"magicLink":${magicLink},"size":1,"attachments":0,"text":"ß","cut":[${cut}]`;
    const json = Buffer.from(summaryJson(HEAD, Buffer.from(`{${values}}`)), 'latin1').toString();
    expect(JSON.parse(json)).toEqual({
      ...{ receivedAt: new Date(HEAD.receivedAt).toISOString(), to: HEAD.to },
      ...JSON.parse(`{${values}}`),
      ...added,
    });
  });

  test.each([
    ['ASCII', 'x'.repeat(300), 200],
    ['letters of two bytes', 'ß'.repeat(300), 200],
    ['signs of three bytes', '字'.repeat(300), 200],
    ['emoji, of two code units each', '😀'.repeat(300), 200],
    ['an emoji that the limit would split', `${'x'.repeat(199)}😀`, 199],
  ])('has the first 200 characters of the body: %s', (_, body, length) => {
    const { text } = summaryOf({ body, magicLink: null, fromName: '', id: '' });
    expect(body.startsWith(text)).toBe(true);
    expect(text).toHaveLength(length);
  });

  test('takes at most 1,000 bytes, and lists each truncated value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc
        .tuple(fc.constantFrom('x', '"', '\\', '\u0000', 'ß', '字', '😀', '\ud83d', '\u2028'), fc.nat(6_000))
        .map(([unit, count]) => unit.repeat(count)),
    );
    const values = fc.record({
      ...{ id: text, from: text, fromName: text, subject: text, body: text },
      otp: fc.constantFrom(null, '12345678'),
      code: fc.constantFrom(null, 'A1B2C3-A1B2C3-A1B2C3-A1B2C3'),
      action: fc.boolean(),
      magicLink: fc.option(text),
      size: fc.constantFrom(0, Number.MAX_SAFE_INTEGER),
      attachments: fc.constantFrom(0, 1_000),
    });
    const to = fc.constantFrom(HEAD.to, LONGEST_TO, `a@${'字'.repeat(85)}`);
    const receivedAt = fc.constantFrom(0, HEAD.receivedAt, 8.64e15);
    fc.assert(
      fc.property(values, to, receivedAt, (values, to, receivedAt) => {
        const json = jsonOf(values, { to, receivedAt });
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_SUMMARY_BYTES);
        const { text, cut, ...summary } = JSON.parse(json) as EmailSummary;
        const { otp, code, action, size } = values;
        expect(summary).toMatchObject({ to, otp, code, action, size });
        expect(values.body.startsWith(text)).toBe(true);
        for (const name of ['id', 'from', 'magicLink'] as const) {
          expect(summary[name]).toBe(cut.includes(name) ? null : values[name]);
        }
        for (const name of ['subject', 'fromName'] as const) {
          const isCut = cut.includes(name);
          if (!isCut) expect(summary[name]).toBe(values[name]);
          else expect(values[name].startsWith(summary[name].replace(/…$/, ''))).toBe(true);
        }
        // Truncation must not split a surrogate pair, because JSON would escape the unpaired half.
        if (!JSON.stringify(values).includes('\\ud')) expect(json).not.toContain('\\ud');
      }),
      { numRuns: 500 },
    );
  });
});
