import { describe, expect, test } from 'vitest';
import { readMail } from '../../../src/mail/read.js';
import { loadCorpus } from '../../corpus/load.js';

const cases = await loadCorpus();

test('the corpus is large and in many languages', () => {
  expect(cases.length).toBeGreaterThanOrEqual(250);
  expect(cases.filter(({ file }) => file === 'codes-in-languages.mails').length).toBeGreaterThanOrEqual(50);
  expect(new Set(cases.map(({ file, name }) => `${file} ${name}`)).size).toBe(cases.length);
});

describe.each([...new Set(cases.map(({ file }) => file))])('%s', (file) => {
  const inFile = cases.filter((one) => one.file === file);
  test.each(inFile.map((one) => [one.name, one] as const))('%s', (_, { message, because, otp, magicLink }) => {
    const found = readMail(message);
    expect({ otp: found.otp, magicLink: found.magicLink }, because).toEqual({ otp, magicLink });
  });
});
