import { NEVER } from '../../words/words.js';
import { isBare, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import { namesOther, type Role } from '../words/word-tree.js';
import type { NumberRun } from './numbers.js';
import { BESIDE_CHARS, gap, hasOwnNumber, isOfAnotherNumber, isOfPhone } from './other-names.js';
import { type Header, headerOf } from './table-columns.js';

/** How near a word is to a number: next to it, in its line, or in the lines around it. */
export type Nearness = 'beside' | 'line' | 'around' | 'none';

/** A word for a code at most this far from a number leads to the number: `code is 4829`, `code: 4829`. */
const POINTED_CHARS = 6;
const AROUND_CHARS = 140;
/** Maximum distance between a row and the header of its table. */
const TABLE_CHARS = 320;
/** Joins a word for a code to a name: a space, a hyphen, or "of" in several languages. */
const OF =
  /^(?:[ \u00a0-]|(?:[ \u00a0-](?:of|de|du|des|del|do|da|dos|das|di|dei|van|von|der|d|af|av|на)[ \u00a0-])|[ \u00a0-](?:d|l|dell|de l)['’])?$/;

/** The words around a number and, in a table with a header, the kind of the number's column. */
export function wordsNear(passage: Passage, run: NumberRun, line: Range) {
  const header = headerOf(passage.text, run, line);
  const start = line.start - (header === null ? AROUND_CHARS : TABLE_CHARS);
  const words = withCompounds(passage, passage.wordsIn(start, line.end + AROUND_CHARS));
  return { words, column: header === null ? null : columnOf(header, words) };
}

/** `code` if the header of the number's column mentions a code, `other` if another header does, or else null. */
function columnOf({ row, cell }: Header, words: readonly Word[]): 'code' | 'other' | null {
  const hasCode = ({ start, end }: Range) =>
    words.some((word) => word.role === 'code' && word.start >= start && word.end <= end);
  if (!hasCode(row)) return null;
  return hasCode(cell) ? 'code' : 'other';
}

/** Matches the text between a word such as "gift card" and its own number, as in `Gift card code: 4829`. */
const NAMES_ANOTHER = /^[^\n.!?:：\d]{0,24}[:：\t]\s?\d{4}/;
const MAX_NAMING_CHARS = 32;

/**
 * Whether nearby words mention something that has other kinds of codes (vouchers, doors, surveys, meetings). Ignores
 * such a word in a warning, and such a word below the number's line if its own number follows the word.
 */
export function isOfKind({ text, lower }: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  return words.some((word) => {
    if (word.role !== 'kind' || isInWarning(lower, word, run)) return false;
    return word.start < line.end || !NAMES_ANOTHER.test(text.slice(word.end, word.end + MAX_NAMING_CHARS));
  });
}

const SENTENCE_END = /[.!?:。！？\n\t]/;

/** Whether a word is in a warning about what the sender never does: `4829. Our agents will never ask for it`. */
function isInWarning(lower: string, { start, end }: Word, run: NumberRun): boolean {
  const between = end <= run.start ? lower.slice(end, run.start) : lower.slice(run.end, start);
  if (!SENTENCE_END.test(between)) return false;
  const before = lower.slice(Math.max(0, start - AROUND_CHARS), start).split(SENTENCE_END);
  const after = lower.slice(end, end + AROUND_CHARS).split(SENTENCE_END, 1);
  return NEVER.test(`${before.at(-1)} ${after[0]}`);
}

/** Changes words for a code within another term (`promo code`, `code postal`) to the role `other`. */
function withCompounds({ lower }: Passage, words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    if (word.role !== 'code') return word;
    const before = words[i - 1];
    const after = words[i + 1];
    const isLed =
      before !== undefined && namesOther(before.role) && /^[ \u00a0の-]?$/.test(lower.slice(before.end, word.start));
    const isFollowed = after !== undefined && namesOther(after.role) && OF.test(lower.slice(word.end, after.start));
    return (isLed && !isOfPhone(lower, word, before)) || (isFollowed && !isOfPhone(lower, word, after))
      ? { ...word, role: 'other' }
      : word;
  });
}

/** The end of a sentence and the start of the next, but not an abbreviation before a number, as in `(ref. 4829)`. */
const ENDS_SENTENCE = /(?:[\p{L}\d][.!?]\s|[。！？।։])[^\p{L}\d]{0,8}\p{L}/u;

export function nearness({ text }: Passage, words: readonly Word[], role: Role, run: NumberRun, line: Range): Nearness {
  let best: Nearness = 'none';
  for (const word of words) {
    if (word.role !== role || hasOwnNumber(text, word, run)) continue;
    const between = word.start < run.start ? text.slice(word.end, run.start) : text.slice(run.end, word.end);
    if (word.start < line.start || word.end > line.end || ENDS_SENTENCE.test(between)) {
      if (best === 'none') best = 'around';
    } else {
      if (gap(word, run) <= BESIDE_CHARS && !isOfAnotherNumber(text, word, run)) return 'beside';
      best = 'line';
    }
  }
  return best;
}

/** Whether a word for a code or for entering one leads to the number, or the number begins a line about a code. */
export function isPointedAt(
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
