import type { Look } from '../../html/html-page.js';
import { CARDS, PASSWORD, PLACES, VERIFYING } from '../../words/words.js';
import { firstAt, isAlone, isBare, lineAbove, lineAround, lineBelow, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import { findWords } from '../words/lexicon.js';
import { isExample, isQuotedSpeech } from './dead-codes.js';
import { ENDS_SENTENCE, type WordFacts, wordFacts } from './nearby-words.js';
import type { NumberRun } from './numbers.js';

export interface CodeFacts extends WordFacts {
  readonly value: string;
  readonly digits: number;
  /** In lower case. */
  readonly line: string;
  readonly alone: boolean;
  /** It begins its line, and no sentence follows. */
  readonly leads: boolean;
  /** The passage holds nothing else. */
  readonly whole: boolean;
  readonly look: Look | null;
  readonly colon: boolean;
  readonly date: boolean;
  /** The numbers of the lines above and below that hold nothing else. */
  readonly listed: readonly string[];
  /** Three numbers of its length or more stand one after the other, and it is one of them. */
  readonly ofList: boolean;
  /** It is the text of a link that leads to the web, or a part of it. */
  readonly linked: boolean;
  /** The lines around it say to verify or sign in, in words that mean nothing else. Looked for where that decides. */
  readonly verifies: boolean;
  /** Its line speaks of per cent off or of a checkout. */
  readonly discount: boolean;
  /** Its line speaks of an authorization: matters only if the subject speaks of an order and not of a code. */
  readonly authorization: boolean;
  /**
   * A word follows, as behind a number of things (`4829 companies`). Looked for where the words for a code are in other
   * sentences, and for round numbers.
   */
  readonly counting: boolean;
  /** A card is right before it (`with your card 4471`), and no word for a code before that in its sentence. */
  readonly ofCard: boolean;
  readonly hash: boolean;
  /** It is bound to a web site for browsers to fill in: `@app.test #482913` on its own line (origin-bound codes). */
  readonly bound: boolean;
  readonly copyright: boolean;
  /**
   * Its line names where it is entered: an app, a screen, a page, a field. Looked for where no word for a code is near.
   */
  readonly placed: boolean;
  readonly message: MessageFacts;
}

/** What is known of a message whatever the number. */
export interface MessageFacts {
  readonly subjectSaysCode: boolean;
  readonly subjectSaysAction: boolean;
  readonly subjectSaysOther: boolean;
  readonly subjectSaysKind: boolean;
  /** The subject says to verify or sign in, in words that mean nothing else. */
  readonly subjectVerifies: boolean;
  /** Whether it stands in what an answer or a ticket repeats. */
  isQuoted(passage: Passage, run: NumberRun, look: Look | null): boolean;
  readonly saysCode: boolean;
  readonly singleNumber: boolean;
  isOfList(run: NumberRun): boolean;
  isLinked(passage: Passage, part: Range): boolean;
  /** Whether the value bears another name somewhere and is led to as a code nowhere. Known once all numbers are. */
  isNamed(value: string): boolean;
  /** Whether that value is said somewhere to be of no use any more. Known as late. */
  isSpent(value: string): boolean;
  /** Whether such a value stands in a line. Known as late. */
  holdsSpent(line: string): boolean;
}

/** `Authorization code`, in languages where one word means what a bank asks for and what a shop was given. */
const AUTHORIZATION = /auth?ori[sz]|autoryz|авториз|授权|授權|승인/;

/** Everything the rules ask about one number of a passage. */
export function codeFacts(passage: Passage, run: NumberRun, message: MessageFacts): CodeFacts {
  const { text } = passage;
  const line = lineAround(text, run.series);
  const lineText = passage.lower.slice(line.start, line.end);
  const { code, codeApart, action, enter, other, pointed, headed, kind, spent } = wordFacts(passage, run, line);
  const look = lookAt(passage, run);
  const hash = text[run.start - 1] === '#';
  const colon = /[:：]\s?$/.test(text.slice(Math.max(0, run.start - 2), run.start));
  return {
    value: run.value,
    digits: run.value.length,
    line: lineText,
    alone: passage.source !== 'subject' && isAlone(text, run, line),
    leads: isBare(text, line.start, run.start) && /^ ?[^\s\p{L}]/u.test(text.slice(run.end, run.end + 2)),
    whole: isBare(text, 0, run.start) && isBare(text, run.end, text.length),
    look,
    colon,
    date: looksLikeDate(run) || isYearAfterMonth(text, run),
    listed: listedBeside(passage, run, line, message),
    ofList: message.isOfList(run),
    linked: message.isLinked(passage, run) || isLabelOfAddress(passage, run),
    verifies: (kind || message.subjectSaysKind) && verifies(passage, line),
    discount: offersDiscount(lineText),
    authorization: message.subjectSaysOther && !message.subjectSaysCode && AUTHORIZATION.test(lineText),
    counting: (codeApart || run.value.endsWith('00')) && isCounting(text, run),
    ofCard: isOfCard(passage, run.series.start, line),
    hash,
    bound: hash && isBound(text, run, line),
    copyright: hasCopyrightSign(lineText),
    placed: code === 'none' && (enter === 'beside' || (colon && enter === 'line')) && PLACES.test(lineText),
    message,
    // Field by field: V8 takes far longer to spread an object.
    code,
    codeApart,
    action,
    enter,
    other,
    pointed,
    headed,
    kind,
    spent:
      spent ||
      text[line.start] === '>' ||
      (code !== 'none' && (isExample(passage, run) || isQuotedSpeech(text, run, line))) ||
      message.isQuoted(passage, run, look),
  };
}

function isCounting(text: string, { end }: NumberRun): boolean {
  return /^ ?[\p{Ll}\p{Lo}]/u.test(text.slice(end, end + 3));
}

/** Longer names of cards are not looked for. */
const MAX_CARD_CHARS = 16;

/** The name of a code stands so near before the card that it is for. */
const CODE_FOR_CARD_CHARS = 60;

function isOfCard(passage: Passage, start: number, line: Range): boolean {
  const { lower } = passage;
  const before = lower.slice(Math.max(line.start, start - MAX_CARD_CHARS), start).replace(/ $/, '');
  if (!CARDS.test(before.split(/[^\p{L}\p{M}]/u).at(-1) as string)) return false;
  const words = passage.wordsIn(Math.max(line.start, start - CODE_FOR_CARD_CHARS), start);
  return words.every(({ role, end }) => role !== 'code' || ENDS_SENTENCE.test(lower.slice(end, start)));
}

/** What is said of a number stands so far before and after its line. */
const VERIFY_CHARS = 140;

function verifies(passage: Passage, line: Range): boolean {
  const start = Math.max(0, line.start - VERIFY_CHARS);
  const lines = passage.lower.slice(start, line.end + VERIFY_CHARS);
  return VERIFYING.test(lines) && VERIFYING.test(withoutPasswordsOfKinds(lines));
}

const PASSWORDS = new RegExp(PASSWORD.source, 'gu');

/** `Meeting password`, `password of the meeting`: a password of something other than an account verifies nothing. */
function withoutPasswordsOfKinds(lines: string): string {
  return lines
    .split('\n')
    .map((lower) => (findWords({ lower }).some(({ role }) => role === 'kind') ? lower.replace(PASSWORDS, ' ') : lower))
    .join('\n');
}

/** The host that a code is bound to stands before it; some senders have it behind. */
function isBound(text: string, run: NumberRun, line: Range): boolean {
  const isHost = /^@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}$/i;
  const before = text.slice(line.start, run.start - 1).trim();
  const behind = text.slice(run.end, line.end).trim();
  return behind === '' ? isHost.test(before) : before === '' && isHost.test(behind);
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

/**
 * Between a link's text and its address in plain text: `4829: https://…`, `4829 (https://…)`; a colon may end the line.
 */
const BEFORE_ADDRESS = /^(?:[ \t]?[:：]?[ \t]?[(<[]|[ \t]?[:：]\s{0,3}|[ \t])$/;
const MAX_BEFORE_ADDRESS_CHARS = 6;

function isLabelOfAddress({ text, urls }: Passage, { end }: NumberRun): boolean {
  const address = urls[firstAt(urls, end)];
  if (address === undefined || address.start - end > MAX_BEFORE_ADDRESS_CHARS) return false;
  return BEFORE_ADDRESS.test(text.slice(end, address.start));
}

const NONE: readonly string[] = [];

/** A link below the code, whose text is a number, makes no list of the two. */
function listedBeside(passage: Passage, run: NumberRun, line: Range, message: MessageFacts): readonly string[] {
  const { text } = passage;
  if (!isAlone(text, run, line)) return NONE;
  return [lineAbove(text, line), lineBelow(text, line)].flatMap((other) => {
    const number = other === null ? null : /^\W*(\d{4,8})\W*$/.exec(text.slice(other.start, other.end));
    return number === null || message.isLinked(passage, other as Range) ? NONE : [number[1] as string];
  });
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
