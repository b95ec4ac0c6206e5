import { CODE_RULES, CODE_THRESHOLD } from './code/code-rules.js';
import type { LetterCandidate } from './code/letter-candidates.js';
import { LETTER_RULES } from './code/letter-rules.js';
import { type Choice, choose, type Extraction } from './extraction.js';
import { LINK_RULES, LINK_THRESHOLD } from './link/link-rules.js';
import type { Link } from './link/links.js';
import { codesOf } from './listing.js';
import { RULES } from './rules.js';
import { type Candidate, type Reason, type Rule, reasons } from './score.js';
import { type Content, contentOf, type ExtractionInput } from './text/passages.js';

/** What became of a candidate. A value that occurs in several parts of the message is chosen in all of them. */
export type Verdict = 'chosen' | 'another has more points' | 'too few points' | 'excluded';

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
  /**
   * Letters, with or without digits, that may be a code, each value once. They need as many points; `otp` is never one
   * of them.
   */
  readonly letterCandidates: readonly ExplainedCandidate[];
  readonly magicLinkThreshold: number;
  readonly magicLinkCandidates: readonly ExplainedCandidate[];
}

/** So many candidates of a kind are explained, the best ones. */
export const MAX_EXPLAINED = 20;
const MAX_LABEL_CHARS = 80;

/** The same decision as `extract`, with everything that was considered, the best first. */
export function explain(input: ExtractionInput): Explanation {
  const content = contentOf(input);
  const choice = choose(content, RULES);
  const { codes, code, links, link } = choice;
  return {
    otp: code?.value ?? null,
    magicLink: link?.value ?? null,
    otpThreshold: CODE_THRESHOLD,
    otpCandidates: explained(codes, code, CODE_THRESHOLD, CODE_RULES, ({ passage }) => passage.source),
    letterCandidates: explainedLetters(content, choice),
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
    .map((one) => described(one, verdict(one, chosen, threshold), rules, where(one)));
}

function explainedLetters(content: Content, choice: Choice): ExplainedCandidate[] {
  const { letters, found } = codesOf(content, choice, LETTER_RULES);
  const listed = new Set(found.map(({ value }) => value));
  const bestFirst = letters.toSorted((a, b) => rank(b, null) - rank(a, null));
  const best = new Map<string, LetterCandidate>();
  for (const one of bestFirst) if (!best.has(one.value)) best.set(one.value, one);
  return [...best.values()].slice(0, MAX_EXPLAINED).map((one) => {
    const verdict = listed.has(one.value) ? 'chosen' : rejection(one, CODE_THRESHOLD);
    return described(one, verdict, LETTER_RULES, one.passage.source);
  });
}

function described<Facts>(
  { value, score, excluded, facts }: Candidate<Facts>,
  verdict: Verdict,
  rules: readonly Rule<Facts>[],
  where: string,
): ExplainedCandidate {
  return { value, verdict, score, reasons: excluded === null ? heldFor(rules, facts) : [excluded], where };
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
  return candidate.excluded === null && candidate.value === chosen?.value ? 'chosen' : rejection(candidate, threshold);
}

function rejection(candidate: Candidate<unknown>, threshold: number): Verdict {
  if (candidate.excluded !== null) return 'excluded';
  return candidate.score < threshold ? 'too few points' : 'another has more points';
}
