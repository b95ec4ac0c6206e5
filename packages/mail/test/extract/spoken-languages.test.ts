import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contentOf } from '../../src/extract/text/passages.js';

const NAMES = readFileSync(new URL('../corpus/names-without-a-role.txt', import.meta.url), 'utf8')
  .replace(/^(?:#.*|\S+:)$/gm, ',')
  .split(',')
  .map((name) => name.trim())
  .filter((name) => name !== '');

function rolesIn(text: string) {
  const { passages } = contentOf({ subject: 'Hello', text, html: null });
  return passages.flatMap((passage) => passage.wordsIn(0, text.length)).map(({ role }) => role);
}

describe('words that exclude candidates count only in messages of their language', () => {
  test.each(NAMES)('the name "%s" does not count in an English message', (name) => {
    expect(rolesIn(`Dear ${name}, we hope that you like it.`)).toEqual([]);
  });

  test.each([
    ['another word of its language', 'Cena wynosi 12, proszę', ['other']],
    ['several words', 'no es válido', ['spent']],
    ['a word with an accent', 'numéro', ['other']],
    ['a word in a script of its language', 'заказ', ['other']],
    ['an English word, which any message may contain', 'Order', ['other']],
  ])('%s is enough evidence that the message is in its language', (_, text, roles) => {
    expect(rolesIn(text)).toEqual(roles);
  });
});
