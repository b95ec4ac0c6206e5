import { describe, expect, test } from 'vitest';
import { type EmailFilter, filterIndex, indexTest } from '../../src/inbox/read/filter.js';

const INDEX = filterIndex({
  from: 'Billing@Shop.example',
  subject: 'Ihre Bestätigung',
  body: 'Your CODE is 482913',
  otp: '482913',
  magicLink: null,
});

describe('filtering without reading the mail again (D9)', () => {
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
  ])('%o: %s', (filter, matches) => {
    expect(indexTest(filter)?.(INDEX)).toBe(matches);
  });

  test.each<[EmailFilter]>([[{}], [{ from: '', subject: '', body: '' }]])('%o lets everything through', (filter) => {
    expect(indexTest(filter)).toBeNull();
  });
});
