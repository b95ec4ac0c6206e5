import { AND, PHONES, PICKUP, PURPOSE, VERIFYING } from '../../words/words.js';
import { isAlone, lineAbove, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import { namesOther } from '../words/word-tree.js';
import type { NumberRun } from './numbers.js';

/** A word this close is next to its number, with at most "is your:" between them. */
export const BESIDE_CHARS = 16;
/** `Order no. 4829`: a name of another kind of number this close belongs with the number. */
const OTHER_CHARS = 12;
/** `Número de cliente: 4829`: if a colon follows it, it may be further away. */
const OTHER_LABEL_CHARS = 32;
/** A number of four digits, and the signs before it. */
const MAX_LEADING_CHARS = 7;
const MAX_LABEL_CHARS = 40;

/** Ends a phrase whose head is a word for a code: `Verification code for your order`. */
const PHRASE_END = /[.!?:：;,。\t\n\d(（[|·]/;

/** Whether the name of another kind of number is before it, right after it, or in the label above it. */
export function isNamedOtherwise(
  passage: Passage,
  words: readonly Word[],
  before: Word | undefined,
  run: NumberRun,
  line: Range,
): boolean {
  const { text } = passage;
  if (before !== undefined && namesOther(before.role) && before.start >= line.start) {
    const between = text.slice(before.end, run.series.start);
    if (gap(before, run) > (/[:：]\s?$/.test(between) ? OTHER_LABEL_CHARS : OTHER_CHARS)) return false;
    if (ENDS_CLAUSE.test(between) || (STOP.test(between) && isSaidToBeCode(text, words, run))) return false;
    return !isOfHead(passage, words, before, between);
  }
  const after = words.find((word) => word.start >= run.end);
  if (after !== undefined && namesOther(after.role) && isRightAfter(text, run, after)) {
    return !(before?.role === 'code' && before.start >= line.start && LABELS.test(text.slice(after.end)));
  }
  if (isOfAnother(passage, words, run, line)) return true;
  if (before === undefined || !namesOther(before.role) || !isAlone(text, run, line)) return false;
  const above = lineAbove(text, line);
  if (above === null || above.end - above.start > MAX_LABEL_CHARS || before.start < above.start) return false;
  // `Code for case 771209` above a number: the case has its own number.
  return !/\d{3}/.test(text.slice(before.end, above.end));
}

/** Neither another number nor the end of a clause may be between the name of a number and the number. */
const ENDS_CLAUSE = /[\d,;!?，、。；！？]/;
/** The end of a sentence or of an abbreviation: `Ref. 4829`. */
const STOP = /\.\s/;

/** `Thanks for your order. 4829 is your code`: a word for a code follows it in its clause. */
function isSaidToBeCode(text: string, words: readonly Word[], run: NumberRun): boolean {
  const code = words.find(({ role, start }) => role === 'code' && start >= run.end);
  return code !== undefined && !PHRASE_END.test(text.slice(run.end, code.start));
}

/** `4829 orders`, `4829円`: only in the same line and cell. */
function isRightAfter(text: string, run: NumberRun, after: Word): boolean {
  const distance = gap(after, run);
  return distance === 0 || (distance === 1 && !'\n\t|'.includes(text[run.series.end] as string));
}

/** `Order: …`, `Order no. 88…`: the text after a word that makes it the label of the next number. */
const LABELS = /^[^\n:：#\d]{0,8}(?:[:：#]|\d)/;

/** `… 771209: 482913`, `… 771209 is 482913`: another number follows, which is the code. */
const ANOTHER = /^(?:\s?[:：=]\s?| [-–—→] |[^\S\n](\p{L}{1,5})[:：]? )(?:\d{4,8}|\d{2,4}[ -]\d{2,4})(?!\d)/u;
const MAX_ANOTHER_CHARS = 48;
/** `482913 – code for operation 771209`: the code begins its line, before the word for it. */
const SAID_BEFORE = /^[^\d\p{L}]{0,3}\d{4,8} ?(?:[-–—] ?|\p{L}{1,8} )(?:\p{L}{1,12} ){0,2}$/u;
const MAX_SAID_CHARS = 48;

/** `The code for txn 771209 is 482913`: the first number is what the code is for, whatever its name. */
function isOfAnother({ text, lower }: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  const code = headOf(text, words, run.start);
  if (code === undefined || code.start < line.start) return false;
  if (!/\p{L}[^\p{L}]+\p{L}|\p{L}{6}/u.test(text.slice(code.end, run.start))) return false;
  const after = lower.slice(run.series.end, Math.min(line.end, run.series.end + MAX_ANOTHER_CHARS));
  const match = ANOTHER.exec(after);
  if (match !== null) return !AND.test(match[1] ?? '');
  return code.start - line.start <= MAX_SAID_CHARS && SAID_BEFORE.test(lower.slice(line.start, code.start));
}

/** The word for a code that is the head of the phrase around a position. */
function headOf(text: string, words: readonly Word[], at: number): Word | undefined {
  const code = words.findLast(({ role, end }) => role === 'code' && end <= at);
  return code === undefined || PHRASE_END.test(text.slice(code.end, at)) ? undefined : code;
}

/** The longest verb before a word for a code: `ověřovací kód`. */
const MAX_VERB_CHARS = 16;

/** `전화 인증번호`, `ověřovací kód telefonu`: a number that verifies a phone is a code. */
export function isOfPhone(lower: string, code: Word, { start, end }: Word): boolean {
  if (!PHONES.test(lower.slice(start, end))) return false;
  return VERIFYING.test(lower.slice(Math.max(0, code.start - MAX_VERB_CHARS), Math.max(code.end, start)));
}

/** `For your`, `zur Freigabe der`: a preposition and another word. */
const FOR_A_THING = new RegExp(`^ (?:${PURPOSE.source})[ ]\\p{L}`, 'u');

/** Words that mean "number", or another name for one. They name the number after them. */
const SAYS_NUMBER =
  /n[uúùū]m|nr|broj|číslo|szám|αριθμ|رقم|מספר|号|號|번호|หมายเลข|संख्या|ნომ|համար|(?:^|[^\p{L}])(?:id|no|ref|reference)\.?$/u;

const MAX_PICKUP_CHARS = 32;

/**
 * `The code for your order is 4829`, `Code for your order: 4829`, `Type these digits to confirm your order: 4829`: the
 * order is the code's purpose. In "code for order: 88120934", the number is the order's.
 */
function isOfHead({ text, lower }: Passage, words: readonly Word[], other: Word, between: string): boolean {
  const code = headOf(text, words, other.start);
  if (code === undefined) return false;
  if (/\p{L}/u.test(between) || isOfPhone(lower, code, other)) return true;
  if (SAYS_NUMBER.test(lower.slice(other.start, other.end))) return false;
  if (words.some(({ role, end }) => role === 'enter' && end <= code.start && code.start - end <= BESIDE_CHARS))
    return true;
  if (!/^\s?[:：]\s?$/.test(between)) return false;
  if (PICKUP.test(lower.slice(Math.max(0, code.start - MAX_PICKUP_CHARS), other.start))) return true;
  const joint = lower.slice(code.end, other.start);
  return FOR_A_THING.test(joint) && !AND.test(joint);
}

export function gap(word: Word, run: NumberRun): number {
  return word.end <= run.start ? run.series.start - word.end : word.start - run.series.end;
}

/** `Shop 4829 with code 1204`: the word for a code is about the second number. */
const LEADS_ON = /^[ \u00a0]?[:：#]?[ \u00a0]?(?:\d{4}|\d{2,3}[ \u00a0-]\d)/;

export function isOfAnotherNumber(text: string, { role, start, end }: Word, run: NumberRun): boolean {
  return role === 'code' && start >= run.end && LEADS_ON.test(text.slice(end, end + MAX_LEADING_CHARS));
}
