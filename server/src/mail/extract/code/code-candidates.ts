import { type Candidate, exclusionOf, type Reason, type RuleSet, score } from '../score.js';
import type { Content, Passage } from '../text/passages.js';
import { type Surroundings, surroundings } from './code-exclusions.js';
import { type CodeFacts, codeFacts, type MessageFacts } from './code-facts.js';
import { findNumbers, type NumberRun } from './numbers.js';

/** A number of a message that may be its one-time code. */
export interface CodeCandidate extends Candidate<CodeFacts> {
  readonly passage: Passage;
  readonly run: NumberRun;
}

/** What numbers are judged by. */
export type CodeRules = RuleSet<Surroundings, CodeFacts>;

/** A message with less text than this is short. */
const SHORT_MESSAGE_CHARS = 400;

/** A place where something stands that may be a code. */
export interface Occurrence {
  readonly passage: Passage;
  readonly run: NumberRun;
  readonly excluded: Reason | null;
}

/** The numbers of a message that may be its one-time code, in the order in which they occur. */
export function codeCandidates(content: Content, rules: CodeRules): CodeCandidate[] {
  const found = content.passages.flatMap((passage) => occurrences(passage, rules));
  const facts = factsOf(content, found);
  return found.map(({ passage, run, excluded }, i) => {
    const known = facts[i] ?? null;
    return {
      value: run.value,
      excluded,
      facts: known,
      score: known === null ? 0 : score(rules.points, known),
      passage,
      run,
    };
  });
}

/** What is known of each number that is not excluded. */
function factsOf(content: Content, found: readonly Occurrence[]): (CodeFacts | null)[] {
  const open = found.filter(({ excluded }) => excluded === null);
  if (open.length === 0) return [];
  const message = new WholeMessage(content, open);
  const facts = found.map(({ passage, run, excluded }) =>
    excluded === null ? codeFacts(passage, run, message) : null,
  );
  if (facts.some((known) => known !== null && known.code !== 'none')) message.heardOfCode();
  return facts;
}

function occurrences(passage: Passage, { exclusions }: CodeRules): Occurrence[] {
  return findNumbers(passage.text, passage.urls).map((run) => ({
    passage,
    run,
    excluded: exclusionOf(exclusions, surroundings(passage, run)),
  }));
}

/** What is known of a message from its subject and its numbers, or whatever else may be its code. */
export class WholeMessage implements MessageFacts {
  readonly subjectSaysCode: boolean;
  readonly subjectSaysAction: boolean;
  readonly subjectSaysOther: boolean;
  readonly singleNumber: boolean;
  readonly repeated: ReadonlySet<string>;
  readonly #passages: readonly Passage[];
  #saysCode: boolean | null = null;

  constructor({ subject, passages, page }: Content, open: readonly Occurrence[]) {
    const sources = new Map<string, Set<string>>();
    for (const { run, passage } of open)
      sources.set(run.value, (sources.get(run.value) ?? new Set()).add(passage.source));
    const hiddenText = page?.hiddenText ?? '';
    const isShort = passages.every(({ text }) => text.length <= SHORT_MESSAGE_CHARS);
    this.subjectSaysCode = subject.says('code');
    this.subjectSaysAction = subject.says('action');
    this.subjectSaysOther = subject.says('other');
    this.singleNumber = isShort && sources.size === 1;
    this.repeated = new Set(
      [...sources].filter(([value, seen]) => seen.size > 1 || hiddenText.includes(value)).map(([value]) => value),
    );
    this.#passages = passages;
  }

  /** Asked of few messages, and answered by a look at every word, unless one was seen near a number. */
  get saysCode(): boolean {
    this.#saysCode ??= this.#passages.some((passage) => passage.says('code'));
    return this.#saysCode;
  }

  /** A word for a code was seen near a number. */
  heardOfCode(): void {
    this.#saysCode = true;
  }
}
