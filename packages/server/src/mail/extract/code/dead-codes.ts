import { BECOMES, BUT, EXAMPLE, ORIGINAL_MESSAGE, SENT, WROTE } from '../../words/words.js';
import { isAlone, isBare, lineAbove, lineBelow, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import type { Word } from '../words/lexicon.js';
import type { NumberRun } from './numbers.js';

const MAX_SAID_CHARS = 64;
/** `Your old code: 4829`: text before the words at the start of a sentence. More would be its own sentence. */
const MAX_BEGIN_CHARS = 10;
/** A line above that says so of what stands alone below it is no longer than this. */
const MAX_LABEL_CHARS = 72;

const CLAUSE_END = /[.!?;,\n\t\d。！？；，、،؛|]/;

/** What a code's number leads to before it is said to be dead: a clause that says when it was sent. */
const MAX_SENT_CHARS = 96;
const TIME =
  /\d{1,2}(?:\s?[:.h时時点시]\s?\d{2}(?::\d{2})?|\s?(?=[ap]\.?m))(?:\s?(?:[ap]\.?m\.?|uhr|分|분)(?!\p{L}))?/u;
/** Its commas are those around it: right behind the number or its noun, and before the verb that ends the sentence. */
const INSERTED = /^(\s?\p{L}{0,12}),([^,]*),(?=[^,]{0,16}$)/u;

/** Whether the clause of a number says that it no longer works: it has expired, was used, or is the old one. */
export function isSpent({ text }: Passage, words: readonly Word[], run: NumberRun, line: Range): boolean {
  const spent = words.filter(({ role }) => role === 'spent');
  if (spent.length === 0) return false;
  if (spent.some((word) => isSaidOf(text, word, run, line))) return true;
  if (!isAlone(text, run, line)) return false;
  const above = lineAbove(text, line);
  const below = lineBelow(text, line);
  return spent.some((word) => {
    if (above !== null && word.start >= above.start && word.end <= above.end) return isLabel(text, word, above);
    return below !== null && word.start >= below.start && isBare(text, below.start, word.start);
  });
}

function isSaidOf(text: string, word: Word, run: NumberRun, line: Range): boolean {
  if (word.start < line.start || word.end > line.end) return false;
  const isBehind = word.start >= run.end;
  const between = isBehind ? text.slice(run.end, word.start) : text.slice(word.end, run.start);
  if (isBehind && isSaidAfterSending(between.toLowerCase())) return true;
  if (between.length > MAX_SAID_CHARS || CLAUSE_END.test(between)) return false;
  if (isBehind && BECOMES.test(between.toLowerCase())) return false;
  return isBehind ? !/[:：]/.test(between) : !/[:：]/.test(between) || beginsSentence(text, word, line);
}

/** `118204, which we sent you at 10:42, has expired`: neither time nor commas of such a clause end the statement. */
function isSaidAfterSending(between: string): boolean {
  if (between.length > MAX_SENT_CHARS || !SENT.test(between)) return false;
  const clause = between.replace(INSERTED, '$1 $2 ').replace(TIME, ' ');
  return !CLAUSE_END.test(clause) && !/[:：]/.test(clause) && !BUT.test(clause);
}

/** Whether no more than "your" stands before it in its sentence. */
function beginsSentence(text: string, word: Word, line: Range): boolean {
  const before = text.slice(Math.max(line.start, word.start - MAX_LABEL_CHARS), word.start);
  return (before.split(/[.!?。！？]/).at(-1) as string).trim().length <= MAX_BEGIN_CHARS;
}

/** A line that leads by a colon to what stands below it, and says nothing after that. */
function isLabel(text: string, word: Word, above: Range): boolean {
  const label = text.slice(above.start, above.end);
  return label.length <= MAX_LABEL_CHARS && /[:：]$/.test(label) && !CLAUSE_END.test(text.slice(word.end, above.end));
}

/** `Such as 123456`, in the languages of the vocabulary, right before a number; not a host such as `app.example`. */
const EXAMPLE_BEFORE = new RegExp(`$(?<=(?<![./@])(?:${EXAMPLE.source})[\\s,:："'“„«(（「『]{0,4})`, 'u');
const MAX_EXAMPLE_CHARS = 24;

const EXAMPLE_AFTER =
  /^[\s"'”“»)）」』]{0,2}(?:のような|といった|などの|같은|처럼|와 같은|과 같은|gibi|के जैसा|这样|這樣)/u;

/** Whether a number is given to show what a code looks like. */
export function isExample({ lower }: Passage, { series }: NumberRun): boolean {
  return (
    EXAMPLE_BEFORE.test(lower.slice(Math.max(0, series.start - MAX_EXAMPLE_CHARS), series.start)) ||
    EXAMPLE_AFTER.test(lower.slice(series.end, series.end + MAX_EXAMPLE_CHARS))
  );
}

/** What opens and what closes a quotation. */
const QUOTE_MARKS = /["“”„«»「」]/g;

/** `A caller asks for "code 4829 from your phone": hang up.` Words beside the number are quoted, others follow. */
export function isQuotedSpeech(text: string, run: NumberRun, line: Range): boolean {
  const before = text.slice(line.start, run.start);
  const marks = before.match(QUOTE_MARKS);
  if (marks === null || marks.length % 2 === 0) return false;
  const behind = text.slice(run.end, line.end);
  const closing = behind.search(QUOTE_MARKS);
  if (closing < 0 || !/\p{L}/u.test(behind.slice(closing))) return false;
  const opening = Math.max(...[...before.matchAll(QUOTE_MARKS)].map(({ index }) => index));
  return /\p{L}{2}/u.test(before.slice(opening) + behind.slice(0, closing));
}

/** Subjects of answers and of tickets, in which what was written before is repeated. */
const REPLY =
  /^\s?(?:re|aw|sv|antw|vs|ref|rif|odp|ynt|vá|res|回复|回覆|答复|返信|답장|رد|תשובה)\s?(?:\[\d{1,3}\])?[:：]|[[#(]|ticket|fall|vorgang|case/;

/** `On …, … wrote:` and `-----Original Message-----`. */
const WROTE_LINE = new RegExp(`(?:${WROTE.source})[^\\n]{0,24}[:：]$`, 'u');
const ORIGINAL_LINE = new RegExp(`^[->\\s]{0,8}(?:${ORIGINAL_MESSAGE.source})[-\\s]{0,8}:?$`, 'u');
/** Such a line is no longer. */
const MAX_WROTE_CHARS = 240;

/** Whether a subject in lower case is one of an answer or a ticket. */
export function isReply(subject: string): boolean {
  return REPLY.test(subject);
}

/** Where what somebody wrote before begins in an answer by what is written above it; its end where that is nowhere. */
export function quoteStart({ lower }: Passage): number {
  for (let start = 0; start < lower.length; ) {
    const next = lower.indexOf('\n', start);
    const end = next < 0 ? lower.length : next;
    if (end - start <= MAX_WROTE_CHARS) {
      const line = lower.slice(start, end).trimEnd();
      if (WROTE_LINE.test(line) || ORIGINAL_LINE.test(line)) return start;
    }
    start = end + 1;
  }
  return lower.length;
}
