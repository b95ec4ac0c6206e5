import { lineAbove, lineAround, type Range } from '../text/lines.js';
import type { Content, Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import type { LetterRun } from './letter-runs.js';
import { COPULA, NAMES, ONE_TIME, PASSWORD, SALE, TRADE } from './letter-vocabulary.js';

/** What the words around letters say of them beyond what they say of a number. */
export interface LetterWords {
  /** A word for a code, or one to enter it, leads straight to it. */
  readonly led: boolean;
  /** A sentence begins with it that says that it is a code: `A7K-2QX is your code`. */
  readonly leadsSentence: boolean;
  /** The label before it, or in the line above, says that it is a password that is not for one time. */
  readonly password: boolean;
  /** The label speaks of a key, a user name, a version or the like, and of no code. */
  readonly named: boolean;
  /** A discount, a gift or a sale is spoken of in the subject or near it. */
  readonly sale: boolean;
  /** A journey, a booking or an order is. */
  readonly trade: boolean;
}

/** So many characters before it, and behind it, are near. */
const NEAR_CHARS = 300;
/** A word for a code may stand so far before what it leads to: `the code for signing in to your account is`. */
const LEAD_CHARS = 80;
/** And the last word that is known so far: `is:`. */
const TAIL_CHARS = 6;
/** A label has no more characters. */
const LABEL_CHARS = 48;
/** A sentence says so soon that what it begins with is a code. */
const SENTENCE_CHARS = 80;

/** What a message is about, by its subject. */
export class Matter {
  readonly sale: boolean;
  readonly trade: boolean;

  constructor({ subject }: Content) {
    this.sale = SALE.test(subject.lower);
    this.trade = TRADE.test(subject.lower);
  }
}

/** What the words around letters in a passage say of them. */
export function letterWords(passage: Passage, run: LetterRun, matter: Matter): LetterWords {
  const { lower } = passage;
  const line = lineAround(lower, run);
  const at = labelOf(lower, run, line);
  const label = lower.slice(at.start, at.end);
  const saysCode = passage.wordsIn(at.start, at.end).some(({ role }) => role === 'code');
  const near = lower.slice(Math.max(0, run.start - NEAR_CHARS), run.end + NEAR_CHARS);
  return {
    led: isLed(passage, run, line),
    leadsSentence: leadsSentence(passage, run, line),
    password: PASSWORD.test(label) && !ONE_TIME.test(label),
    // "The code for your device:" is about a code.
    named: !saysCode && NAMES.test(label),
    sale: matter.sale || SALE.test(near),
    trade: matter.trade || TRADE.test(near),
  };
}

/** Where the text before it in its line stands, back to where a sentence ends; of what begins its line, that of the line above. */
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
  const isNear = run.start - last.end <= TAIL_CHARS;
  if (leading.role === 'enter') return isNear;
  return isNear || /[:：]\s*$/.test(between) || COPULA.test(between);
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
