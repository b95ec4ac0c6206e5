import { expect, test } from 'vitest';
import { RULES } from '../../src/extract/rules.js';

const { code, link, letters, actions } = RULES;

test.each([
  ['codes', [...code.exclusions, ...letters].map(([id]) => id)],
  ['links', [...link.exclusions, ...link.points].map(([id]) => id)],
  ['actions', actions.map(([id]) => id)],
])('each rule for %s has an id that no other one has', (_, ids) => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[a-z]+(?:-[a-z]+)*$/.test(id))).toBe(true);
});
