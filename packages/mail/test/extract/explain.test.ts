import { expect, test } from 'vitest';
import { explanationTable } from '../../../server/src/commands/extract.js';
import { readContents } from '../../src/contents.js';
import { explain } from '../../src/extract/explain.js';
import { extract } from '../../src/extract/extraction.js';
import { parseMessage } from '../../src/mime/parse.js';
import { loadCorpus, loadPartsCorpus } from '../corpus/load.js';

const MAIL = {
  subject: 'Order 100482',
  text: 'Your pickup code is 4829.\nPrice: $1200\nhttps://app.test/orders/100482\nhttps://app.test/unsubscribe?token=1',
  html: null,
};

test('explain chooses the same results as extract', async () => {
  for (const { message } of await loadCorpus()) {
    const parts = parseMessage(message);
    const { otp, magicLink } = explain(parts);
    expect({ otp, magicLink }).toEqual(extract(parts));
  }
});

test('explain lists all candidates with their reasons, best first', () => {
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
    points: -110,
    text: 'the text calls it another kind of number',
  });
  expect(price?.reasons).toEqual([{ rule: 'price', points: 0, text: 'it is a price' }]);
  expect(magicLinkCandidates.map(({ verdict }) => verdict)).toEqual(['excluded', 'excluded']);
});

test('explain lists each value of letterCandidates only once, with its best score', () => {
  const text = 'Your code is A7K-2QX.\nPassword: QF7RX2PL\nVersion V2140RC2.\n\nQF7RX2PL\n';
  const { otp, letterCandidates, otpThreshold } = explain({ subject: 'Your account', text, html: null });
  expect(otp).toBeNull();
  expect(letterCandidates.map(({ value, verdict }) => [value, verdict])).toEqual([
    ['A7K-2QX', 'chosen'],
    ['QF7RX2PL', 'too few points'],
    ['V2140RC2', 'too few points'],
  ]);
  const [code, password] = letterCandidates;
  expect(code?.score).toBeGreaterThanOrEqual(otpThreshold);
  expect(password?.score).toBe(password?.reasons.reduce((sum, { points }) => sum + points, 0));
  expect(letterCandidates.at(-1)?.reasons.map(({ rule }) => rule)).toContain('named-otherwise');
});

test('explain marks a candidate with letters as chosen if it is among the codes of the message', async () => {
  for (const { message } of await loadPartsCorpus()) {
    const { otp, letterCandidates } = explain(parseMessage(message));
    const chosen = letterCandidates.filter(({ verdict }) => verdict === 'chosen').map(({ value }) => value);
    const codes = readContents(message).codes.map(({ value }) => value);
    expect(chosen).toEqual(codes.filter((value) => value !== otp && /[A-Z]|(?:\d\D?){9}/i.test(value)));
  }
});

test('explanations can be printed as a table', () => {
  expect(explanationTable(explain({ ...MAIL, text: 'Your code is 4829. Price: $1200' }))).toBe(
    [
      'otp: 4829',
      '  40 points are needed.',
      '',
      '  4829 (text): 50 points, chosen',
      '     +50  a word such as "code" is next to it  [code-beside]',
      '',
      '  100482 (subject): -105 points, too few points',
      '    -110  the text calls it another kind of number  [other-name]',
      '      +5  it has six digits  [six-digits]',
      '',
      '  1200 (text): excluded',
      '          it is a price  [price]',
      '',
      'magicLink: null',
      '  The message contains no link that qualifies.',
      '',
    ].join('\n'),
  );
});
