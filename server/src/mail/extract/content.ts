import { type HtmlPage, readPage, type TextSpan } from '../html/page.js';
import { asciiDigits } from './digits.js';

/** A text in which extraction looks: the subject, the text part, or what can be seen of the HTML part. */
export interface Passage {
  readonly source: 'subject' | 'text' | 'html';
  /** Its digits are ASCII. */
  readonly text: string;
  /** The same in lower case, of the same length. */
  readonly lower: string;
  /** How the pieces look, in order; empty for a text without looks. */
  readonly spans: readonly TextSpan[];
}

/** Everything of a message that extraction looks at. */
export interface Content {
  readonly passages: readonly Passage[];
  readonly page: HtmlPage | null;
}

/** A subject is looked at up to here. */
const MAX_SUBJECT_CHARS = 1_000;
/** The text part is looked at up to here. */
const MAX_TEXT_CHARS = 64 * 1024;

/** Lower case without a change of length: of all characters only the dotted capital I becomes two. */
function toLower(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

function passage(source: Passage['source'], text: string, spans: readonly TextSpan[] = []): Passage {
  const ascii = asciiDigits(text);
  return { source, text: ascii, lower: toLower(ascii), spans };
}

/** What extraction sees of a message, within its bounds. */
export function contentOf(subject: string, text: string | null, html: string | null): Content {
  const passages = [passage('subject', subject.slice(0, MAX_SUBJECT_CHARS))];
  if (text !== null && text.trim() !== '')
    passages.push(passage('text', text.slice(0, MAX_TEXT_CHARS).replace(/\r\n?/g, '\n')));
  const page = html === null ? null : readPage(html);
  if (page !== null) passages.push(passage('html', page.text, page.spans));
  return { passages, page };
}
