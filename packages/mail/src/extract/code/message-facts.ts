import type { Look } from '../../html/html-page.js';
import { type Range, rangeAt } from '../text/lines.js';
import { type Content, Passage } from '../text/passages.js';
import { quoteStart, REPLY } from './dead-codes.js';
import type { NumberRun } from './numbers.js';

/** A number, or letters, in a passage. */
export interface Place {
  readonly passage: Passage;
  readonly run: NumberRun;
}

/** What is said of a value in one place. */
export interface Said {
  readonly value: string;
  readonly spent: boolean;
  readonly other: boolean;
  readonly pointed: boolean;
  readonly code: string;
  readonly running?: boolean;
  readonly introduced?: boolean;
}

const SHORT_MESSAGE_CHARS = 400;

/** `(Order 88120934)` in a subject names a number beside the matter. */
const IN_BRACKETS = /[([（【][^()[\]（）【】]{4,80}[)\]）】]/g;

const NO_VALUES: ReadonlySet<string> = new Set();

export type MessageFacts = ReturnType<typeof messageFacts>;

/** What is known of a message from its subject and its numbers, or whatever else may be its code. */
export function messageFacts({ subject, passages, page }: Content, open: readonly Place[], hasLonger: boolean) {
  const links = page?.links ?? [];
  const isShort = passages.every(({ text }) => text.length <= SHORT_MESSAGE_CHARS);
  const quotes = new Map(REPLY.test(subject.lower) ? passages.map((one) => [one, quoteStart(one)]) : []);
  const listed = listedNumbers(open);
  let saysCode: boolean | null = null;
  return {
    subject,
    subjectSaysCode: subject.says('code'),
    subjectSaysAction: subject.says('action'),
    subjectSaysOther: saysOther(subject) && saysOther(withoutBrackets(subject)),
    subjectSaysKind: subject.says('kind'),
    singleNumber: isShort && !hasLonger && valuesOf(open.map(({ run }) => run)).size === 1,
    /** What is said of a value in one place holds in the whole message: that it is dead. */
    spent: NO_VALUES,
    /** That it has another name, unless a word for a code leads to it somewhere. */
    named: NO_VALUES,
    /** That it is a name in running text, unless it is introduced as a code somewhere. */
    names: NO_VALUES,
    isOfList: (run: NumberRun) => listed.has(run),
    /** It is the text of a link that leads to the web, or a part of it. */
    isLinked({ source }: Passage, { start, end }: Range): boolean {
      const link = source === 'html' ? rangeAt(links, start) : undefined;
      return link !== undefined && link.end >= end && /^https?:/i.test(link.href);
    },
    /** It stands in what an answer or a ticket repeats. */
    isQuoted(passage: Passage, { start }: NumberRun, look: Look | null): boolean {
      const from = quotes.get(passage);
      return from !== undefined && (look?.quoted === true || start >= from);
    },
    /** Answered by a look at every word, unless one was seen near a number. */
    saysCode(): boolean {
      saysCode ??= passages.some((passage) => passage.says('code'));
      return saysCode;
    },
    learn(facts: readonly (Said | null)[]): void {
      const known = facts.filter((one) => one !== null);
      if (known.some(({ code }) => code !== 'none')) saysCode = true;
      this.spent = valuesOf(known.filter(({ spent }) => spent));
      const led = valuesOf(known.filter(({ pointed, code, other }) => pointed && code === 'beside' && !other));
      this.named = valuesOf(known.filter(({ other, value }) => other && !led.has(value)));
      const introduced = valuesOf(known.filter((one) => one.introduced));
      this.names = valuesOf(known.filter(({ running, value }) => running && !introduced.has(value)));
    },
  };
}

function valuesOf(runs: readonly { readonly value: string }[]): ReadonlySet<string> {
  return new Set(runs.map(({ value }) => value));
}

function saysOther(subject: Passage): boolean {
  return subject.says('other') || subject.says('kind');
}

function withoutBrackets(subject: Passage): Passage {
  const rest = subject.written.replace(IN_BRACKETS, (aside) => (/\d{4}/.test(aside) ? ' ' : aside));
  return rest === subject.written ? subject : new Passage('subject', rest, subject.languages);
}

/** This many different numbers of the same length, below or beside each other, are a list. */
const MIN_ITEMS = 3;
/**
 * Between two items of a list stand no letters, unless they have letters, and no more characters than a line break, a
 * mark and a counter have.
 */
const MAX_BETWEEN_CHARS = 24;

/** The numbers that stand in lists of their like, such as recovery codes: which of them is meant cannot be told. */
function listedNumbers(found: readonly Place[]): ReadonlySet<NumberRun> {
  const lists: NumberRun[][] = [];
  for (const [i, { run, passage }] of found.entries()) {
    const last = found[i - 1];
    const goesOn = last?.passage === passage && areItems(passage.text, last.run, run);
    if (goesOn) lists.at(-1)?.push(run);
    else lists.push([run]);
  }
  return new Set(lists.filter((list) => valuesOf(list).size >= MIN_ITEMS).flat());
}

function areItems(text: string, a: NumberRun, b: NumberRun): boolean {
  const isNear = b.start >= a.end && b.start - a.end <= MAX_BETWEEN_CHARS;
  if (!isNear || a.value.length !== b.value.length) return false;
  return /[A-Za-z]/.test(a.value + b.value) || !/\p{L}|\d{3}/u.test(text.slice(a.end, b.start));
}
