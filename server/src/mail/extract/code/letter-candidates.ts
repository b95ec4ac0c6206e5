import { type Candidate, exclusionOf, score } from '../score.js';
import type { Content, Passage } from '../text/passages.js';
import { type Occurrence, WholeMessage } from './code-candidates.js';
import { surroundings } from './code-exclusions.js';
import { codeFacts } from './code-facts.js';
import { LETTER_EXCLUSIONS, LETTER_RULES, type LetterFacts } from './letter-rules.js';
import { findLetterRuns, type LetterRun } from './letter-runs.js';
import { letterWords, Matter } from './letter-words.js';

/** Letters of a message that may be its one-time code. */
export interface LetterCandidate extends Candidate<LetterFacts> {
  readonly passage: Passage;
}

/** From so many different ones on, they are a list. */
const MANY = 3;

interface LetterOccurrence extends Occurrence {
  readonly run: LetterRun;
}

/**
 * The letters, and letters with digits, of a message that may be its one-time code, in the order in which they occur. `otp` is never
 * one of them (interface section 2.1); they are looked for when somebody asks, and never as mail arrives.
 */
export function letterCandidates(content: Content, hasOtp: boolean): LetterCandidate[] {
  const open = content.passages.flatMap(occurrences).filter(({ excluded }) => excluded === null);
  if (open.length === 0) return [];
  const message = new WholeMessage(content, open);
  const matter = new Matter(content);
  return open.map(({ passage, run }) => {
    const inPassage = open.filter((one) => one.passage === passage);
    const facts = {
      ...codeFacts(passage, run, message),
      // None of its characters count as the digits of a number do.
      digits: 0,
      shape: run.shape,
      hasOtp,
      isOneOfMany: isOneOfMany(run, inPassage),
      ...letterWords(passage, run, matter),
    };
    return { value: run.value, excluded: null, facts, score: score(LETTER_RULES, facts), passage };
  });
}

function occurrences(passage: Passage): LetterOccurrence[] {
  return findLetterRuns(passage.text, passage.urls).map((run) => ({
    passage,
    run,
    excluded: exclusionOf(LETTER_EXCLUSIONS, surroundings(passage, run)),
  }));
}

/** Others of its shape, with digits too, stand in its text. */
function isOneOfMany({ shape, value }: LetterRun, inPassage: readonly LetterOccurrence[]): boolean {
  const alike = inPassage.filter(
    ({ run }) =>
      run.value.length === value.length && run.shape.grouped === shape.grouped && run.shape.hasDigit === shape.hasDigit,
  );
  return new Set(alike.map(({ run }) => run.value)).size >= MANY;
}
