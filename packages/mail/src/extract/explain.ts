import { CODE_THRESHOLD } from './code/code-rules.js';
import { choose } from './extraction.js';
import { LINK_THRESHOLD } from './link/link-rules.js';
import type { Link } from './link/links.js';
import { codesOf } from './listing.js';
import { bestFirst, type Candidate, eachOnce } from './score.js';
import { contentOf, type ExtractionInput, type Passage } from './text/passages.js';

export type ExplainedCandidate = ReturnType<typeof explained>[number];

export type Explanation = ReturnType<typeof explain>;

export const MAX_EXPLAINED = 20;
const MAX_LABEL_CHARS = 80;

/** The decision of `extract` with all candidates, best first. */
export function explain(input: ExtractionInput) {
  const content = contentOf(input);
  const choice = choose(content);
  const { codes, code, links, link } = choice;
  const { letters, found } = codesOf(content, choice);
  const listed = new Set(found.map(({ value }) => value));
  const isCode = (value: string) => value === code?.value;
  return {
    otp: code?.value ?? null,
    magicLink: link?.value ?? null,
    otpThreshold: CODE_THRESHOLD,
    otpCandidates: explained(codes, CODE_THRESHOLD, isCode, sourceOf),
    letterCandidates: explained(eachOnce(letters), CODE_THRESHOLD, (value) => listed.has(value), sourceOf),
    magicLinkThreshold: LINK_THRESHOLD,
    magicLinkCandidates: explained(links, LINK_THRESHOLD, (value) => value === link?.value, labelOf),
  };
}

function explained<Place>(
  candidates: readonly Candidate<unknown, Place>[],
  threshold: number,
  isChosen: (value: string) => boolean,
  where: (place: Place) => string,
) {
  return bestFirst(candidates)
    .slice(0, MAX_EXPLAINED)
    .map((one) => ({
      value: one.value,
      /** Every occurrence of the chosen value has the verdict `chosen`, unless it is excluded. */
      verdict: verdict(one, threshold, isChosen(one.value)),
      /** Sum of the reasons' points; 0 if excluded. */
      score: one.score,
      /** The evidence. For an excluded candidate, only the reason for the exclusion, with 0 points. */
      reasons: one.reasons(),
      /** The part of the message that contains the code, or the text of the link. */
      where: where(one.place),
    }));
}

type Verdict = 'chosen' | 'another has more points' | 'too few points' | 'excluded';

function verdict({ score, excluded }: Candidate, threshold: number, isChosen: boolean): Verdict {
  if (excluded !== null) return 'excluded';
  if (isChosen) return 'chosen';
  return score < threshold ? 'too few points' : 'another has more points';
}

function sourceOf({ source }: Passage): string {
  return source;
}

/** The text of the link's first occurrence. For an address in plain text, the part of the message that contains it. */
function labelOf({ occurrences: [first] }: Link): string {
  if (first === undefined) return '';
  if (first.isWritten) return first.passage.source;
  return first.passage.text.slice(first.at.start, first.at.end).trim().slice(0, MAX_LABEL_CHARS) || first.title;
}
