import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { RULES } from '../../src/extract/rules.js';
import { parseMessage } from '../../src/mime/parse.js';
import { loadCorpus, loadCorpusFrom } from '../corpus/load.js';
import { type Chance, isBelowFloor, type Mail, mutationRates, type Words } from '../corpus/mutations/rates.js';
import { MUTATIONS } from '../corpus/mutations/table.js';

/** Always the same mutants: the whole corpus takes two seconds. `npm run corpus -- --mutate --seed 2` makes others. */
const SEED = 1;
const cases = await loadCorpus();
const rates = mutationRates(cases, { seed: SEED }, { extract, parseMessage });

describe('as many mails as the floor says hold under each mutation', () => {
  test.each(rates.map((rate) => [rate.name, rate] as const))('%s', (name, rate) => {
    const broken = rate.broken.map(({ place, wrong }) => `${place}: ${JSON.stringify(wrong)}`);
    expect(isBelowFloor(rate), `npm run corpus -- --mutate ${name} --all\n${broken.join('\n')}`).toBe(false);
    expect(rate.held + broken.length).toBeGreaterThanOrEqual(50);
  });
});

test('a floor is near to what holds, so that it tells of a class of faults', () => {
  const slack = rates.filter(({ floor, held, broken }) => (100 * held) / (held + broken.length) > floor + 4);
  expect(slack.map(({ name }) => name)).toEqual([]);
});

test('a mutation by itself gives what it gives among the others', () => {
  const last = MUTATIONS.at(-1);
  if (last === undefined) throw new Error('There are no mutations.');
  const alone = mutationRates(cases, { seed: SEED, mutations: [last] }, { extract, parseMessage });
  expect(alone).toEqual(rates.slice(-1));
});

// Each of these rules was made for a class of mails: without it, that class is seen.
test.each([
  ['other-name', 'number-below'],
  ['other-name', 'number-in-subject'],
  ['spent', 'expired'],
  ['spent', 'expired-below'],
  ['spent', 'quoted'],
  ['code-beside', 'header-row'],
  ['link-text', 'link-text'],
])('without the rule %s, fewer mails than the floor hold under %s', (rule, name) => {
  const mutations = MUTATIONS.filter((one) => one.name === name);
  const points = RULES.code.points.filter(([id]) => id !== rule);
  const rules = { ...RULES, code: { ...RULES.code, points } };
  const [rate] = mutationRates(
    cases,
    { seed: SEED, mutations },
    { extract: (mail) => extract(mail, rules), parseMessage },
  );
  if (rate === undefined) throw new Error(`There is no mutation ${name}.`);
  expect(isBelowFloor(rate), `${rate.held} held`).toBe(true);
});

describe('a mutation', () => {
  const chance: Chance = {
    below: () => 0,
    oneOf: <T>(values: readonly T[]) => values[0] as T,
    digits: () => '88120934',
    letters: (length) => 'x'.repeat(length),
  };
  const words: Words = {
    names: ['Order'],
    code: 'Code',
    voucher: 'Voucher',
    expired: 'The code # has expired.',
    oldCode: 'The old code # is dead.',
    unsubscribe: 'Unsubscribe',
    notMe: 'Not me',
  };
  const text = {
    subject: 'Sign in',
    text: 'Hi Noor,\n\nYour code:\n482 913\n\nShop 7731',
    html: null,
    otp: '482913',
    magicLink: null,
  };
  const html = {
    ...text,
    text: null,
    html: '<p>Hi</p><table><tr><td>Your code</td><td><b>482913</b></td></tr></table><style>p{color:#482913}</style>',
  };

  test.each<[string, Mail, Partial<Mail>]>([
    ['number-above', text, { text: 'Hi Noor,\n\nOrder: 88120934\nYour code:\n482 913\n\nShop 7731' }],
    ['number-below', html, { html: html.html.replace('</tr>', '</tr><tr><td>Order</td><td>88120934</td></tr>') }],
    ['number-below', { ...text, otp: null }, { text: `${text.text}\n\nOrder: 88120934\n` }],
    ['expired', text, { text: 'Hi Noor,\n\nYour code:\nThe code 482 913 has expired.\n\nShop 7731', otp: null }],
    [
      'header-row',
      text,
      { text: 'Hi Noor,\n\nYour code:\nCode | Order\n482 913 | 88120934\n\nShop 7731', otp: '482913' },
    ],
    ['label-swapped', { ...text, text: 'Code: 482913\nShop 7731' }, { text: 'Code: 7731\nShop 482913', otp: '7731' }],
  ])('%s writes what its table says', (name, mail, expected) => {
    expect(mutate(name, mail)).toMatchObject(expected);
  });

  test.each<[string, Mail, string]>([
    ['number-before', text, 'the line of the code has no words'],
    ['number-after', { ...text, otp: null }, 'there is no code'],
    ['expired', { ...text, text: `${text.text} 482913` }, 'the code stands there twice'],
    ['expired', { ...text, subject: '482913' }, 'the code stands in the subject'],
    ['label-swapped', { ...text, text: 'Code: 482913\nSince 2019' }, 'the other number is a year'],
    ['in-cells', html, 'the mail is HTML'],
    ['link-text', text, 'a text has no links with texts'],
    [
      'unsubscribe-below',
      { ...html, magicLink: 'https://app.test/go?token=1' },
      'the link may be right as the only one',
    ],
  ])('%s does not apply where %#: $2', (name, mail) => {
    expect(mutate(name, mail)).toBeNull();
  });

  function mutate(name: string, mail: Mail): Mail | null {
    const mutation = MUTATIONS.find((one) => one.name === name);
    if (mutation === undefined) throw new Error(`There is no mutation ${name}.`);
    return mutation.mutate(mail, chance, words);
  }
});

test('mails that are right for lack of anything else are left out', () => {
  const mail = { file: 'a.mails', name: 'A', because: 'it is the only number', otp: '482913', magicLink: null };
  const message = Buffer.from('Subject: Hello\r\n\r\nHere: 482913\r\n');
  const [rate] = mutationRates([{ ...mail, message }], { seed: SEED }, { extract, parseMessage });
  expect(rate).toMatchObject({ held: 0, broken: [] });
  expect(rate !== undefined && isBelowFloor(rate)).toBe(true);
});

test('a corpus is read from another folder, of whole messages with labels or of files like ours', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-corpus-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    path.join(folder, 'one.mails'),
    '===== One\notp: 482913\nlink: none\nbecause: it says so\n~~~ text\nCode: 482913\n',
  );
  expect(await loadCorpusFrom(folder)).toMatchObject([
    { file: 'one.mails', name: 'One', otp: '482913', magicLink: null },
  ]);
  writeFileSync(path.join(folder, 'labels.json'), JSON.stringify({ two: { otp: '4829' }, three: { otp: '1111' } }));
  writeFileSync(path.join(folder, 'two.eml'), 'Subject: Code\r\n\r\nCode: 4829\r\n');
  const [two, ...others] = await loadCorpusFrom(folder);
  expect(two).toMatchObject({ file: 'two.eml', name: 'two', otp: '4829', magicLink: null });
  expect(others).toEqual([]);
});
