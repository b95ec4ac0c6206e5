import { describe, expect, test } from 'vitest';
import { type EmailFilter, filterIndex, indexTest } from '../../src/inbox/read/selecting.js';
import { SEEN_TEXTS, SEEN_TEXTS_SET_ASIDE } from './seen-texts.js';

const INDEX = filterIndex({
  from: 'Billing@Shop.example',
  subject: 'Ihre Bestätigung',
  body: 'Your CODE is 482913',
  otp: '482913',
  magicLink: null,
});

describe('a filter on the stored index of an email (D9)', () => {
  test.each<[EmailFilter, boolean]>([
    [{ from: 'billing@' }, true],
    [{ from: 'SHOP' }, true],
    [{ from: 'ihre' }, false],
    [{ subject: 'BESTÄTIGUNG' }, true],
    [{ subject: 'code' }, false],
    [{ body: 'code is 4829' }, true],
    [{ body: 'shop' }, false],
    [{ hasOtp: true }, true],
    [{ hasOtp: false }, false],
    [{ hasMagicLink: true }, false],
    [{ hasMagicLink: false }, true],
    [{ from: 'shop', subject: 'ihre', body: 'code', hasOtp: true, hasMagicLink: false }, true],
    [{ from: 'shop', subject: 'nothing of it' }, false],
    [{ from: '', subject: 'ihre' }, true],
  ])('%o matches the email: %s', (filter, matches) => {
    expect(indexTest(filter)?.(INDEX)).toBe(matches);
  });

  test.each([
    ['a no-break space', 'Le code\u00a0: Shop', 'le code : shop'],
    ['a no-break space in the filter', 'Le code : Shop', 'code\u202f:'],
    ['tabs and runs of blanks', 'Your \t code', 'your  code'],
    ['a line break, which is not a blank', 'Your\u3000\ncode', 'your \ncode'],
    ['a letter and its accent', 'Votre cle\u0301', 'clé'],
    ['an accent in the filter', 'Votre clé', 'cle\u0301'],
    ['zero-width characters', 'ver\u200bify\u2068 me\u2069', 'verify me'],
    ['a zero-width character in the filter', 'verify', 'ver\ufeffify'],
    ['a soft hyphen', 'confir\u00admation', 'confirmation'],
  ])('compares text as people see it: %s', (_, subject, wanted) => {
    const index = filterIndex({ from: 'a@b.test', subject, body: '', otp: null, magicLink: null });
    expect(indexTest({ subject: wanted })?.(index)).toBe(true);
    expect(indexTest({ subject: `${wanted}x` })?.(index)).toBe(false);
  });

  test.each([...SEEN_TEXTS, ...SEEN_TEXTS_SET_ASIDE])(
    'searches the visible text of %j for %j: %s',
    (text, wanted, isSeen) => {
      const inSubject = filterIndex({ from: 'a@b.test', subject: text, body: '', otp: null, magicLink: null });
      expect(indexTest({ subject: wanted })?.(inSubject)).toBe(isSeen);
      const inBody = filterIndex({ from: 'a@b.test', subject: '', body: text, otp: null, magicLink: null });
      expect(indexTest({ body: wanted })?.(inBody)).toBe(isSeen);
    },
  );

  test.each<[EmailFilter]>([[{}], [{ from: '', subject: '', body: '' }]])('matches every email: %o', (filter) => {
    expect(indexTest(filter)).toBeNull();
  });
});
