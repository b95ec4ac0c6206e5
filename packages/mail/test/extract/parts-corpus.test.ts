import { describe, expect, test } from 'vitest';
import { readContents } from '../../src/contents.js';
import { loadCorpus, loadPartsCorpus } from '../corpus/load.js';

const cases = await loadPartsCorpus();
const all = await loadCorpus();

const found = (message: Uint8Array) => {
  const { codes, links } = readContents(message);
  return { codes: codes.map(({ value }) => value), action: links.find(({ action }) => action)?.url ?? null };
};

test('the corpus of parts has at least 60 messages with a code or action link, and at least 60 with neither', () => {
  const empty = cases.filter(({ codes, action }) => codes.length === 0 && action === null);
  expect(empty.length).toBeGreaterThanOrEqual(60);
  expect(cases.length - empty.length).toBeGreaterThanOrEqual(60);
  expect(new Set(cases.map(({ file, name }) => `${file} ${name}`)).size).toBe(cases.length);
});

describe.each([...new Set(cases.map(({ file }) => file))])('%s', (file) => {
  const inFile = cases.filter((one) => one.file === file);
  test.each(inFile.map((one) => [one.name, one] as const))('%s', (_, { message, because, codes, action }) => {
    expect(found(message), because).toEqual({ codes, action });
  });
});

describe('for the whole corpus', () => {
  test('the otp of a message is the first of its codes', () => {
    const missing = all.filter(({ otp, message }) => otp !== null && found(message).codes[0] !== otp);
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
