import { type Candidate, type Exclusion, exclusionOf, judged, type Rule } from '../score.js';
import type { Range } from '../text/lines.js';
import type { Content, Passage } from '../text/passages.js';
import { CODE_EXCLUSIONS, LETTER_EXCLUSIONS, type Surroundings, surroundings } from './code-exclusions.js';
import { type CodeFacts, codeFacts } from './code-facts.js';
import { CODE_RULES } from './code-rules.js';
import { LETTER_RULES } from './letter-rules.js';
import { findLetterRuns } from './letter-runs.js';
import { type LetterFacts, letterFacts } from './letter-words.js';
import { type MessageFacts, messageFacts, type Said } from './message-facts.js';
import { findNumbers, type NumberRun } from './numbers.js';

export type CodeCandidate<Facts = CodeFacts> = Candidate<Facts, Passage>;

/** The numbers that may be the one-time code, in order. */
export function codeCandidates(content: Content): CodeCandidate[] {
  return candidates(content, { exclusions: CODE_EXCLUSIONS, points: CODE_RULES }, findNumbers, codeFacts);
}

/** Possible codes with letters, in order. `otp` is never such a code (interface section 2.1). */
export function letterCandidates(content: Content): CodeCandidate<LetterFacts>[] {
  return candidates(content, { exclusions: LETTER_EXCLUSIONS, points: LETTER_RULES }, findLetterRuns, letterFacts);
}

function candidates<Run extends NumberRun, Facts extends Said>(
  content: Content,
  { exclusions, points }: { exclusions: readonly Exclusion<Surroundings>[]; points: readonly Rule<Facts>[] },
  find: (text: string, without: readonly Range[]) => Run[],
  factsOf: (passage: Passage, run: Run, message: MessageFacts) => Facts,
): CodeCandidate<Facts>[] {
  const found = content.passages.flatMap((passage) =>
    find(passage.text, passage.urls).map((run) => {
      return { passage, run, excluded: exclusionOf(exclusions, surroundings(passage, run)) };
    }),
  );
  const open = found.filter(({ excluded }) => excluded === null);
  const hasLonger = found.some(({ run }) => run.isPart);
  const message = open.length === 0 ? null : messageFacts(content, open, hasLonger);
  const known = found.map(({ passage, run, excluded }) =>
    message === null || excluded !== null ? null : factsOf(passage, run, message),
  );
  message?.learn(known);
  return found.map(({ passage, run: { value }, excluded }, i) =>
    judged({ value, place: passage, excluded, facts: known[i] ?? null }, points),
  );
}
