import { COPULA, NAMES, ONE_TIME, PASSWORD, RESETS, SALE, TRADE } from '../../words/words.js';
import { lineAbove, lineAround, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import { findWords, type Word } from '../words/lexicon.js';
import { codeFacts, PASSWORDS } from './code-facts.js';
import type { LetterRun } from './letter-runs.js';
import type { MessageFacts } from './message-facts.js';

export type LetterFacts = ReturnType<typeof letterFacts>;

const NEAR_CHARS = 300;
/** Maximum distance between a word for a code and the code: `the code for signing in to your account is`. */
const LEAD_CHARS = 80;
/** Maximum length of a text such as `is:` between the last known word and the code. */
const TAIL_CHARS = 6;
const LABEL_CHARS = 48;
/** Maximum distance between a code that begins a sentence and a word for a code in that sentence. */
const SENTENCE_CHARS = 80;

/** A word for "is" or a dash, then quotes, between the word for a code and the code. */
const LEADS_TO = new RegExp(`(?:${COPULA.source}|(?<!\\p{L})[-–—=])[\\s"'“„«(]*$`, 'u');
/** A colon, then an opening quote or bracket. */
const COLON = /[:：][\s"'“„«([]*$/;
const VALUE = /(?<![a-z0-9-])(?=[a-z-]{0,12}\d)[a-z0-9-]{4,20}(?![a-z0-9-])/g;

/** Maximum distance between a word for a code and a word for the password that the code resets. */
const PURPOSE_CHARS = 160;

/** The input of the rules for one code with letters: the facts that `codeFacts` returns for a number, and more. */
export function letterFacts(passage: Passage, run: LetterRun, message: MessageFacts) {
  const { lower } = passage;
  const { subject } = message;
  const line = lineAround(lower, run);
  const at = labelOf(lower, run, line);
  const label = withoutAddresses(lower, at);
  const saysCode = passage.wordsIn(at.start, at.end).some(({ role }) => role === 'code');
  const near = { start: Math.max(0, run.start - NEAR_CHARS), end: Math.min(lower.length, run.end + NEAR_CHARS) };
  const isLeading = leadsSentence(passage, run, line);
  const running = isRunning(passage, run, line);
  return {
    ...codeFacts(passage, run, message),
    // Digits between letters do not count as a number.
    digits: 0,
    shape: run.shape,
    /** A word for a code, or for entering one, leads to the run. */
    led: isLed(passage, run, line),
    /** The label before the run, or the line above, mentions a code and is not a sentence: `Your code:`. */
    labelled: saysCode && !/[.!?。]\s*$/.test(label),
    /** The label mentions a code, and a colon or "is" ends it. */
    introduced: saysCode && (COLON.test(label) || (LEADS_TO.test(label) && !running)),
    /** The run follows "sign in to", or is in a sentence that mentions no code. */
    running,
    /** The run begins a sentence that mentions a code: `A7K-2QX is your code`. */
    leadsSentence: isLeading,
    /** The label mentions a password other than a one-time password. */
    password: !isLeading && namesPassword(passage, at),
    /** The label mentions a key, a user name, a version or the like, but no code. */
    named: !saysCode && NAMES.test(label),
    /** The message is about a discount, a gift, a journey, a booking or an order. */
    deal: saysDeal(passage, near) || saysDeal(subject, { start: 0, end: subject.lower.length }),
  };
}

function saysDeal({ lower }: Passage, part: Range): boolean {
  const text = withoutAddresses(lower, part);
  return SALE.test(text) || TRADE.test(text);
}

const TOKEN = /[!-~]+/g;
/** A scheme or a host name. */
const IS_ADDRESS = /:\/\/|[a-z0-9]\.[a-z]{2,24}(?![a-z0-9])/;

/** Removes addresses, because their words are not part of a sentence: `kestrel-booking.app` is not about a booking. */
function withoutAddresses(lower: string, { start, end }: Range): string {
  return lower.slice(start, end).replace(TOKEN, (token) => (IS_ADDRESS.test(token) ? ' '.repeat(token.length) : token));
}

/** Matches "Password:", but neither "The code to change your password:" nor the heading "Reset your password". */
function namesPassword({ lower }: Passage, { start, end }: Range): boolean {
  const label = lower.slice(start, end);
  if (!PASSWORD.test(label) || ONE_TIME.test(label)) return false;
  const from = Math.max(lineAround(lower, { start: end, end }).start, end - PURPOSE_CHARS);
  const sentence = lastSentence(lower, from, end);
  // Overwrites words for a password with spaces, because some languages use the same words for a code.
  const others = lower.slice(afterValue(lower, sentence), end).replace(PASSWORDS, (name) => ' '.repeat(name.length));
  const words = findWords({ lower: others });
  if (words.some(({ role }) => role === 'code')) return false;
  if (!RESETS.test(label)) return true;
  return words.at(-1)?.role !== 'enter' && (/[:：=]\s*$/.test(label) || LEADS_TO.test(label));
}

/** The end of the last value in a sentence, as in "Code: A1B2C3, password:"; or else the sentence's start. */
function afterValue(lower: string, { start, end }: Range): number {
  const last = [...lower.slice(start, end).matchAll(VALUE)].at(-1);
  return last === undefined ? start : start + last.index + last[0].length;
}

/** The sentence before a run in its line; if the run begins its line, the last sentence of the line above. */
function labelOf(lower: string, run: LetterRun, line: Range): Range {
  const before = lastSentence(lower, Math.max(line.start, run.start - LABEL_CHARS), run.start);
  if (/\p{L}/u.test(lower.slice(before.start, before.end))) return before;
  const above = lineAbove(lower, line);
  return above === null ? before : lastSentence(lower, Math.max(above.start, above.end - LABEL_CHARS), above.end);
}

function lastSentence(lower: string, start: number, end: number): Range {
  const text = lower.slice(start, end);
  return {
    start: start + Math.max(...['. ', '! ', '? ', '; ', '。', '\t'].map((mark) => text.lastIndexOf(mark))) + 1,
    end,
  };
}

function isLed(passage: Passage, run: LetterRun, line: Range): boolean {
  const from = Math.max(line.start, run.start - LEAD_CHARS);
  const words = passage.wordsIn(from, run.start);
  const last = words.at(-1);
  if (last === undefined) return false;
  const leading = words.findLast(({ role }) => role !== 'action');
  if (leading === undefined || !isOfCode(leading)) return false;
  const between = passage.lower.slice(leading.end, run.start);
  if (/[.!?;。\n]/.test(between)) return false;
  // In "Your code to sign in to Larkspur9", the run is a name, not the code.
  const isNear = run.start - last.end <= TAIL_CHARS && !isSignedInTo(passage.lower, words, run);
  if (leading.role === 'enter') return isNear;
  return isNear || /[:：]\s*$/.test(between) || LEADS_TO.test(between);
}

/** Words between an action and its place: "sign in to". A single "to" is excluded, because it means "is" in Polish. */
const GOES_TO =
  /(?: in| on| up|login|access) to $| (?:into|at|on|bei|auf|zu|à|sur|en|a|ao|no|na|bij|op|på|til|i|do|w|v|в|на|към|у|ke|di|vào) $/;

/** Matches `sign in to Larkspur9`, but not `kod weryfikacyjny to`, where the action is part of the term for a code. */
function isSignedInTo(lower: string, words: readonly Word[], { start }: Range): boolean {
  const before = words.filter(({ end }) => end <= start);
  const last = before.at(-1);
  if (last?.role !== 'action' || start - last.end > TAIL_CHARS + 1) return false;
  if (!GOES_TO.test(lower.slice(last.start, start))) return false;
  const code = before.at(-2);
  return code?.role !== 'code' || last.start - code.end > 1;
}

function isRunning(passage: Passage, run: LetterRun, line: Range): boolean {
  const { lower } = passage;
  const words = passage.wordsIn(line.start, line.end);
  if (isSignedInTo(lower, words, run)) return true;
  return /\p{L}/u.test(lower.slice(line.start, run.start) + lower.slice(run.end, line.end)) && !words.some(isOfCode);
}

function isOfCode({ role }: Word): boolean {
  return role === 'code' || role === 'enter';
}

function leadsSentence(passage: Passage, run: LetterRun, line: Range): boolean {
  const before = passage.lower.slice(line.start, run.start).trimEnd();
  if (before !== '' && !/[.!?:。：\])>-]$/.test(before)) return false;
  const [sentence = ''] = passage.lower
    .slice(run.end, Math.min(line.end, run.end + SENTENCE_CHARS))
    .split(/[.!?。]\s/, 1);
  return passage.wordsIn(run.end, run.end + sentence.length).some(({ role }) => role === 'code');
}
