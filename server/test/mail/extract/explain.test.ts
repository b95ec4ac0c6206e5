import { expect, test } from 'vitest';
import { explanationTable } from '../../../src/commands/explanation-text.js';
import { explain, MAX_EXPLAINED } from '../../../src/mail/extract/explain.js';
import { extract } from '../../../src/mail/extract/extraction.js';
import { parseMessage } from '../../../src/mail/mime/parse.js';
import { loadCorpus } from '../../corpus/load.js';

const MAIL = {
  subject: 'Order 100482',
  text: 'Your pickup code is 4829.\nPrice: $1200\nhttps://app.test/orders/100482\nhttps://app.test/unsubscribe?token=1',
  html: null,
};

test('explains the same decision as is taken', async () => {
  for (const { message } of await loadCorpus()) {
    const parts = parseMessage(message);
    const { otp, magicLink } = explain(parts);
    expect({ otp, magicLink }).toEqual(extract(parts));
  }
});

test('says what was considered, the best first, and why', () => {
  const { otpCandidates, magicLinkCandidates, otpThreshold } = explain(MAIL);
  expect(otpCandidates.map(({ value, verdict }) => [value, verdict])).toEqual([
    ['4829', 'chosen'],
    ['100482', 'too few points'],
    ['1200', 'excluded'],
  ]);
  const [chosen, named, price] = otpCandidates;
  expect(chosen?.score).toBeGreaterThanOrEqual(otpThreshold);
  expect(named?.reasons).toContainEqual({
    rule: 'other-name',
    points: -60,
    text: 'it bears the name of another kind of number',
  });
  expect(price?.reasons).toEqual([{ rule: 'price', points: 0, text: 'it is a price' }]);
  expect(magicLinkCandidates.map(({ verdict }) => verdict)).toEqual(['excluded', 'excluded']);
});

test('the points are the sum of the reasons', () => {
  for (const { score, reasons } of explain(MAIL).otpCandidates) {
    expect(reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score);
  }
});

test('explains a bounded number of candidates', () => {
  const text = Array.from({ length: 500 }, (_, i) => `${10_000 + i}, https://app.test/verify/${i}`).join('\n');
  const { otpCandidates, magicLinkCandidates } = explain({ subject: '', text, html: null });
  expect([otpCandidates.length, magicLinkCandidates.length]).toEqual([MAX_EXPLAINED, MAX_EXPLAINED]);
});

test('reads as a table', () => {
  expect(explanationTable(explain({ ...MAIL, text: 'Your code is 4829. Price: $1200' }))).toBe(
    [
      'otp: 4829',
      '  40 points are needed.',
      '',
      '  4829 (text): 50 points, chosen',
      '     +50  a word for a code stands right beside it  [code-beside]',
      '',
      '  100482 (subject): -55 points, too few points',
      '     -60  it bears the name of another kind of number  [other-name]',
      '      +5  it has six digits  [six-digits]',
      '',
      '  1200 (text): excluded',
      '          it is a price  [price]',
      '',
      'magicLink: null',
      '  There is no link in the message that could be it.',
      '',
    ].join('\n'),
  );
});

test('a table holds no control character of the message', () => {
  const html = '<a href="https://app.test/verify/\u001b[2J">\u001b[31mVerify\u0007</a>';
  expect(explanationTable(explain({ subject: '', text: null, html }))).not.toMatch(/[^\P{Cc}\n]/u);
});
