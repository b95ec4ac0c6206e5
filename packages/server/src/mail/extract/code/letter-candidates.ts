import { type Candidate, exclusionOf, type Reason, type Rule, score } from '../score.js';
import { firstAt } from '../text/lines.js';
import type { Content, Passage } from '../text/passages.js';
import { type Occurrence, WholeMessage } from './code-candidates.js';
import { surroundings } from './code-exclusions.js';
import { codeFacts } from './code-facts.js';
import { LETTER_EXCLUSIONS, type LetterFacts } from './letter-rules.js';
import { findLetterRuns, type LetterRun } from './letter-runs.js';
import { letterWords, Matter } from './letter-words.js';

export interface LetterCandidate extends Candidate<LetterFacts> {
  readonly passage: Passage;
}

/** This many different ones are a list. */
const MANY = 3;

interface LetterOccurrence extends Occurrence {
  readonly run: LetterRun;
}

/** Possible codes with letters, in order. `otp` is never one (interface section 2.1). */
export function letterCandidates(content: Content, rules: readonly Rule<LetterFacts>[]): LetterCandidate[] {
  const found = content.passages.flatMap(occurrences);
  const open = found.filter(({ excluded }) => excluded === null);
  const message = new WholeMessage(content, open);
  const matter = new Matter(content);
  const names = new Set<string>();
  const introduced = new Set<string>();
  const facts = found.map(({ passage, run, excluded }): Omit<LetterFacts, 'isName'> | null => {
    if (excluded !== null) return null;
    const words = letterWords(passage, run, matter);
    if (words.running) names.add(run.value);
    if (words.introduced) introduced.add(run.value);
    const inPassage = open.filter((one) => one.passage === passage);
    return {
      ...codeFacts(passage, run, message),
      // None of its characters count as the digits of a number do.
      digits: 0,
      shape: run.shape,
      isOneOfMany: isOneOfMany(run, inPassage),
      ...words,
    };
  });
  message.learnOfValues(facts);
  return found.map(({ passage, run, excluded }, i) => {
    const fact = facts[i] ?? null;
    const known = fact === null ? null : { ...fact, isName: names.has(run.value) && !introduced.has(run.value) };
    return { value: run.value, excluded, facts: known, score: known === null ? 0 : score(rules, known), passage };
  });
}

function occurrences(passage: Passage): LetterOccurrence[] {
  return findLetterRuns(passage.text, passage.urls).map((run) => ({
    passage,
    run,
    excluded: isRestOfAddress(passage, run) ? REST : exclusionOf(LETTER_EXCLUSIONS, surroundings(passage, run)),
  }));
}

const REST: Reason = {
  rule: 'rest-of-address',
  points: 0,
  text: 'it is the rest of an address split by a line break',
};

/** No more than a line break and marks of a quotation stand between an address and its rest. */
const MAX_BREAK_CHARS = 8;

function isRestOfAddress({ urls, text }: Passage, { start }: LetterRun): boolean {
  if ('=&?%/'.includes(text[start - 1] ?? ' ')) return true;
  const before = urls[firstAt(urls, start) - 1];
  if (before === undefined || !before.isCut || start - before.end > MAX_BREAK_CHARS) return false;
  return /^[\s>&=?]*$/.test(text.slice(before.end, start));
}

/** Others of its shape, with digits too, stand in its text. */
function isOneOfMany({ shape, value }: LetterRun, inPassage: readonly LetterOccurrence[]): boolean {
  const alike = inPassage.filter(
    ({ run }) =>
      run.value.length === value.length && run.shape.grouped === shape.grouped && run.shape.hasDigit === shape.hasDigit,
  );
  return new Set(alike.map(({ run }) => run.value)).size >= MANY;
}
