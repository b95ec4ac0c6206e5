import { AND, PHONES, PICKUP, PURPOSE, VERIFYING } from '../../words/words.js';
import { isAlone, lineAbove, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import { namesOther } from '../words/word-tree.js';
import type { NumberRun } from './numbers.js';

/** A word this near stands right beside its number, with at most "is your:" between them. */
export const BESIDE_CHARS = 16;
/** `Order no. 4829`: this near, the name of another kind of number is the number's. */
const OTHER_CHARS = 12;
/** `Número de cliente: 4829`: behind a colon it may stand further away. */
const OTHER_LABEL_CHARS = 32;
/** A number of four digits, and what leads to it. */
const MAX_LEADING_CHARS = 7;
/** ` No.: ` has no more. */
const MAX_NO_CHARS = 8;
const MAX_LABEL_CHARS = 40;

/** The name of another kind of number stands before it, right behind it, or is the label above it. */
export function isNamedOtherwise(
  passage: Passage,
  words: readonly Word[],
  before: Word | undefined,
  run: NumberRun,
  line: Range,
): boolean {
  if (saysNumber(passage.lower, before, run)) return true;
  if (before !== undefined && namesOther(before.role) && before.start >= line.start) {
    const between = passage.text.slice(before.end, run.series.start);
    return (
      gap(before, run) <= (/[:：]\s?$/.test(between) ? OTHER_LABEL_CHARS : OTHER_CHARS) &&
      !ENDS_CLAUSE.test(between) &&
      !isVerifiedByCode(passage, words, before) &&
      !(STOP.test(between) && isSaidToBeCode(passage, words, run)) &&
      !(/\p{L}/u.test(between)
        ? isCodeFor(passage, words, before)
        : isPurpose(passage, words, before) || isOfHead(passage, words, before, between))
    );
  }
  const after = words.find((word) => word.start >= run.end);
  if (after !== undefined && namesOther(after.role) && isRightBehind(passage.text, run, after)) {
    return !(
      before?.role === 'code' &&
      before.start >= line.start &&
      LABELS.test(passage.text.slice(after.end, after.end + MAX_LABEL_END_CHARS))
    );
  }
  if (isOfAnother(passage, words, run, line)) return true;
  if (before === undefined || !namesOther(before.role) || !isAlone(passage.text, run, line)) return false;
  const above = lineAbove(passage.text, line);
  if (above === null || above.end - above.start > MAX_LABEL_CHARS || before.start < above.start) return false;
  // `Code for case 771209` above a number: the case has its own.
  return !/\d{3}/.test(passage.text.slice(before.end, above.end));
}

/** Between the name of a number and the number stands no other number, and no end of a clause. */
const ENDS_CLAUSE = /[\d,;!?，、。；！？]/;
/** It may end a sentence, or shorten a word: `Ref. 4829`. */
const STOP = /\.\s/;

/** `Thanks for your order. 4829 is your code`: a word for a code stands behind it in its clause. */
function isSaidToBeCode({ text }: Passage, words: readonly Word[], run: NumberRun): boolean {
  const code = words.find(({ role, start }) => role === 'code' && start >= run.end);
  return (
    code !== undefined && !/[.!?:;,\t\n\d]/.test(text.slice(run.end, code.start)) && !isOfAnotherNumber(text, code, run)
  );
}

/** `4829 orders`, `4829円`: in the same line and cell, for what begins the next one is the name of something else. */
function isRightBehind(text: string, run: NumberRun, after: Word): boolean {
  const distance = gap(after, run);
  return distance === 0 || (distance === 1 && !'\n\t|'.includes(text[run.series.end] as string));
}

/** `Order: …`, `Order no. 88…`: behind a word, this makes it the label of what comes. */
const LABELS = /^[^\n:：#\d]{0,8}(?:[:：#]|\d)/;
const MAX_LABEL_END_CHARS = 10;

/** `… 771209: 482913`, `… 771209 is 482913`: what stands between a number and that of the phrase's head. */
const ANOTHER = /^(?:\s?[:：=]\s?| [-–—→] |[^\S\n](\p{L}{1,5})[:：]? )(?:\d{4,8}|\d{2,4}[ -]\d{2,4})(?!\d)/u;
const MAX_ANOTHER_CHARS = 48;
/** `… 771209 with card *4471: 482913`: more is told of what the code is for, up to the colon. */
const LEADS_TO_ANOTHER = /^ \p{L}[^.!?;,:：\n\t|]{2,38}[:：] ?(?:\d{4,8}|\d{3}[ -]\d{3})(?!\d)/u;
/** `482913 – code for operation 771209`: the code begins its line, before the word for it. */
const SAID_BEFORE = /^[^\d\p{L}]{0,3}\d{4,8} ?(?:[-–—] ?|\p{L}{1,8} )(?:\p{L}{1,12} ){0,2}$/u;
const MAX_SAID_CHARS = 48;

/** `The code for txn 771209 is 482913`: the first number tells what the code is for, whatever that is called. */
function isOfAnother({ text, lower }: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  const code = codeBefore(words, run.start);
  if (code === undefined || code.start < line.start) return false;
  const between = text.slice(code.end, run.start);
  if (/[.!?;:：,\n\t|\d]/.test(between) || !/\p{L}[^\p{L}]+\p{L}|\p{L}{6}/u.test(between)) return false;
  const behind = lower.slice(run.series.end, Math.min(line.end, run.series.end + MAX_ANOTHER_CHARS));
  const match = ANOTHER.exec(behind);
  if (match !== null) return !AND.test(match[1] ?? '');
  if (LEADS_TO_ANOTHER.test(behind)) return true;
  return code.start - line.start <= MAX_SAID_CHARS && SAID_BEFORE.test(lower.slice(line.start, code.start));
}

function codeBefore(words: readonly Word[], at: number): Word | undefined {
  return words.findLast(({ role, end }) => role === 'code' && end <= at);
}

/**
 * `The code for your order is 4829`: a word for a code stands before the other name in the same clause, and so is what
 * "is" says.
 */
function isCodeFor({ text }: Passage, words: readonly Word[], other: Word): boolean {
  const code = codeBefore(words, other.start);
  return code !== undefined && !/[.!?:;,\t\n(（[|·]/.test(text.slice(code.end, other.start));
}

/** `Verification code of your phone: 4829`: a phone is what such a code verifies, and the number is the code's. */
function isVerifiedByCode({ text, lower }: Passage, words: readonly Word[], other: Word): boolean {
  if (!PHONES.test(lower.slice(other.start, other.end))) return false;
  const code = codeBefore(words, other.start);
  if (code === undefined || /[.!?:;：,\t\n\d]/.test(text.slice(code.end, other.start))) return false;
  return VERIFYING.test(lower.slice(Math.max(0, code.start - MAX_VERB_CHARS), other.start));
}

/** A verb before the word for a code is no further away: `ověřovací kód`. */
export const MAX_VERB_CHARS = 16;

/** A word that says "number" itself: what follows it is its own. */
const NUMBER_WORD = /n[uúùū]m|nr|broj|číslo|szám|αριθμ|رقم|מספר|号|號|번호|หมายเลข|संख्या|ნომ|համար/u;

/** `For your`, `zur Freigabe der`: a preposition, and another word before the thing. */
const FOR_A_THING = new RegExp(`^ (?:${PURPOSE.source})[ ]\\p{L}`, 'u');

/** The same, and what numbers are called otherwise. */
const SAYS_NUMBER = new RegExp(
  `${NUMBER_WORD.source}|(?:^|[^\\p{L}])(?:id|no|ref|reference)\\.?$|nummer$|number$`,
  'u',
);

/** `Type these digits to confirm your order: 4829`: what is verified comes last; the number is the code's. */
function isPurpose({ text, lower }: Passage, words: readonly Word[], other: Word): boolean {
  if (NUMBER_WORD.test(lower.slice(other.start, other.end))) return false;
  const code = codeBefore(words, other.start);
  if (code === undefined || /[.!?;:：。\t\n\d]/.test(text.slice(code.end, other.start))) return false;
  const isAsked = words.some(
    ({ role, end }) => role === 'enter' && end <= code.start && code.start - end <= BESIDE_CHARS,
  );
  return isAsked && words.some(({ role, start }) => role === 'action' && start >= code.end && start < other.start);
}

const MAX_PICKUP_CHARS = 32;

/**
 * `Code for your order: 4829`, `Pickup code for the parcel: 4829`: what is named last is what the code is for. In "code
 * for order: 88120934" it is the order's number.
 */
function isOfHead({ text, lower }: Passage, words: readonly Word[], other: Word, between: string): boolean {
  if (!/^\s?[:：]\s?$/.test(between)) return false;
  const code = codeBefore(words, other.start);
  if (code === undefined || /[.!?:;：,\t\n\d(（[|·]/.test(text.slice(code.end, other.start))) return false;
  if (SAYS_NUMBER.test(lower.slice(other.start, other.end))) return false;
  if (PICKUP.test(lower.slice(Math.max(0, code.start - MAX_PICKUP_CHARS), other.start))) return true;
  const joint = lower.slice(code.end, other.start);
  return FOR_A_THING.test(joint) && !AND.test(joint);
}

/** `No. 4829`, `Nr 4829`: a number of something that is no code, or it would be said right before. */
function saysNumber(lower: string, before: Word | undefined, { series }: NumberRun): boolean {
  const from = Math.max(0, series.start - MAX_NO_CHARS, before?.role === 'code' ? before.end + 2 : 0);
  if (from >= series.start) return false;
  return /(?:^|[\s(])(?:no|nr|num|nº|n°)[.:]{0,2}\s?$|№\s?$/.test(lower.slice(from, series.start));
}

/** Characters between a word and a number. */
export function gap(word: Word, run: NumberRun): number {
  return word.end <= run.start ? run.series.start - word.end : word.start - run.series.end;
}

/** `Shop 4829 with code 1204`: a word for a code behind a number that leads to the next one is that one's. */
const LEADS_ON = /^[ \u00a0]?[:：#]?[ \u00a0]?(?:\d{4}|\d{2,3}[ \u00a0-]\d)/;

/** Whether a word beside a number belongs to another one. */
export function isOfAnotherNumber(text: string, { role, start, end }: Word, run: NumberRun): boolean {
  if (role === 'action') return false;
  if (end <= run.start) return isOfSentenceBefore(text, end, run.series.start);
  if (role !== 'code') return false;
  return LEADS_ON.test(text.slice(end, end + MAX_LEADING_CHARS)) || ENDS_IN_BETWEEN.test(text.slice(run.end, start));
}

/** `4829 was charged. Never share your code`: the number's sentence goes on, ends, and the word is of the next one. */
const ENDS_IN_BETWEEN = /\p{L}(?:[.!?]\s|[。！？।։])/u;

/** Less than this behind the end of a sentence is no word of the next one. */
const MIN_BEGIN_CHARS = 4;

/** `Enter code 1204. Call 4829`: a sentence ends and another begins in between. A loop: it is asked often. */
function isOfSentenceBefore(text: string, start: number, end: number): boolean {
  for (let at = start; at < end - MIN_BEGIN_CHARS; at++) if ('.!?。！？'.includes(text[at] as string)) return true;
  return false;
}
