import { codeFacts, type MessageFacts } from './code-facts.js';
import { CODE_RULES, CODE_THRESHOLD } from './code-rules.js';
import type { Content, Passage } from './content.js';
import { findWords } from './lexicon.js';
import { findNumbers, type NumberRun } from './numbers.js';
import { type Reason, score } from './score.js';

/** A number that could be the code, with its points. */
export interface CodeCandidate {
  readonly value: string;
  readonly source: Passage['source'];
  readonly score: number;
  readonly reasons: readonly Reason[];
}

interface Occurrence {
  readonly passage: Passage;
  readonly run: NumberRun;
}

function occurrencesOf(content: Content): Occurrence[] {
  return content.passages.flatMap((passage) => findNumbers(passage.text).map((run) => ({ passage, run })));
}

function messageFacts(content: Content, found: readonly Occurrence[]): MessageFacts {
  const sources = new Map<string, Set<string>>();
  for (const { passage, run } of found) {
    const seen = sources.get(run.value) ?? new Set();
    sources.set(run.value, seen.add(passage.source));
  }
  const subject = content.passages[0] as Passage;
  const words = findWords(subject.lower, 0, subject.lower.length);
  return {
    subjectSaysCode: words.some((word) => word.role === 'code'),
    subjectSaysAction: words.some((word) => word.role === 'action'),
    occurrences: new Map([...sources].map(([value, seen]) => [value, seen.size])),
  };
}

/** The numbers of a message that could be its one-time code, in the order in which they occur. */
export function codeCandidates(content: Content, explained: { readonly reasons: boolean }): CodeCandidate[] {
  const found = occurrencesOf(content);
  if (found.length === 0) return [];
  const message = messageFacts(content, found);
  return found.map(({ passage, run }) => {
    const reasons: Reason[] = [];
    const facts = codeFacts(passage, run, message);
    const points = score(CODE_RULES, facts, explained.reasons ? reasons : undefined);
    return { value: run.value, source: passage.source, score: points, reasons };
  });
}

/** The candidate with the most points, the first of several, if it has enough. */
export function chooseCode(candidates: readonly CodeCandidate[]): CodeCandidate | null {
  let best: CodeCandidate | null = null;
  for (const candidate of candidates) {
    if (candidate.score >= CODE_THRESHOLD && (best === null || candidate.score > best.score)) best = candidate;
  }
  return best;
}
