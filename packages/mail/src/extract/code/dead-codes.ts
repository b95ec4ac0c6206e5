import { BECOMES, BUT, EXAMPLE, ORIGINAL_MESSAGE, SENT, WROTE } from '../../words/words.js';
import { isAlone, isBare, lineAbove, lineBelow, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import type { NumberRun } from './numbers.js';

/** A word counts as the start of its sentence after at most this many characters: "old" in `Your old code: 4829`. */
const MAX_BEGIN_CHARS = 10;
/** Maximum number of characters to search back for the start of a sentence. */
const MAX_BEFORE_CHARS = 72;

const CLAUSE_END = /[.!?;,\n\t\d。！？；，、،؛|]/;

/** Maximum length of a clause such as "which we sent you at 10:42" between the code and "has expired". */
const MAX_SENT_CHARS = 96;

/** Whether the text says that the number is no longer valid: it has expired, was used, or is the old one. */
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

/** Whether `between` is only a clause about sending: `118204, which we sent you at 10:42, has expired`. */
function isSaidAfterSending(between: string): boolean {
  if (between.length > MAX_SENT_CHARS || !SENT.test(between)) return false;
  return !/[.!?]\s|[;\n\t。！？；|]/.test(between) && !BUT.test(between);
}

/** Whether a word begins its sentence, or only a word such as "your" precedes it. */
function beginsSentence(text: string, { start }: Word): boolean {
  const before = text.slice(Math.max(0, start - MAX_BEFORE_CHARS), start);
  return (before.split(/[.!?\n。！？]/).at(-1) as string).trim().length <= MAX_BEGIN_CHARS;
}

/** Matches words for "such as" before an example, in many languages. Not after a dot, as in the host `app.example`. */
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

/** Whether a number is in a quotation that text follows: `A caller asks for "code 4829 from your phone": hang up.` */
export function isQuotedSpeech(text: string, run: NumberRun, line: Range): boolean {
  const before = text.slice(line.start, run.start).split(QUOTE_MARK);
  const [quoted, ...after] = text.slice(run.end, line.end).split(QUOTE_MARK);
  if (before.length % 2 !== 0 || !/\p{L}/u.test(after.join(''))) return false;
  return /\p{L}{2}/u.test(`${before.at(-1)}${quoted}`);
}

/** Prefixes of subjects in replies and tickets, in lower case. Such messages quote earlier ones with old codes. */
export const REPLY =
  /^\s?(?:re|aw|sv|antw|vs|ref|rif|odp|ynt|vá|res|回复|回覆|答复|返信|답장|رد|תשובה)\s?(?:\[\d{1,3}\])?[:：]|[[#(]|ticket|fall|vorgang|case/;

/** Lines before a quoted message, such as `On …, … wrote:` and `-----Original Message-----`. */
const WROTE_LINE = new RegExp(`(?:${WROTE.source})[^\\n]{0,24}[:：]$`, 'u');
const ORIGINAL_LINE = new RegExp(`^[->\\s]{0,8}(?:${ORIGINAL_MESSAGE.source})[-\\s]{0,8}:?$`, 'u');
const MAX_WROTE_CHARS = 240;

/** The start of the quoted message in a reply, found by the line above it; otherwise the end of the text. */
export function quoteStart({ lower }: Passage): number {
  let start = 0;
  for (const whole of lower.split('\n')) {
    const line = whole.length > MAX_WROTE_CHARS ? '' : whole.trimEnd();
    if (WROTE_LINE.test(line) || ORIGINAL_LINE.test(line)) return start;
    start += whole.length + 1;
  }
  return lower.length;
}
