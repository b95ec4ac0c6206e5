import { CARDS, PASSWORD, VERIFYING } from '../../words/words.js';
import { firstAt, isAlone, isBare, lineAround, type Range, rangeAt } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import { findWords } from '../words/lexicon.js';
import { isExample, isQuotedSpeech, isSpent } from './dead-codes.js';
import type { MessageFacts } from './message-facts.js';
import { isOfKind, isPointedAt, nearness, wordsNear } from './nearby-words.js';
import type { NumberRun } from './numbers.js';
import { isNamedOtherwise } from './other-names.js';

export type CodeFacts = ReturnType<typeof codeFacts>;

/** The input of the rules for one number. */
export function codeFacts(passage: Passage, run: NumberRun, message: MessageFacts) {
  const { text, lower } = passage;
  const { start, end, value } = run;
  const range = lineAround(text, run.series);
  const { words, column } = wordsNear(passage, run, range);
  const before = words.findLast((word) => word.end <= start);
  const code = column === 'code' ? 'beside' : nearness(passage, words, 'code', run, range);
  const look = rangeAt(passage.spans, start)?.look ?? null;
  return {
    passage,
    range,
    message,
    value,
    digits: value.length,
    line: lower.slice(range.start, range.end),
    alone: isAlone(text, run, range),
    /** The number begins its line, and no sentence follows it. */
    leads: isBare(text, range.start, start) && /^ ?[^\s\p{L}]/u.test(text.slice(end, end + 2)),
    /** The number is the only content of the passage. */
    whole: isBare(text, 0, start) && isBare(text, end, text.length),
    look,
    colon: /[:：]\s?$/.test(text.slice(Math.max(0, start - 2), start)),
    hash: text[start - 1] === '#',
    date: looksLikeDate(run) || isYearAfterMonth(text, run),
    /** The number is one of at least three listed numbers of the same length. */
    ofList: message.isOfList(run) && column !== 'code',
    linked: message.isLinked(passage, run) || isLabelOfAddress(passage, run),
    /** A word for a card precedes the number (`with your card 4471`), and no word for a code precedes the card. */
    ofCard: isOfCard(passage, run.series.start, range),
    code,
    action: nearness(passage, words, 'action', run, range),
    enter: nearness(passage, words, 'enter', run, range),
    other: column === null ? isNamedOtherwise(passage, words, before, run, range) : column === 'other',
    pointed: column === 'code' || isPointedAt(passage, words, before, run, range),
    kind: isOfKind(passage, words, run, range),
    spent:
      isSpent(passage, words, run, range) ||
      text[range.start] === '>' ||
      (code !== 'none' && (isExample(passage, run) || isQuotedSpeech(text, run, range))) ||
      message.isQuoted(passage, run, look),
  };
}

const MAX_CARD_CHARS = 16;

/** Maximum distance between a word for a code and a later word for the card. */
const CODE_FOR_CARD_CHARS = 60;

function isOfCard(passage: Passage, start: number, line: Range): boolean {
  const before = passage.lower.slice(Math.max(line.start, start - MAX_CARD_CHARS), start).replace(/ $/, '');
  if (!CARDS.test(before.split(/[^\p{L}\p{M}]/u).at(-1) as string)) return false;
  const words = passage.wordsIn(Math.max(line.start, start - CODE_FOR_CARD_CHARS), start);
  return words.every(({ role }) => role !== 'code');
}

/** Maximum distance between a number's line and a description of the number, before or after the line. */
const VERIFY_CHARS = 140;

export const PASSWORDS = new RegExp(PASSWORD.source, 'gu');

/** Whether nearby lines mention verifying or signing in. Passwords of meetings and the like do not count. */
export function verifies({ passage, range }: CodeFacts): boolean {
  const lines = passage.lower.slice(Math.max(0, range.start - VERIFY_CHARS), range.end + VERIFY_CHARS).split('\n');
  return lines.some((lower) => {
    const isOfKind = findWords({ lower }).some(({ role }) => role === 'kind');
    return VERIFYING.test(isOfKind ? lower.replace(PASSWORDS, ' ') : lower);
  });
}

/**
 * Matches the line `@app.test #482913` (either order), which binds a code to a site so that browsers fill it in. A frame
 * of another site may follow: `@shop.test #482913 @bank.test`.
 */
const HOST = String.raw`@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}`;
const BOUND = new RegExp(`^(?:#\\d+ )?${HOST}(?: #\\d+)?(?: ${HOST})?$`);

export function isBound({ hash, line }: CodeFacts): boolean {
  return hash && BOUND.test(line.trim());
}

/** Whether a number is a year, two years with a hyphen between them, or a date with eight digits. */
function looksLikeDate({ value, grouping }: NumberRun): boolean {
  if (grouping === 'digits') return false;
  return /^(?:(?:19|20)\d\d){1,2}$|^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(value);
}

/** Current years in the Iranian, Islamic and Thai calendars. */
const OTHER_YEAR = /^(?:1[34]|2[56])\d\d$/;

/** Whether the number follows a day and a month, so it is a year of another calendar. */
function isYearAfterMonth(text: string, { value, start }: NumberRun): boolean {
  return (
    OTHER_YEAR.test(value) &&
    /(?:^|[^\d.,])\d{1,2} [\p{L}\p{M}]{2,15} $/u.test(text.slice(Math.max(0, start - 24), start))
  );
}

/** The text between a link's text and its written-out address: `4829: https://…`, `4829 (https://…)`. */
const BEFORE_ADDRESS = /^(?:[ \t]?[:：]?[ \t]?[(<[]|[ \t]?[:：]\s{0,3}|[ \t])$/;
const MAX_BEFORE_ADDRESS_CHARS = 6;

function isLabelOfAddress({ text, urls }: Passage, { end }: NumberRun): boolean {
  const address = urls[firstAt(urls, end)];
  if (address === undefined || address.start - end > MAX_BEFORE_ADDRESS_CHARS) return false;
  return BEFORE_ADDRESS.test(text.slice(end, address.start));
}
