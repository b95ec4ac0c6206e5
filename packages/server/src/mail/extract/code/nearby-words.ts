import { NEVER, PHONES, VERIFYING } from '../../words/words.js';
import { isBare, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import { namesOther, type Role } from '../words/word-tree.js';
import { isSpent } from './dead-codes.js';
import type { NumberRun } from './numbers.js';
import { BESIDE_CHARS, gap, isNamedOtherwise, isOfAnotherNumber, MAX_VERB_CHARS } from './other-names.js';
import { type Header, headerOf } from './table-columns.js';

/** How near a word stands to a number: right beside it, in its line, in the lines around it. */
export type Nearness = 'beside' | 'line' | 'around' | 'far' | 'none';

export interface WordFacts {
  readonly code: Nearness;
  /** The words for a code in its line stand in other sentences. */
  readonly codeApart: boolean;
  readonly action: Nearness;
  readonly enter: Nearness;
  readonly other: boolean;
  /** A word for a code or for entering it stands directly before it, or it begins a line that speaks of a code. */
  readonly pointed: boolean;
  readonly headed: boolean;
  /** Near it something is spoken of whose codes are no one-time codes: vouchers, doors, surveys, meetings. */
  readonly kind: boolean;
  readonly spent: boolean;
}

/** `code is 4829`, `code: 4829`: this near, a word for a code leads straight to a number. */
const POINTED_CHARS = 6;
const AROUND_CHARS = 140;
const FAR_CHARS = 320;
/** What joins a word for a code to the name behind it: a space, a hyphen, or "of" in the languages that say it so. */
const OF =
  /^(?:[ \u00a0-]|(?:[ \u00a0-](?:of|de|du|des|del|do|da|dos|das|di|dei|van|von|der|d|af|av|на)[ \u00a0-])|[ \u00a0-](?:d|l|dell|de l)['’])?$/;
const MAX_OF_CHARS = 5;

/** What the words in a number's line and around it say of the number. */
export function wordFacts(passage: Passage, run: NumberRun, line: Range): WordFacts {
  const header = headerOf(passage.text, run, line);
  const words = wordsNear(passage, line, header);
  const column = header === null ? null : columnOf(header, words, line);
  const before = words.findLast((word) => word.end <= run.start);
  const code = column === 'code' ? 'beside' : nearness(passage, words, 'code', run, line);
  return {
    code,
    codeApart: code === 'line' && isApart(passage, words, run, line),
    action: nearness(passage, words, 'action', run, line),
    enter: nearness(passage, words, 'enter', run, line),
    other: column === null ? isNamedOtherwise(passage, words, before, run, line) : column === 'other',
    pointed: column === 'code' || isPointedAt(passage, words, before, run, line),
    headed: column === 'code',
    kind: words.some((word) => word.role === 'kind' && isKindOf(passage, word, run, line)),
    spent: isSpent(passage, words, run, line),
  };
}

/** The words around a line; those further up only if no word for a code is nearer, or a table's header is there. */
function wordsNear(passage: Passage, line: Range, header: Header | null): Word[] {
  const end = line.end + AROUND_CHARS;
  if (header === null) {
    const words = withCompounds(passage, passage.wordsIn(line.start - AROUND_CHARS, end));
    if (words.some(({ role }) => role === 'code')) return words;
  }
  return withCompounds(passage, passage.wordsIn(line.start - FAR_CHARS, end));
}

/** `Gift card code: 4829` below a number tells of another number. */
const NAMES_ANOTHER = /^[^\n.!?:：\d]{0,24}[:：\t]\s?\d{4}/;
const MAX_NAMING_CHARS = 32;

/** Whether it is near a number, and not in the name of one that stands below, nor in a warning. */
function isKindOf({ text, lower }: Passage, word: Word, run: NumberRun, line: Range): boolean {
  const { start, end } = word;
  if (start < line.start - AROUND_CHARS || isInWarning(lower, word, run)) return false;
  return start < line.end || !NAMES_ANOTHER.test(text.slice(end, end + MAX_NAMING_CHARS));
}

const SENTENCE_END = /[.!?:。！？\n\t]/;

/** `4829. Our agents will never ask for it`: another sentence says what the sender never does with the code. */
function isInWarning(lower: string, { start, end }: Word, run: NumberRun): boolean {
  const between = end <= run.start ? lower.slice(end, run.start) : lower.slice(run.end, start);
  if (!SENTENCE_END.test(between)) return false;
  const before = lower
    .slice(Math.max(0, start - AROUND_CHARS), start)
    .split(SENTENCE_END)
    .at(-1) as string;
  const [behind = ''] = lower.slice(end, end + AROUND_CHARS).split(SENTENCE_END, 1);
  return NEVER.test(`${before} ${behind}`);
}

/**
 * What the header of its column says that it is, where the header of one of the columns speaks of a code; else null.
 */
function columnOf(header: Header, words: readonly Word[], line: Range): 'code' | 'other' | null {
  if (words.some((word) => isNaming(word) && word.start >= line.start && word.end <= line.end)) return null;
  if (!hasCode(words, header.row)) return null;
  return hasCode(words, header.cell) ? 'code' : 'other';
}

function isNaming({ role }: Word): boolean {
  return role === 'code' || namesOther(role);
}

function hasCode(words: readonly Word[], { start, end }: Range): boolean {
  return words.some((word) => word.role === 'code' && word.start >= start && word.end <= end);
}

/** A word for a code that is part of another name (`promo code`, `code postal`) counts as that other name. */
function withCompounds({ lower }: Passage, words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    if (word.role !== 'code') return word;
    const before = words[i - 1];
    const after = words[i + 1];
    const isLed =
      before !== undefined && namesOther(before.role) && /^[ \u00a0の-]?$/.test(lower.slice(before.end, word.start));
    const isFollowed = after !== undefined && namesOther(after.role) && isJoined(lower.slice(word.end, after.start));
    return (isLed && !isOfPhone(lower, word, before)) || (isFollowed && !isOfPhone(lower, word, after))
      ? { ...word, role: 'other' }
      : word;
  });
}

/** `전화 인증번호`, `ověřovací kód telefonu`: what verifies a phone is a code. */
function isOfPhone(lower: string, code: Word, { start, end }: Word): boolean {
  if (!PHONES.test(lower.slice(start, end))) return false;
  return VERIFYING.test(lower.slice(Math.max(0, code.start - MAX_VERB_CHARS), code.end));
}

/**
 * `code de réduction`: what stands between makes two words one name. `code for order` is the code of something else.
 */
function isJoined(between: string): boolean {
  return between.length <= MAX_OF_CHARS && OF.test(between);
}

function nearness({ text }: Passage, words: readonly Word[], role: Role, run: NumberRun, line: Range): Nearness {
  let best: Nearness = 'none';
  for (const word of words) {
    if (word.role !== role) continue;
    if (word.start >= line.start && word.end <= line.end) {
      if (gap(word, run) <= BESIDE_CHARS && !isOfAnotherNumber(text, word, run)) return 'beside';
      best = 'line';
    } else if (best !== 'line') {
      best = word.end >= line.start - AROUND_CHARS ? 'around' : best === 'none' ? 'far' : best;
    }
  }
  return best;
}

function isApart({ text }: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  return words.every(({ role, start, end }) => {
    if (role !== 'code' || start < line.start || end > line.end) return true;
    return ENDS_SENTENCE.test(end <= run.start ? text.slice(end, run.start) : text.slice(run.end, start));
  });
}

/** A mark that ends a sentence, and the beginning of the next one. */
export const ENDS_SENTENCE = /[.!?]\s|[。！？।։]/;

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
