import type { CodeRules } from './code/code-candidates.js';
import { CODE_EXCLUSIONS } from './code/code-exclusions.js';
import { CODE_RULES } from './code/code-rules.js';
import { LINK_EXCLUSIONS } from './link/link-address.js';
import type { LinkRules } from './link/link-candidates.js';
import { LINK_RULES } from './link/link-rules.js';
import type { RuleSet } from './score.js';

/** Everything that codes and links are judged by. Each rule has an id that no other one has. */
export interface Rules {
  readonly code: CodeRules;
  readonly link: LinkRules;
}

export const RULES: Rules = {
  code: { exclusions: CODE_EXCLUSIONS, points: CODE_RULES },
  link: { exclusions: LINK_EXCLUSIONS, points: LINK_RULES },
};

/** The ids of all rules, in the order of their tables. */
export function ruleIds({ code, link }: Rules): string[] {
  return [code.exclusions, code.points, link.exclusions, link.points].flatMap((table) => table.map(([id]) => id));
}

/** The rules without one of them, so that it shows what that one is needed for. */
export function withoutRule({ code, link }: Rules, id: string): Rules {
  return { code: without(code, id), link: without(link, id) };
}

function without<A, B>({ exclusions, points }: RuleSet<A, B>, id: string): RuleSet<A, B> {
  return { exclusions: exclusions.filter((rule) => rule[0] !== id), points: points.filter((rule) => rule[0] !== id) };
}
