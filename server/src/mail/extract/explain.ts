import { CODE_RULES, CODE_THRESHOLD } from './code/code-rules.js';
import { choose, type Extraction } from './extraction.js';
import { LINK_RULES, LINK_THRESHOLD } from './link/link-rules.js';
import type { Link } from './link/links.js';
import { RULES } from './rules.js';
import { type Candidate, type Reason, type Rule, reasons } from './score.js';
import { contentOf, type ExtractionInput } from './text/passages.js';

/** What became of a candidate. A value that occurs in several parts of the message is chosen in all of them. */
export type Verdict = 'chosen' | 'another has more points' | 'too few points' | 'excluded';

/** One number or link that was considered. */
export interface ExplainedCandidate {
  readonly value: string;
  readonly verdict: Verdict;
  /** Sum of the reasons' points; 0 when it is excluded. */
  readonly score: number;
  /** The evidence; of an excluded one, the reason for that alone, with 0 points. */
  readonly reasons: readonly Reason[];
  /** Where it occurs: the part of the message, or a link's text. */
  readonly where: string;
}

/** How extraction came to its result, as plain data. */
export interface Explanation extends Extraction {
  readonly otpThreshold: number;
  readonly otpCandidates: readonly ExplainedCandidate[];
  readonly magicLinkThreshold: number;
  readonly magicLinkCandidates: readonly ExplainedCandidate[];
}

/** So many candidates of a kind are explained, the best ones. */
export const MAX_EXPLAINED = 20;
/** A link's text is shown up to here. */
const MAX_LABEL_CHARS = 80;

/** The same decision as `extract`, with everything that was considered, the best first. */
export function explain(input: ExtractionInput): Explanation {
  const { codes, code, links, link } = choose(contentOf(input), RULES);
  return {
    otp: code?.value ?? null,
    magicLink: link?.value ?? null,
    otpThreshold: CODE_THRESHOLD,
    otpCandidates: explained(codes, code, CODE_THRESHOLD, CODE_RULES, ({ passage }) => passage.source),
    magicLinkThreshold: LINK_THRESHOLD,
    magicLinkCandidates: explained(links, link, LINK_THRESHOLD, LINK_RULES, ({ link }) => labelOf(link)),
  };
}

function explained<Facts, C extends Candidate<Facts>>(
  candidates: readonly C[],
  chosen: C | null,
  threshold: number,
  rules: readonly Rule<Facts>[],
  where: (candidate: C) => string,
): ExplainedCandidate[] {
  return candidates
    .toSorted((a, b) => rank(b, chosen) - rank(a, chosen))
    .slice(0, MAX_EXPLAINED)
    .map((candidate) => ({
      value: candidate.value,
      verdict: verdict(candidate, chosen, threshold),
      score: candidate.score,
      reasons: candidate.excluded === null ? heldFor(rules, candidate.facts) : [candidate.excluded],
      where: where(candidate),
    }));
}

function heldFor<Facts>(rules: readonly Rule<Facts>[], facts: Facts | null): Reason[] {
  return facts === null ? [] : reasons(rules, facts);
}

/** The text of the link where it occurs first; of an address that is written out, the part of the message. */
function labelOf({ occurrences: [first] }: Link): string {
  if (first === undefined) return '';
  if (first.isWritten) return first.passage.source;
  return first.passage.text.slice(first.at.start, first.at.end).trim().slice(0, MAX_LABEL_CHARS) || first.title;
}

function rank<C extends Candidate<unknown>>(candidate: C, chosen: C | null): number {
  if (candidate === chosen) return Number.POSITIVE_INFINITY;
  return candidate.excluded === null ? candidate.score : Number.NEGATIVE_INFINITY;
}

function verdict<C extends Candidate<unknown>>(candidate: C, chosen: C | null, threshold: number): Verdict {
  if (candidate.excluded !== null) return 'excluded';
  if (candidate.value === chosen?.value) return 'chosen';
  return candidate.score < threshold ? 'too few points' : 'another has more points';
}
