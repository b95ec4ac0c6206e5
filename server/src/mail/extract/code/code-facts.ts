import type { Look } from '../../html/html-page.js';
import { isAlone, isBare, lineAbove, lineAround, lineBelow, type Range } from '../text/lines.js';
import { firstAt, type Passage } from '../text/passages.js';
import { type WordFacts, wordFacts } from './nearby-words.js';
import type { NumberRun } from './numbers.js';

/** What is known of one number in one passage. */
export interface CodeFacts extends WordFacts {
  readonly digits: number;
  readonly grouping: NumberRun['grouping'];
  /** Other numbers stand beside it, apart by spaces alone. */
  readonly inRow: boolean;
  /** Its line holds nothing else. */
  readonly alone: boolean;
  /** It begins its line, and no sentence follows. */
  readonly leads: boolean;
  /** The passage holds nothing else. */
  readonly whole: boolean;
  readonly look: Look | null;
  /** A colon stands right before it. */
  readonly colon: boolean;
  readonly date: boolean;
  /** The line above or below holds nothing but a number too. */
  readonly listed: boolean;
  /** Its digits stand one by one and count up, as 1 2 3 4 5. */
  readonly counts: boolean;
  /** Its line speaks of per cent off or of a checkout. */
  readonly discount: boolean;
  /** Its line speaks of an authorization, in a mail whose subject speaks of an order and of no code: nowhere else that matters. */
  readonly authorization: boolean;
  readonly hash: boolean;
  readonly copyright: boolean;
  readonly repeated: boolean;
  readonly message: MessageFacts;
}

/** What is known of a message whatever the number. */
export interface MessageFacts {
  readonly subjectSaysCode: boolean;
  readonly subjectSaysAction: boolean;
  /** The subject speaks of an order, a receipt or the like. */
  readonly subjectSaysOther: boolean;
  /** A word for a code occurs somewhere. */
  readonly saysCode: boolean;
  /** It is short and holds a single number. */
  readonly singleNumber: boolean;
  /** The numbers that occur in more than one of its parts. */
  readonly repeated: ReadonlySet<string>;
}

/** `Authorization code`, in languages where one word means what a bank asks for and what a shop was given. */
const AUTHORIZATION = /auth?ori[sz]|autoryz|авториз|授权|授權|승인/;

/** Everything the rules ask about one number of a passage. */
export function codeFacts(passage: Passage, run: NumberRun, message: MessageFacts): CodeFacts {
  const { text } = passage;
  const line = lineAround(text, run.series);
  const lineText = passage.lower.slice(line.start, line.end);
  return {
    digits: run.value.length,
    grouping: run.grouping,
    inRow: run.joint === 'space',
    alone: passage.source !== 'subject' && isAlone(text, run, line),
    leads: isBare(text, line.start, run.start) && /^ ?[^\s\p{L}]/u.test(text.slice(run.end, run.end + 2)),
    whole: isBare(text, 0, run.start) && isBare(text, run.end, text.length),
    look: lookAt(passage, run),
    colon: /[:：]\s?$/.test(text.slice(Math.max(0, run.start - 2), run.start)),
    date: looksLikeDate(run) || isYearAfterMonth(text, run),
    listed: isListed(text, run, line),
    counts: run.grouping === 'digits' && '0123456789'.includes(run.value),
    discount: offersDiscount(lineText),
    authorization: message.subjectSaysOther && !message.subjectSaysCode && AUTHORIZATION.test(lineText),
    hash: text[run.start - 1] === '#',
    copyright: hasCopyrightSign(lineText),
    repeated: message.repeated.has(run.value),
    message,
    // Last: with the spread first, V8 makes the object so slowly that reading and extraction of the corpus take 1.6 times as long.
    ...wordFacts(passage, run, line),
  };
}

/** A year, two years with a hyphen between, or a date in eight digits. */
function looksLikeDate({ value, grouping }: NumberRun): boolean {
  if (grouping === 'digits') return false;
  return /^(?:(?:19|20)\d\d){1,2}$|^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(value);
}

/** The years of this time in the calendars of Iran, of Islam and of Thailand. */
const OTHER_YEAR = /^(?:1[34]|2[56])\d\d$/;

/** A year of another calendar, by the day and the month before it. */
function isYearAfterMonth(text: string, { value, start }: NumberRun): boolean {
  return (
    OTHER_YEAR.test(value) &&
    /(?:^|[^\d.,])\d{1,2} [\p{L}\p{M}]{2,15} $/u.test(text.slice(Math.max(0, start - 24), start))
  );
}

function isListed(text: string, run: NumberRun, line: Range): boolean {
  if (!isAlone(text, run, line)) return false;
  const others = [lineAbove(text, line), lineBelow(text, line)];
  return others.some((other) => other !== null && /^\W*\d{4,8}\W*$/.test(text.slice(other.start, other.end)));
}

/** Per cent off, or a checkout. What a line must have for that is looked for first, which costs next to nothing. */
function offersDiscount(line: string): boolean {
  return (line.includes('%') && /\d ?%/.test(line)) || (line.includes('checkout') && /\bcheckout\b/.test(line));
}

function hasCopyrightSign(line: string): boolean {
  return line.includes('©') || line.includes('(c)');
}

function lookAt({ spans }: Passage, run: NumberRun): Look | null {
  return spans[firstAt(spans, run.start + 1) - 1]?.look ?? null;
}
