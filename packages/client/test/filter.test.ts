import { expect, test } from 'vitest';
import type { ReceivedEmail } from '../src/wait/email.js';
import { type EmailFilter, mismatches, serverFilter } from '../src/wait/filter.js';
import { describeFilter } from '../src/wait/filter-words.js';
import type { SelectionQuery } from '../src/wait/inbox-api.js';

/** What a filter looks at. What takes a request is asked of real emails (contents.test.ts). */
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

/** A filter, why the email does not match, what the server is asked for, and the filter in words. */
const CASES: readonly (readonly [EmailFilter, readonly string[], SelectionQuery, string])[] = [
  [{}, [], {}, ''],
  [{ from: 'noreply@' }, [], { from: 'noreply@' }, 'from "noreply@"'],
  [{ subject: 'CODE' }, [], { subject: 'CODE' }, 'subject "CODE"'],
  [{ subject: 'receipt' }, ['subject does not match'], { subject: 'receipt' }, 'subject "receipt"'],
  [{ subject: /^Your code$/ }, ['subject does not match'], {}, 'subject /^Your code$/'],
  [{ subject: /^your code$/i }, [], {}, 'subject /^your code$/i'],
  [{ body: 'IS 4829' }, [], { body: 'IS 4829' }, 'body "IS 4829"'],
  [{ body: /^your/m }, [], {}, 'body /^your/m'],
  [{ hasOtp: true }, [], { hasOtp: true }, 'with a code'],
  [{ hasOtp: false }, ['has a code'], { hasOtp: false }, 'without a code'],
  [{ hasMagicLink: true }, ['no link'], { hasMagicLink: true }, 'with a link'],
  [{ hasMagicLink: false }, [], { hasMagicLink: false }, 'without a link'],
  [{ where: ({ otp }) => otp === '482913' }, [], {}, 'that where() accepts'],
  [{ where: () => false }, ['where() refuses it'], {}, 'that where() accepts'],
  [
    { from: 'shop', subject: /x/, hasOtp: false, where: () => false },
    ['from does not match', 'subject does not match', 'has a code'],
    { from: 'shop', hasOtp: false },
    'without a code, from "shop", subject /x/, that where() accepts',
  ],
  [{ from: undefined, hasOtp: undefined, where: undefined }, [], {}, ''],
];

test.each(CASES)('%o', (filter, reasons, asked, words) => {
  expect(mismatches(filter, EMAIL)).toEqual(reasons);
  expect(serverFilter(filter)).toEqual(asked);
  expect(describeFilter(filter).join(', ')).toBe(words);
});

test('a text is compared as people see it', () => {
  const email = { ...EMAIL, subject: 'Le code\u00a0: ver\u200bify cle\u0301' };
  expect(mismatches({ subject: 'LE CODE : VERIFY CLÉ' }, email)).toEqual([]);
  expect(mismatches({ subject: 'le code: verify' }, email)).toEqual(['subject does not match']);
});

test('a global pattern finds the same email every time', () => {
  const subject = /code/gi;
  for (let n = 0; n < 3; n++) expect(mismatches({ subject }, EMAIL)).toEqual([]);
});

test.each([
  ['null', () => null],
  ['Symbol(yes)', () => Symbol('yes')],
  ['undefined', () => {}],
  ['a promise', async () => false],
  ['a promise', () => Promise.reject(new Error('nobody hears of it'))],
])('a condition that gives %s is refused: it says neither yes nor no', (what, answer) => {
  const where = answer as unknown as (email: ReceivedEmail) => boolean;
  expect(() => mismatches({ where }, EMAIL)).toThrow(`where() must return true or false, and returned ${what}.`);
});
