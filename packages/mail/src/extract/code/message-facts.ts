import type { Look } from '../../html/html-page.js';
import { type Range, rangeAt } from '../text/lines.js';
import { type Content, Passage } from '../text/passages.js';
import { quoteStart, REPLY } from './dead-codes.js';
import type { NumberRun } from './numbers.js';

/** An occurrence of a number or of letters. */
export interface Place {
  readonly passage: Passage;
  readonly run: NumberRun;
}

/** Facts about one occurrence of a value that also affect its other occurrences. */
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

/** Text in brackets in a subject, such as `(Order 88120934)`, is not what the message is about. */
const IN_BRACKETS = /[([（【][^()[\]（）【】]{4,80}[)\]）】]/g;

const NO_VALUES: ReadonlySet<string> = new Set();

export type MessageFacts = ReturnType<typeof messageFacts>;

/** Facts about a message, from its subject and its candidates. */
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
    /** Values that are no longer valid. In this set and the next two, one occurrence decides for the whole message. */
    spent: NO_VALUES,
    /** Values that the text calls something other than a code, unless it introduces them as a code elsewhere. */
    named: NO_VALUES,
    /** Values in running text that may be names, unless the value is introduced as a code elsewhere. */
    names: NO_VALUES,
    isOfList: (run: NumberRun) => listed.has(run),
    /** Whether a number is in the text of a web link. */
    isLinked({ source }: Passage, { start, end }: Range): boolean {
      const link = source === 'html' ? rangeAt(links, start) : undefined;
      return link !== undefined && link.end >= end && /^https?:/i.test(link.href);
    },
    /** Whether a number is in the quoted part of a reply or a ticket. */
    isQuoted(passage: Passage, { start }: NumberRun, look: Look | null): boolean {
      const from = quotes.get(passage);
      return from !== undefined && (look?.quoted === true || start >= from);
    },
    /** Whether the message mentions a code. Searches all words unless one was already found near a number. */
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

/** This many different numbers of the same length, next to or below each other, are a list. */
const MIN_ITEMS = 3;
/** Room for a line break, a bullet and a counter between two items. */
const MAX_BETWEEN_CHARS = 24;

/** Numbers in lists, such as recovery codes. The one-time code is not in a list. */
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
