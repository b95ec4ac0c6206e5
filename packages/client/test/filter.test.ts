import { expect, test } from 'vitest';
import type { ReceivedEmail } from '../src/wait/email.js';
import { mismatches } from '../src/wait/filter.js';

/** Fields that a filter compares. contents.test.ts tests conditions that need a request. */
const EMAIL = {
  id: '<1@app.test>',
  from: 'NoReply@App.test',
  to: 'demo@inbox.example.com',
  subject: 'Your Code',
  body: 'Hello,\nyour code is 482913.',
  rawBody: '',
  receivedAt: new Date('2026-01-31T09:30:00.000Z'),
  otp: '482913',
  magicLink: null,
  fromName: '',
} as unknown as ReceivedEmail;

test('a filter ignores case, invisible characters and the Unicode form of spaces and accents', () => {
  const email = { ...EMAIL, subject: 'Le code\u00a0: ver\u200bify cle\u0301' };
  expect(mismatches({ subject: 'LE CODE : VERIFY CLÉ' }, email)).toEqual([]);
  expect(mismatches({ subject: 'le code: verify' }, email)).toEqual(['subject does not match']);
});

test('a filter with a global pattern matches the same email every time', () => {
  const subject = /code/gi;
  for (let n = 0; n < 3; n++) expect(mismatches({ subject }, EMAIL)).toEqual([]);
});

test.each([
  ['null', () => null],
  ['Symbol(yes)', () => Symbol('yes')],
  ['a promise', async () => false],
])('a condition that returns %s is rejected, because it is neither true nor false', (what, answer) => {
  const where = answer as unknown as (email: ReceivedEmail) => boolean;
  expect(() => mismatches({ where }, EMAIL)).toThrow(`where() must return true or false, not ${what}.`);
});
