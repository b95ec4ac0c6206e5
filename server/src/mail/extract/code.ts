import { exclusionOf } from './code-exclusions.js';
import { type CodeFacts, codeFacts, type MessageFacts } from './code-facts.js';
import { CODE_RULES } from './code-rules.js';
import type { Content, Passage } from './content.js';
import { findNumbers, type NumberRun } from './numbers.js';
import { type Candidate, score } from './score.js';

/** A number of a message that may be its one-time code. */
export interface CodeCandidate extends Candidate<CodeFacts> {
  readonly passage: Passage;
  readonly run: NumberRun;
}

/** A message with less text than this is short. */
const SHORT_MESSAGE_CHARS = 400;

interface Occurrence {
  readonly passage: Passage;
  readonly run: NumberRun;
  readonly excluded: string | null;
}

/** The numbers of a message that may be its one-time code, in the order in which they occur. */
export function codeCandidates(content: Content): CodeCandidate[] {
  const found = content.passages.flatMap(occurrences);
  const open = found.filter(({ excluded }) => excluded === null);
  const message = open.length === 0 ? null : messageFacts(content, open);
  return found.map(({ passage, run, excluded }) => {
    const facts = message === null || excluded !== null ? null : codeFacts(passage, run, message);
    return { value: run.value, excluded, facts, score: facts === null ? 0 : score(CODE_RULES, facts), passage, run };
  });
}

function occurrences(passage: Passage): Occurrence[] {
  return findNumbers(passage.text, passage.urls).map((run) => ({ passage, run, excluded: exclusionOf(passage, run) }));
}

function messageFacts(content: Content, open: readonly Occurrence[]): MessageFacts {
  const { subject, passages } = content;
  const sources = new Map<string, Set<string>>();
  for (const { run, passage } of open)
    sources.set(run.value, (sources.get(run.value) ?? new Set()).add(passage.source));
  const hiddenText = content.page?.hiddenText ?? '';
  const isShort = passages.every(({ text }) => text.length <= SHORT_MESSAGE_CHARS);
  return {
    subjectSaysCode: subject.says('code'),
    subjectSaysAction: subject.says('action'),
    // Looked for only when a rule asks, since it takes a look at every word of the message.
    get saysCode() {
      return passages.some((passage) => passage.says('code'));
    },
    singleNumber: isShort && sources.size === 1,
    repeated: new Set(
      [...sources].filter(([value, seen]) => seen.size > 1 || hiddenText.includes(value)).map(([value]) => value),
    ),
  };
}
