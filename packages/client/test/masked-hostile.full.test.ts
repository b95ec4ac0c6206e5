import { expect, test } from 'vitest';
import type { EmailParts } from '../../protocol/src/wire.js';
import { maskedEmail } from '../src/testing/masked-email.js';
import { MAX_SNAPSHOT_LENGTH } from '../src/wait/bounds.js';

/** What rules meet again and again, and nearly match. */
const HOSTILE: Record<string, string> = {
  letters: 'a',
  digits: '1',
  'digits and points': '1.',
  'times that go on': '1:23:',
  'dates without a year': '27 November ',
  addresses: 'https://',
  'values of a query': 'https://a.example/?a=',
  masks: 'https://[masked]',
  tags: '<',
  entities: '&#8203;',
  'blanks in a code': '4 8 2 9 1 ',
  codes: '482913',
  'parts of an id': '0123abcd-',
  hyphens: '-',
  surrogates: '\ud83d\ude00',
};

// A rule that takes the square of the length takes longer than a test may.
test.each(Object.entries(HOSTILE))('masks %s without end in the time of a test', (_, unit) => {
  const whole = unit.repeat(Math.floor(MAX_SNAPSHOT_LENGTH / unit.length));
  const email = { from: unit, fromName: '', to: 'swift-otter@inbox.example.com', subject: whole, otp: '482913' };
  const contents = { text: whole, html: whole, parts: [], codes: [{ value: '4829-13' }] } as unknown as EmailParts;
  expect(maskedEmail(email, contents, ['Ann'])).toEqual(expect.any(String));
});
