import type { Look } from '../html/page.js';
import { firstAt, type Passage } from './content.js';
import type { Role, Word } from './lexicon.js';
import { lineAbove, lineAround, lineBelow, type Range } from './lines.js';
import type { NumberRun } from './numbers.js';

/** How near a word stands to a number: right beside it, in its line, in the lines around it. */
export type Nearness = 'beside' | 'line' | 'around' | 'far' | 'none';

/** What is known of one number in one passage. */
export interface CodeFacts {
  readonly digits: number;
  readonly grouping: NumberRun['grouping'];
  /** Other numbers stand beside it, apart by spaces alone. */
  readonly inRow: boolean;
  readonly code: Nearness;
  readonly action: Nearness;
  readonly enter: Nearness;
  /** It bears the name of another kind of number. */
  readonly other: boolean;
  /** Its line holds nothing else. */
  readonly alone: boolean;
  /** It begins its line, and no sentence follows. */
  readonly leads: boolean;
  /** The passage holds nothing else. */
  readonly whole: boolean;
  readonly look: Look | null;
  /** A word for a code or for entering it stands directly before it, or it begins a line that speaks of a code. */
  readonly pointed: boolean;
  /** A colon stands right before it. */
  readonly colon: boolean;
  readonly date: boolean;
  /** The line above or below holds nothing but a number too. */
  readonly listed: boolean;
  /** Its digits stand one by one and count up, as 1 2 3 4 5. */
  readonly counts: boolean;
  /** Its line speaks of per cent off or of a checkout. */
  readonly discount: boolean;
  readonly hash: boolean;
  readonly copyright: boolean;
  readonly repeated: boolean;
  readonly message: MessageFacts;
}

/** What is known of a message whatever the number. */
export interface MessageFacts {
  readonly subjectSaysCode: boolean;
  readonly subjectSaysAction: boolean;
  /** A word for a code occurs somewhere. */
  readonly saysCode: boolean;
  /** It is short and holds a single number. */
  readonly singleNumber: boolean;
  /** The numbers that occur in more than one of its parts. */
  readonly repeated: ReadonlySet<string>;
}

/** A word this near stands right beside its number, with at most "is your:" between them. */
const BESIDE_CHARS = 16;
/** `code is 4829`, `code: 4829`: this near, a word for a code leads straight to a number. */
const POINTED_CHARS = 6;
/** `Order no. 4829`: this near, the name of another kind of number is the number's. */
const OTHER_CHARS = 12;
/** Words are looked for so far before and after the number's line. */
const AROUND_CHARS = 140;
const FAR_CHARS = 320;
/** A line above that is no longer than this is a label. */
const MAX_LABEL_CHARS = 40;
/** `promo code`, `code de réduction`: this near, two words make one name. */
const COMPOUND_CHARS = 5;

/** Everything the rules ask about one number of a passage. */
export function codeFacts(passage: Passage, run: NumberRun, message: MessageFacts): CodeFacts {
  const { text } = passage;
  const line = lineAround(text, run.series);
  const lineText = passage.lower.slice(line.start, line.end);
  const words = wordsAround(passage, line);
  return {
    digits: run.value.length,
    grouping: run.grouping,
    inRow: run.joint === 'space',
    code: nearness(words, 'code', run, line),
    action: nearness(words, 'action', run, line),
    enter: nearness(words, 'enter', run, line),
    other: isNamedOtherwise(passage, words, run, line),
    alone: passage.source !== 'subject' && isAlone(text, run, line),
    leads: isBare(text, line.start, run.start) && /^ ?[^\s\p{L}]/u.test(text.slice(run.end, run.end + 2)),
    whole: isBare(text, 0, run.start) && isBare(text, run.end, text.length),
    look: lookAt(passage, run),
    pointed: isPointedAt(text, words, run, line),
    colon: /[:：]\s?$/.test(text.slice(Math.max(0, run.start - 2), run.start)),
    date: looksLikeDate(run),
    listed: isListed(text, run, line),
    counts: run.grouping === 'digits' && '0123456789'.includes(run.value),
    discount: /\d ?%|\bcheckout\b/.test(lineText),
    hash: text[run.start - 1] === '#',
    copyright: hasCopyrightSign(lineText),
    repeated: message.repeated.has(run.value),
    message,
  };
}

