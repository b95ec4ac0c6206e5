import { describe, expect, test } from 'vitest';
import { CODE_RULES } from '../../../src/mail/extract/code/code-rules.js';
import { LISTING_RULES, type ListingRules, listCodesAndLinks } from '../../../src/mail/extract/listing.js';
import { parseMessage } from '../../../src/mail/mime/parse.js';
import { loadPartsCorpus } from '../../corpus/load.js';

const messages = (await loadPartsCorpus()).map(({ message, codes, action }) => ({
  input: parseMessage(message),
  expected: JSON.stringify({ codes, action }),
}));

/** How many messages come out wrong by some rules. */
function wrong(rules: ListingRules): number {
  return messages.filter(({ input, expected }) => {
    const { codes, links } = listCodesAndLinks(input, rules);
    const action = links.items.find((link) => link.action)?.url ?? null;
    return JSON.stringify({ codes: codes.items.map(({ value }) => value), action }) !== expected;
  }).length;
}

test('each rule has a name that no other one of its table has', () => {
  for (const table of [LISTING_RULES.letters, LISTING_RULES.actions]) {
    const ids = table.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

describe('a message comes out wrong without the rule', () => {
  const { letters, actions } = LISTING_RULES;

  test.each(letters.filter((rule) => !CODE_RULES.some(([id]) => id === rule[0])).map(([id]) => id))('%s', (id) => {
    expect(wrong({ actions, letters: letters.filter((rule) => rule[0] !== id) })).toBeGreaterThan(0);
  });

  // The magic link is the one to follow whatever its points; the rule says so to whoever asks.
  test.each(actions.map(([id]) => id).filter((id) => id !== 'magic-link'))('%s', (id) => {
    expect(wrong({ letters, actions: actions.filter((rule) => rule[0] !== id) })).toBeGreaterThan(0);
  });
});
