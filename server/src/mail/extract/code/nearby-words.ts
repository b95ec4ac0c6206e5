import { isAlone, isBare, lineAbove, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import type { Role } from '../words/word-tree.js';
import type { NumberRun } from './numbers.js';

/** How near a word stands to a number: right beside it, in its line, in the lines around it. */
export type Nearness = 'beside' | 'line' | 'around' | 'far' | 'none';

/** What the words around a number say of it. */
export interface WordFacts {
  readonly code: Nearness;
  readonly action: Nearness;
  readonly enter: Nearness;
  /** It bears the name of another kind of number. */
  readonly other: boolean;
  /** A word for a code or for entering it stands directly before it, or it begins a line that speaks of a code. */
  readonly pointed: boolean;
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
/** `promo code`, `code de réduction`: this near, two words make one name. */
const COMPOUND_CHARS = 5;
/** A line above that is no longer than this is a label. */
const MAX_LABEL_CHARS = 40;

/** What the words in a number's line and around it say of the number. */
export function wordFacts(passage: Passage, run: NumberRun, line: Range): WordFacts {
  const words = withCompounds(passage, passage.wordsIn(line.start - FAR_CHARS, line.end + AROUND_CHARS));
  const before = words.findLast((word) => word.end <= run.start);
  return {
    code: nearness(words, 'code', run, line),
    action: nearness(words, 'action', run, line),
    enter: nearness(words, 'enter', run, line),
    other: isNamedOtherwise(passage, words, before, run, line),
    pointed: isPointedAt(passage, words, before, run, line),
  };
}

/** A word for a code that is part of another name (`promo code`, `code postal`) counts as that other name. */
function withCompounds({ lower }: Passage, words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    if (word.role !== 'code') return word;
    const before = words[i - 1];
    const after = words[i + 1];
    const isLed = before?.role === 'other' && word.start - before.end <= 1;
    const isFollowed = after?.role === 'other' && isJoined(lower.slice(word.end, after.start));
    return isLed || isFollowed ? { ...word, role: 'other' } : word;
  });
}

/** What stands between the words of one name: no more than "de" or "of". */
function isJoined(between: string): boolean {
  return between.length <= COMPOUND_CHARS && !/[\n\d]/.test(between);
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
function isNamedOtherwise(
  passage: Passage,
  words: readonly Word[],
  before: Word | undefined,
  run: NumberRun,
  line: Range,
): boolean {
  if (before?.role !== 'code' && saysNumber(passage.lower, run)) return true;
  if (before?.role === 'other' && before.start >= line.start) {
    const between = passage.text.slice(before.end, run.series.start);
    return (
      gap(before, run) <= OTHER_CHARS &&
      !/\d/.test(between) &&
      !(/\p{L}/u.test(between) && isCodeFor(passage, words, before))
    );
  }
  const after = words.find((word) => word.start >= run.end);
  if (after?.role === 'other' && gap(after, run) <= 1) return true;
  if (before?.role !== 'other' || !isAlone(passage.text, run, line)) return false;
  const above = lineAbove(passage.text, line);
  return above !== null && above.end - above.start <= MAX_LABEL_CHARS && before.start >= above.start;
}

/** `The code for your order is 4829`: a word for a code stands before the other name in the same clause, and so is what "is" says. */
function isCodeFor({ text }: Passage, words: readonly Word[], other: Word): boolean {
  const code = words.findLast(({ role, end }) => role === 'code' && end <= other.start);
  return code !== undefined && !/[.!?:;,\t\n]/.test(text.slice(code.end, other.start));
}

function isPointedAt(
  { text }: Passage,
  words: readonly Word[],
  before: Word | undefined,
  run: NumberRun,
  line: Range,
): boolean {
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
