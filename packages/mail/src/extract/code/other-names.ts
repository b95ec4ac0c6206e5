import { AND, PHONES, PICKUP, PURPOSE, VERIFYING } from '../../words/words.js';
import { isAlone, lineAbove, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import { namesOther } from '../words/word-tree.js';
import type { NumberRun } from './numbers.js';

/** A word at most this far from its number is next to the number, even with "is your:" between the two. */
export const BESIDE_CHARS = 16;
/** A name at most this far from a number names the number: `Order no. 4829`. */
const OTHER_CHARS = 12;
/** A name with a colon may be further away: `Número de cliente: 4829`. */
const OTHER_LABEL_CHARS = 32;
/** Room for a number of four digits and the characters before it. */
const MAX_LEADING_CHARS = 7;
const MAX_LABEL_CHARS = 40;

/** Ends a phrase that begins with a word for a code: `Verification code for your order`. */
const PHRASE_END = /[.!?:：;,。\t\n\d(（[|·]/;

/** Whether a name of another kind of number is before the number, directly after it, or in the label above it. */
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
  // `Code for case 771209` does not name the number below it, because the case has its own number.
  return !/\d{3}/.test(text.slice(before.end, above.end));
}

/** Text that separates a name from a number: another number, or the end of a clause. */
const ENDS_CLAUSE = /[\d,;!?，、。；！？]/;
/** The end of a sentence or of an abbreviation: `Ref. 4829`. */
const STOP = /\.\s/;

/** Whether a word for a code follows the number in its clause: `Thanks for your order. 4829 is your code`. */
function isSaidToBeCode(text: string, words: readonly Word[], run: NumberRun): boolean {
  const code = words.find(({ role, start }) => role === 'code' && start >= run.end);
  return code !== undefined && !PHRASE_END.test(text.slice(run.end, code.start));
}

/** Whether a name directly follows the number in the same line and cell: `4829 orders`, `4829円`. */
function isRightAfter(text: string, run: NumberRun, after: Word): boolean {
  const distance = gap(after, run);
  return distance === 0 || (distance === 1 && !'\n\t|'.includes(text[run.series.end] as string));
}

/** Text after a word that makes the word the label of the next number: `Order: …`, `Order no. 88…`. */
const LABELS = /^[^\n:：#\d]{0,8}(?:[:：#]|\d)/;

/** Another number follows, which is the code: `… 771209: 482913`, `… 771209 is 482913`. */
const ANOTHER = /^(?:\s?[:：=]\s?| [-–—→] |[^\S\n](\p{L}{1,5})[:：]? )(?:\d{4,8}|\d{2,4}[ -]\d{2,4})(?!\d)/u;
const MAX_ANOTHER_CHARS = 48;
/** The code begins its line, before the word for a code: `482913 – code for operation 771209`. */
const SAID_BEFORE = /^[^\d\p{L}]{0,3}\d{4,8} ?(?:[-–—] ?|\p{L}{1,8} )(?:\p{L}{1,12} ){0,2}$/u;
const MAX_SAID_CHARS = 48;

/** Whether the number names what the code is for, as 771209 does in `The code for txn 771209 is 482913`. */
function isOfAnother({ text, lower }: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  const code = headOf(text, words, run.start);
  if (code === undefined || code.start < line.start) return false;
  if (!/\p{L}[^\p{L}]+\p{L}|\p{L}{6}/u.test(text.slice(code.end, run.start))) return false;
  const after = lower.slice(run.series.end, Math.min(line.end, run.series.end + MAX_ANOTHER_CHARS));
  const match = ANOTHER.exec(after);
  if (match !== null) return !AND.test(match[1] ?? '');
  return code.start - line.start <= MAX_SAID_CHARS && SAID_BEFORE.test(lower.slice(line.start, code.start));
}

/** The word for a code that begins the phrase around a position. */
function headOf(text: string, words: readonly Word[], at: number): Word | undefined {
  const code = words.findLast(({ role, end }) => role === 'code' && end <= at);
  return code === undefined || PHRASE_END.test(text.slice(code.end, at)) ? undefined : code;
}

/** Maximum length of a verb form before a word for a code: `ověřovací kód`. */
const MAX_VERB_CHARS = 16;

/** Whether words mean a code that verifies a phone, not a phone number: `전화 인증번호`, `ověřovací kód telefonu`. */
export function isOfPhone(lower: string, code: Word, { start, end }: Word): boolean {
  if (!PHONES.test(lower.slice(start, end))) return false;
  return VERIFYING.test(lower.slice(Math.max(0, code.start - MAX_VERB_CHARS), Math.max(code.end, start)));
}

/** A preposition and another word: `For your`, `zur Freigabe der`. */
const FOR_A_THING = new RegExp(`^ (?:${PURPOSE.source})[ ]\\p{L}`, 'u');

/** Words for "number", "reference" and the like, which refer to the number after them. */
const SAYS_NUMBER =
  /n[uúùū]m|nr|broj|číslo|szám|αριθμ|رقم|מספר|号|號|번호|หมายเลข|संख्या|ნომ|համար|(?:^|[^\p{L}])(?:id|no|ref|reference)\.?$/u;

const MAX_PICKUP_CHARS = 32;

/**
 * Whether a word such as "order" only says what the code is for: `The code for your order is 4829`, `Code for your
 * order: 4829`, `Type these digits to confirm your order: 4829`. Not so in `code for order: 88120934`, an order number.
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

/** Matches if the word for a code refers to a second number: `Shop 4829 with code 1204`. */
const LEADS_ON = /^[ \u00a0]?[:：#]?[ \u00a0]?(?:\d{4}|\d{2,3}[ \u00a0-]\d)/;

/** Matches after a word for a code that has its own number, too short or too long for a code: `code 137 after 4812`. */
const OWN_NUMBER = /^[ \u00a0]?[:：#=]?[ \u00a0]?(?:\d{3}|\d{9,12})[ \u00a0,.;)][^\d:：\n]{0,3}\p{L}/u;
const MAX_OWN_CHARS = 24;

/** Whether a word for a code before a number refers to a number between the two. A colon leads to the later number. */
export function hasOwnNumber(text: string, { role, end }: Word, { start }: NumberRun): boolean {
  if (role !== 'code' || end > start || /[:：]\s?$/.test(text.slice(start - 2, start))) return false;
  return OWN_NUMBER.test(text.slice(end, Math.min(start, end + MAX_OWN_CHARS)));
}

export function isOfAnotherNumber(text: string, { role, start, end }: Word, run: NumberRun): boolean {
  return role === 'code' && start >= run.end && LEADS_ON.test(text.slice(end, end + MAX_LEADING_CHARS));
}
