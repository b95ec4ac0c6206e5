import type { Look, PageLink } from '../../html/html-page.js';
import { VERIFYING } from '../../words/words.js';
import { type Candidate, exclusionOf, type Reason, type RuleSet, score } from '../score.js';
import { firstAt, type Range } from '../text/lines.js';
import { type Content, Passage } from '../text/passages.js';
import { type Surroundings, surroundings } from './code-exclusions.js';
import { type CodeFacts, codeFacts, type MessageFacts } from './code-facts.js';
import { isReply, quoteStart } from './dead-codes.js';
import { listedNumbers } from './number-lists.js';
import { findNumbers, type NumberRun } from './numbers.js';

export interface CodeCandidate extends Candidate<CodeFacts> {
  readonly passage: Passage;
  readonly run: NumberRun;
}

export type CodeRules = RuleSet<Surroundings, CodeFacts>;

const SHORT_MESSAGE_CHARS = 400;

const NO_VALUES: ReadonlySet<string> = new Set();

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

function factsOf(content: Content, found: readonly Occurrence[]): (CodeFacts | null)[] {
  const open = found.filter(({ excluded }) => excluded === null);
  if (open.length === 0) return [];
  const hasLonger = found.some(({ run }) => run.joint === 'space' || run.joint === 'hyphen');
  const message = new WholeMessage(content, open, hasLonger);
  const facts = found.map(({ passage, run, excluded }) =>
    excluded === null ? codeFacts(passage, run, message) : null,
  );
  message.learnOfValues(facts);
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

/** `(Order 88120934)` in a subject names a number beside the matter. */
const IN_BRACKETS = /[([（【][^()[\]（）【】]{4,80}[)\]）】]/g;

function saysOther(subject: Passage): boolean {
  return subject.says('other') || subject.says('kind');
}

function withoutBrackets(subject: Passage): Passage {
  const rest = subject.written.replace(IN_BRACKETS, (aside) => (/\d{4}/.test(aside) ? ' ' : aside));
  return rest === subject.written ? subject : new Passage('subject', rest, subject.languages);
}

/** What is known of a message from its subject and its numbers, or whatever else may be its code. */
export class WholeMessage implements MessageFacts {
  readonly subjectSaysCode: boolean;
  readonly subjectSaysAction: boolean;
  readonly subjectSaysOther: boolean;
  readonly subjectSaysKind: boolean;
  readonly #subject: string;
  readonly #isReply: boolean;
  readonly #quotes = new Map<Passage, number>();
  readonly singleNumber: boolean;
  readonly #listed: ReadonlySet<NumberRun>;
  readonly #links: readonly PageLink[];
  #named: ReadonlySet<string> = NO_VALUES;
  #spent: ReadonlySet<string> = NO_VALUES;
  readonly #passages: readonly Passage[];
  #saysCode: boolean | null = null;

  constructor({ subject, passages, page }: Content, open: readonly Occurrence[], hasLonger = false) {
    const isShort = passages.every(({ text }) => text.length <= SHORT_MESSAGE_CHARS);
    this.subjectSaysCode = subject.says('code');
    this.subjectSaysAction = subject.says('action');
    this.subjectSaysOther = saysOther(subject) && saysOther(withoutBrackets(subject));
    this.subjectSaysKind = subject.says('kind');
    this.#subject = subject.lower;
    this.#isReply = isReply(subject.lower);
    this.singleNumber = isShort && !hasLonger && new Set(open.map(({ run }) => run.value)).size === 1;
    this.#listed = listedNumbers(open);
    this.#links = page?.links ?? [];
    this.#passages = passages;
  }

  isOfList(run: NumberRun): boolean {
    return this.#listed.has(run);
  }

  isLinked({ source }: Passage, { start, end }: Range): boolean {
    if (source !== 'html' || this.#links.length === 0) return false;
    const link = this.#links[firstAt(this.#links, start + 1) - 1];
    return link !== undefined && link.end >= end && /^https?:/i.test(link.href);
  }

  isQuoted(passage: Passage, { start }: NumberRun, look: Look | null): boolean {
    if (!this.#isReply) return false;
    if (look?.quoted) return true;
    const from = this.#quotes.get(passage) ?? quoteStart(passage);
    this.#quotes.set(passage, from);
    return start >= from;
  }

  get subjectVerifies(): boolean {
    return VERIFYING.test(this.#subject);
  }

  isNamed(value: string): boolean {
    return this.#named.has(value);
  }

  isSpent(value: string): boolean {
    return this.#spent.has(value);
  }

  holdsSpent(line: string): boolean {
    for (const value of this.#spent) if (line.includes(value)) return true;
    return false;
  }

  /** What is said of a value where it stands holds in the whole message: that it is dead, or has another name. */
  learnOfValues(facts: readonly (CodeFacts | null)[]): void {
    const known = facts.filter((one) => one !== null);
    if (known.some(({ spent }) => spent)) {
      this.#spent = new Set(known.filter(({ spent }) => spent).map(({ value }) => value));
    }
    if (!known.some(({ other }) => other)) return;
    // Unless a word for a code leads to it somewhere.
    const codes = new Set(
      known.filter((one) => one.pointed && one.code === 'beside' && !one.other).map(({ value }) => value),
    );
    this.#named = new Set(known.filter((one) => one.other && !codes.has(one.value)).map(({ value }) => value));
  }

  /** Asked of few messages, and answered by a look at every word, unless one was seen near a number. */
  get saysCode(): boolean {
    this.#saysCode ??= this.#passages.some((passage) => passage.says('code'));
    return this.#saysCode;
  }

  heardOfCode(): void {
    this.#saysCode = true;
  }
}
