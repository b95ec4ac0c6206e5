import type { Look, TextSpan } from '../html/page.js';
import type { Passage } from './content.js';
import { findWords, type Word } from './lexicon.js';
import type { Grouping, NumberRun } from './numbers.js';
import { type PartOf, partOf } from './surroundings.js';

/** How near a word is to a number. */
export type Nearness = 'beside' | 'line' | 'near' | 'none';

/** What is known of one number in one passage. */
export interface CodeFacts {
  readonly digits: number;
  readonly grouping: Grouping;
  readonly series: NumberRun['series'];
  readonly partOf: PartOf | null;
  readonly label: Nearness;
  readonly action: 'line' | 'near' | 'none';
  readonly other: boolean;
  readonly alone: boolean;
  readonly whole: boolean;
  readonly large: boolean;
  readonly emphasised: boolean;
  readonly footer: boolean;
  readonly year: boolean;
  readonly postal: boolean;
  readonly repeated: boolean;
  readonly subjectSaysCode: boolean;
  readonly subjectSaysAction: boolean;
}

/** What the facts of a number need from the rest of the message. */
export interface MessageFacts {
  readonly subjectSaysCode: boolean;
  readonly subjectSaysAction: boolean;
  /** In how many passages each value occurs. */
  readonly occurrences: ReadonlyMap<string, number>;
}

/** Words are looked for so far before and after a number. */
const MAX_BEFORE_CHARS = 240;
const MAX_AFTER_CHARS = 160;
/** A label this near stands right beside its number, with at most "is:" between them. */
const BESIDE_CHARS = 14;
/** `Order no. 4829`: this near, the name of another number belongs to the number. */
const OTHER_CHARS = 12;
/** `promo code`, `code de réduction`: this near, two words make one name. */
const COMPOUND_CHARS = 6;

/** Words of the lines around a number. */
interface Window {
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly words: readonly Word[];
}

function windowOf(passage: Passage, run: NumberRun): Window {
  const { lower } = passage;
  const from = Math.max(0, run.start - MAX_BEFORE_CHARS);
  const to = Math.min(lower.length, run.end + MAX_AFTER_CHARS);
  const before = lower.lastIndexOf('\n', run.start - 1);
  const after = lower.indexOf('\n', run.end);
  const words = [...findWords(lower, from, run.start), ...findWords(lower, run.end, to)];
  return {
    lineStart: Math.max(from, before + 1),
    lineEnd: after < 0 ? to : Math.min(to, after),
    words: withCompounds(words),
  };
}

/** Turns a word for a code that belongs to another name (`promo code`, `code postal`) into that other name. */
function withCompounds(words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    if (word.role !== 'code') return word;
    const before = words[i - 1];
    const after = words[i + 1];
    const led = before?.role === 'other' && word.start - before.end <= 1;
    const followed = after?.role === 'other' && after.start - word.end <= COMPOUND_CHARS;
    return led || followed ? { ...word, role: 'other' } : word;
  });
}

function gap(word: Word, run: NumberRun): number {
  return word.end <= run.start ? run.start - word.end : word.start - run.end;
}

function nearness(window: Window, run: NumberRun): Nearness {
  let best: Nearness = 'none';
  for (const word of window.words) {
    if (word.role !== 'code') continue;
    const inLine = word.start >= window.lineStart && word.end <= window.lineEnd;
    if (inLine && gap(word, run) <= BESIDE_CHARS) return 'beside';
    if (inLine) best = 'line';
    else if (best === 'none') best = 'near';
  }
  return best;
}

function action(window: Window): CodeFacts['action'] {
  let best: CodeFacts['action'] = 'none';
  for (const word of window.words) {
    if (word.role !== 'action') continue;
    if (word.start >= window.lineStart && word.end <= window.lineEnd) return 'line';
    best = 'near';
  }
  return best;
}

/** The word nearest before the number in its line, or the one right behind it, names another kind of number. */
function isOther(window: Window, run: NumberRun): boolean {
  const before = window.words.findLast((word) => word.end <= run.start && word.role !== 'action');
  if (before?.role === 'other' && gap(before, run) <= OTHER_CHARS) return true;
  const after = window.words.find((word) => word.start >= run.end);
  return after?.role === 'other' && gap(after, run) <= 1 && before?.role !== 'code';
}

/** The line without anything but this number: no other letter or digit. */
function isAlone(passage: Passage, run: NumberRun, from: number, to: number): boolean {
  const rest = passage.text.slice(from, run.start) + passage.text.slice(run.end, to);
  return rest.length < 40 && !/[\p{L}\p{N}]/u.test(rest);
}

function spanAt(spans: readonly TextSpan[], at: number): TextSpan | null {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as TextSpan).end <= at) low = middle + 1;
    else high = middle;
  }
  return spans[low] ?? null;
}

const BODY_FONT_PX = 16;

function looksLarge(look: Look | undefined): boolean {
  return look !== undefined && look.fontSize > BODY_FONT_PX + 2;
}

/** Everything the rules ask about one number of a passage. */
export function codeFacts(passage: Passage, run: NumberRun, message: MessageFacts): CodeFacts {
  const window = windowOf(passage, run);
  const look = spanAt(passage.spans, run.start)?.look;
  const { text } = passage;
  return {
    digits: run.value.length,
    grouping: run.grouping,
    series: run.series,
    partOf: partOf(passage, run),
    label: nearness(window, run),
    action: action(window),
    other: isOther(window, run),
    alone: passage.source !== 'subject' && isAlone(passage, run, window.lineStart, window.lineEnd),
    whole: text.length < 40 && isAlone(passage, run, 0, text.length),
    large: looksLarge(look),
    emphasised: look !== undefined && (look.bold || look.codeLike),
    footer: look?.footer === true,
    year: run.grouping === 'none' && /^(?:19|20)\d\d$/.test(run.value),
    postal: /\b[A-Z]{2} $/.test(text.slice(Math.max(0, run.start - 4), run.start)),
    repeated: (message.occurrences.get(run.value) ?? 0) > 1,
    subjectSaysCode: message.subjectSaysCode,
    subjectSaysAction: message.subjectSaysAction,
  };
}
