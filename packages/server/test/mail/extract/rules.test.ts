import { expect, test } from 'vitest';
import { choose } from '../../../src/mail/extract/extraction.js';
import { RULES, ruleIds, withoutRule } from '../../../src/mail/extract/rules.js';
import { contentOf } from '../../../src/mail/extract/text/passages.js';
import { parseMessage } from '../../../src/mail/mime/parse.js';
import { loadCorpus } from '../../corpus/load.js';
import { ruleNeeds } from '../../corpus/rule-needs.js';

const needs = ruleNeeds(await loadCorpus(), { parseMessage, contentOf, choose, RULES, ruleIds, withoutRule });

test.each([...needs])('%s: a message comes out wrong without it', (_, names) => {
  expect(names).not.toEqual([]);
});

test('each rule has an id of its own', () => {
  const ids = ruleIds(RULES);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[a-z]+(?:-[a-z]+)*$/.test(id))).toBe(true);
});

test('without a rule all others are left', () => {
  for (const id of ruleIds(RULES)) {
    expect(ruleIds(withoutRule(RULES, id))).toEqual(ruleIds(RULES).filter((other) => other !== id));
  }
});