/** The words in a number's line and so far around it that they could speak of it, compounds resolved. */
function wordsAround(passage: Passage, line: Range): Word[] {
  return withCompounds(passage.wordsIn(line.start - FAR_CHARS, line.end + AROUND_CHARS));
}

/** A word for a code that is part of another name (`promo code`, `code postal`) counts as that other name. */
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

/** Characters between a word and a number. */
function gap(word: Word, run: NumberRun): number {
  return word.end <= run.start ? run.series.start - word.end : word.start - run.series.end;
}

function nearness(words: readonly Word[], role: Role, run: NumberRun, line: Range): Nearness {
  let best: Nearness = 'none';
  for (const word of words) {
    if (word.role !== role) continue;
    if (word.start >= line.start && word.end <= line.end) {
      if (gap(word, run) <= BESIDE_CHARS) return 'beside';
      best = 'line';
    } else if (best !== 'line') {
      best = word.end >= line.start - AROUND_CHARS ? 'around' : best === 'none' ? 'far' : best;
    }
  }
  return best;
}

/** The name of another kind of number stands before it, right behind it, or is the label above it. */
function isNamedOtherwise(passage: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  const before = words.findLast((word) => word.end <= run.start);
  if (before?.role !== 'code' && saysNumber(passage.lower, run)) return true;
  if (before?.role === 'other' && before.start >= line.start) {
    return gap(before, run) <= OTHER_CHARS && !/\d/.test(passage.text.slice(before.end, run.series.start));
  }
  const after = words.find((word) => word.start >= run.end);
  if (after?.role === 'other' && gap(after, run) <= 1) return true;
  if (before?.role !== 'other' || !isAlone(passage.text, run, line)) return false;
  const above = lineAbove(passage.text, line);
  return above !== null && above.end - above.start <= MAX_LABEL_CHARS && before.start >= above.start;
}

function isPointedAt(text: string, words: readonly Word[], run: NumberRun, line: Range): boolean {
  const before = words.findLast((word) => word.end <= run.start);
  if (before?.role === 'code' && gap(before, run) <= POINTED_CHARS) return true;
  if (before?.role === 'enter' && gap(before, run) === 1) return true;
  const begins = isBare(text, line.start, run.start);
  return begins && words.some(({ role, start, end }) => role === 'code' && start > run.end && end <= line.end);
}

/** `No. 4829`, `Nr 4829`: a number of something that is no code, or it would be said. */
function saysNumber(lower: string, run: NumberRun): boolean {
  return /(?:^|[\s(])(?:no|nr|num|nº|n°)[.:]{0,2}\s?$|№\s?$/.test(
    lower.slice(Math.max(0, run.series.start - 8), run.series.start),
  );
}

/** Its line holds nothing else. */
function isAlone(text: string, run: NumberRun, line: Range): boolean {
  return isBare(text, line.start, run.start) && isBare(text, run.end, line.end);
}

/** No letter or digit in a part of a text. A long part is not bare, whatever it holds. */
function isBare(text: string, start: number, end: number): boolean {
  return end - start <= MAX_LABEL_CHARS && !/[\p{L}\p{N}]/u.test(text.slice(start, end));
}

/** A year, two years with a hyphen between, or a date in eight digits. */
function looksLikeDate({ value, grouping }: NumberRun): boolean {
  if (grouping === 'digits') return false;
  return /^(?:(?:19|20)\d\d){1,2}$|^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(value);
}

function isListed(text: string, run: NumberRun, line: Range): boolean {
  if (!isAlone(text, run, line)) return false;
  const others = [lineAbove(text, line), lineBelow(text, line)];
  return others.some((other) => other !== null && /^\W*\d{4,8}\W*$/.test(text.slice(other.start, other.end)));
}

function hasCopyrightSign(line: string): boolean {
  return line.includes('©') || line.includes('(c)');
}

function lookAt({ spans }: Passage, run: NumberRun): Look | null {
  return spans[firstAt(spans, run.start + 1) - 1]?.look ?? null;
}
