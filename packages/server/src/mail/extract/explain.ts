import { CODE_THRESHOLD } from './code/code-rules.js';
import { choose, type Extraction } from './extraction.js';
import { LINK_THRESHOLD } from './link/link-rules.js';
import type { Link } from './link/links.js';
import { codesOf } from './listing.js';
import { RULES } from './rules.js';
import { type Candidate, type Reason, type Rule, reasons } from './score.js';
import { contentOf, type ExtractionInput, type Passage } from './text/passages.js';

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
  const choice = choose(content);
  const { codes, code, links, link } = choice;
  const { letters, found } = codesOf(content, choice);
  const listed = new Set(found.map(({ value }) => value));
  const lettersOnce = letters.toSorted(bestFirst).filter(isFirstOfValue);
  const isCode = (value: string) => value === code?.value;
  return {
    otp: code?.value ?? null,
    magicLink: link?.value ?? null,
    otpThreshold: CODE_THRESHOLD,
    otpCandidates: explained(codes, CODE_THRESHOLD, RULES.code.points, isCode, placeOf),
    letterCandidates: explained(lettersOnce, CODE_THRESHOLD, RULES.letters, (value) => listed.has(value), placeOf),
    magicLinkThreshold: LINK_THRESHOLD,
    magicLinkCandidates: explained(
      links,
      LINK_THRESHOLD,
      RULES.link.points,
      (value) => value === link?.value,
      ({ link }) => labelOf(link),
    ),
  };
}

/** Those that are excluded come last. */
function bestFirst(a: Candidate<unknown>, b: Candidate<unknown>): number {
  return Number(a.excluded !== null) - Number(b.excluded !== null) || b.score - a.score;
}

function explained<Facts, C extends Candidate<Facts>>(
  candidates: readonly C[],
  threshold: number,
  rules: readonly Rule<Facts>[],
  isChosen: (value: string) => boolean,
  where: (candidate: C) => string,
): ExplainedCandidate[] {
  const verdict = ({ value, score, excluded }: C): Verdict => {
    if (excluded !== null) return 'excluded';
    if (isChosen(value)) return 'chosen';
    return score < threshold ? 'too few points' : 'another has more points';
  };
  return candidates
    .toSorted(bestFirst)
    .slice(0, MAX_EXPLAINED)
    .map((one) => ({
      value: one.value,
      verdict: verdict(one),
      score: one.score,
      reasons: reasons(rules, one),
      where: where(one),
    }));
}

function isFirstOfValue({ value }: Candidate<unknown>, at: number, all: readonly Candidate<unknown>[]): boolean {
  return all.findIndex((one) => one.value === value) === at;
}

function placeOf({ passage }: { readonly passage: Passage }): string {
  return passage.source;
}

/** The text of the link where it occurs first; of an address that is written out, the part of the message. */
function labelOf({ occurrences: [first] }: Link): string {
  if (first === undefined) return '';
  if (first.isWritten) return first.passage.source;
  return first.passage.text.slice(first.at.start, first.at.end).trim().slice(0, MAX_LABEL_CHARS) || first.title;
}
