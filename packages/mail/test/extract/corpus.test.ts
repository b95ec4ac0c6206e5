import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readMail } from '../../src/read-mail.js';
import { loadCorpus } from '../corpus/load.js';
import { LANGUAGES } from './languages.js';

const cases = await loadCorpus();

test('the corpus has many messages in many languages', () => {
  expect(cases.length).toBeGreaterThanOrEqual(250);
  expect(cases.filter(({ file }) => file === 'codes-in-languages.mails').length).toBeGreaterThanOrEqual(50);
  expect(new Set(cases.map(({ file, name }) => `${file} ${name}`)).size).toBe(cases.length);
});

test('docs/internals/extraction.md states how many messages and languages the corpus has', () => {
  const page = readFileSync(new URL('../../../../docs/internals/extraction.md', import.meta.url), 'utf8');
  const empty = cases.filter(({ otp, magicLink }) => otp === null && magicLink === null);
  expect(page).toContain(`${cases.length} messages`);
  expect(page).toContain(`${empty.length} of them with nothing to find`);
  expect(page).toContain(`those of ${LANGUAGES.length} languages`);
});

describe.each([...new Set(cases.map(({ file }) => file))])('%s', (file) => {
  const inFile = cases.filter((one) => one.file === file);
  test.each(inFile.map((one) => [one.name, one] as const))('%s', (_, { message, because, otp, magicLink }) => {
    const found = readMail(message);
    expect({ otp: found.otp, magicLink: found.magicLink }, because).toEqual({ otp, magicLink });
  });
});
