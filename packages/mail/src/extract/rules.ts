import { CODE_EXCLUSIONS } from './code/code-exclusions.js';
import { CODE_RULES } from './code/code-rules.js';
import { LETTER_RULES } from './code/letter-rules.js';
import { ACTION_RULES } from './link/action-rules.js';
import { LINK_EXCLUSIONS } from './link/link-address.js';
import { LINK_RULES } from './link/link-rules.js';

/** Everything that codes and links are judged by. Each rule has an id that no other one of its table has. */
export const RULES = {
  code: { exclusions: CODE_EXCLUSIONS, points: CODE_RULES },
  link: { exclusions: LINK_EXCLUSIONS, points: LINK_RULES },
  letters: LETTER_RULES,
  actions: ACTION_RULES,
};

export type Rules = typeof RULES;
