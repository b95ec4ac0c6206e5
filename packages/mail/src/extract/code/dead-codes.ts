import { BECOMES, BUT, EXAMPLE, ORIGINAL_MESSAGE, SENT, WROTE } from '../../words/words.js';
import { isAlone, isBare, lineAbove, lineBelow, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import type { NumberRun } from './numbers.js';

/** `Your old code: 4829`: the longest text before the word at the start of a sentence. */
const MAX_BEGIN_CHARS = 10;
/** How far to search for the start of a sentence. */
const MAX_BEFORE_CHARS = 72;

const CLAUSE_END = /[.!?;,\n\t\d。！？；，、،؛|]/;

/** The longest clause about sending a code, between the code and the end of its sentence ("has expired"). */
const MAX_SENT_CHARS = 96;

/** Whether the clause of a number means that it is no longer valid: it has expired, was used, or is the old one. */
export function isSpent({ text }: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  const spent = words.filter(({ role }) => role === 'spent');
  if (spent.some((word) => isSaidOf(text, word, run))) return true;
  if (spent.length === 0 || !isAlone(text, run, line)) return false;
  const above = lineAbove(text, line);
  const below = lineBelow(text, line);
  return spent.some(({ start, end }) => {
    // The line above must end in a colon right after the word.
    if (above !== null && start >= above.start && end <= above.end) return LEADS_BELOW.test(text.slice(end, above.end));
    return below !== null && start >= below.start && isBare(text, below.start, start);
  });
}

const LEADS_BELOW = /^[^.!?;,\d。！？；，、،؛|]*[:：]$/;

function isSaidOf(text: string, word: Word, run: NumberRun): boolean {
  if (word.start >= run.end) {
    const between = text.slice(run.end, word.start).toLowerCase();
    if (isSaidAfterSending(between)) return true;
    return !CLAUSE_END.test(between) && !/[:：]/.test(between) && !BECOMES.test(between);
  }
  const between = text.slice(word.end, run.start);
  return !CLAUSE_END.test(between) && (!/[:：]/.test(between) || beginsSentence(text, word));
}

/** `118204, which we sent you at 10:42, has expired`: neither the time nor the commas end the statement. */
function isSaidAfterSending(between: string): boolean {
  if (between.length > MAX_SENT_CHARS || !SENT.test(between)) return false;
  return !/[.!?]\s|[;\n\t。！？；|]/.test(between) && !BUT.test(between);
}

/** Whether its sentence has no more than a word such as "your" before it. */
function beginsSentence(text: string, { start }: Word): boolean {
  const before = text.slice(Math.max(0, start - MAX_BEFORE_CHARS), start);
  return (before.split(/[.!?\n。！？]/).at(-1) as string).trim().length <= MAX_BEGIN_CHARS;
}

/** `Such as 123456`, in the languages of the vocabulary; not a host such as `app.example`. */
const EXAMPLE_BEFORE = new RegExp(`$(?<=(?<![./@])(?:${EXAMPLE.source})[\\s,:："'“„«(（「『]{0,4})`, 'u');
const MAX_EXAMPLE_CHARS = 24;

const EXAMPLE_AFTER =
  /^[\s"'”“»)）」』]{0,2}(?:のような|といった|などの|같은|처럼|와 같은|과 같은|gibi|के जैसा|这样|這樣)/u;

/** Whether a number only shows what a code looks like. */
export function isExample({ lower }: Passage, { series }: NumberRun): boolean {
  return (
    EXAMPLE_BEFORE.test(lower.slice(Math.max(0, series.start - MAX_EXAMPLE_CHARS), series.start)) ||
    EXAMPLE_AFTER.test(lower.slice(series.end, series.end + MAX_EXAMPLE_CHARS))
  );
}

const QUOTE_MARK = /["“”„«»「」]/;

/** `A caller asks for "code 4829 from your phone": hang up.` Words next to the number are quoted, others follow. */
export function isQuotedSpeech(text: string, run: NumberRun, line: Range): boolean {
  const before = text.slice(line.start, run.start).split(QUOTE_MARK);
  const [quoted, ...after] = text.slice(run.end, line.end).split(QUOTE_MARK);
  if (before.length % 2 !== 0 || !/\p{L}/u.test(after.join(''))) return false;
  return /\p{L}{2}/u.test(`${before.at(-1)}${quoted}`);
}

/** Subjects of replies and tickets, in lower case. These repeat earlier messages. */
export const REPLY =
  /^\s?(?:re|aw|sv|antw|vs|ref|rif|odp|ynt|vá|res|回复|回覆|答复|返信|답장|رد|תשובה)\s?(?:\[\d{1,3}\])?[:：]|[[#(]|ticket|fall|vorgang|case/;

/** `On …, … wrote:` and `-----Original Message-----`. */
const WROTE_LINE = new RegExp(`(?:${WROTE.source})[^\\n]{0,24}[:：]$`, 'u');
const ORIGINAL_LINE = new RegExp(`^[->\\s]{0,8}(?:${ORIGINAL_MESSAGE.source})[-\\s]{0,8}:?$`, 'u');
const MAX_WROTE_CHARS = 240;

/** The start of the quoted message in a reply, judging by the line above it; without one, the end of the text. */
export function quoteStart({ lower }: Passage): number {
  let start = 0;
  for (const whole of lower.split('\n')) {
    const line = whole.length > MAX_WROTE_CHARS ? '' : whole.trimEnd();
    if (WROTE_LINE.test(line) || ORIGINAL_LINE.test(line)) return start;
    start += whole.length + 1;
  }
  return lower.length;
}
