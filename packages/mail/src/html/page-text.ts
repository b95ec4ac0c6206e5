import { withLineFeeds } from '../text.js';
import { Separator } from './elements.js';
import type { Look, TextSpan } from './html-page.js';

export const MAX_PAGE_TEXT_CHARS = 64 * 1024;
/** Text in a smaller font (CSS pixels) counts as hidden. */
const MIN_READABLE_PX = 2;

const WRITTEN: Record<Separator, string> = {
  [Separator.nothing]: '',
  [Separator.space]: ' ',
  [Separator.cell]: '\t',
  [Separator.line]: '\n',
  [Separator.paragraph]: '\n\n',
};

/** Zero-width characters, which senders use to fill preview lines and to hide words from spam filters. */
const WIDTHLESS = /[\u00ad\u200b\u2060\ufeff]+/g;

/** Matches ASCII text with single spaces, the usual case, which needs no change. */
const PLAIN = /^ ?(?:[!-~]+ )*[!-~]*$/;

/** Matches white space that collapses, and zero-width characters. */
const UNEVEN = /[^\S ]|[\u00ad\u200b\u2060\ufeff]| {2}/;

export interface Writing {
  readonly look: Look;
  readonly hidden: boolean;
  readonly preformatted: boolean;
}

/** Assembles a page's visible text with the white space that browsers show. Writes each separator once. */
export class PageText {
  readonly spans: TextSpan[] = [];
  text = '';
  #separator: Separator = Separator.nothing;
  #bullet = false;

  separate(separator: Separator): void {
    if (separator > this.#separator) this.#separator = separator;
  }

  /** The first break ends the line. More breaks leave one blank line. */
  breakLine(): void {
    this.separate(this.#separator >= Separator.line ? Separator.paragraph : Separator.line);
  }

  beginItem(): void {
    this.#bullet = true;
  }

  write(text: string, writing: Writing): void {
    if (writing.hidden || writing.look.fontSize < MIN_READABLE_PX) return;
    if (writing.preformatted) this.#writeLines(text, writing.look);
    else this.#writeLine(text, writing.look);
  }

  #writeLines(text: string, look: Look): void {
    const lines = withLineFeeds(text.replace(WIDTHLESS, ''));
    const fromWords = lines.trimStart();
    this.#separateBy(lines.slice(0, lines.length - fromWords.length));
    const words = fromWords.trimEnd();
    if (words === '') return;
    this.#append(words, look);
    this.#separateBy(fromWords.slice(words.length));
  }

  #separateBy(whiteSpace: string): void {
    if (whiteSpace.includes('\n')) this.breakLine();
    else if (whiteSpace !== '') this.separate(Separator.space);
  }

  /** Collapses white space, including no-break spaces. */
  #writeLine(text: string, look: Look): void {
    const words = !PLAIN.test(text) && UNEVEN.test(text) ? text.replace(WIDTHLESS, '').replace(/\s+/g, ' ') : text;
    const start = words.startsWith(' ') ? 1 : 0;
    const end = words.endsWith(' ') ? words.length - 1 : words.length;
    if (start > 0) this.separate(Separator.space);
    if (end <= start) return;
    this.#append(words.slice(start, end), look);
    if (end < words.length) this.separate(Separator.space);
  }

  #append(words: string, look: Look): void {
    if (this.text !== '') this.text += WRITTEN[this.#separator];
    if (this.#bullet) this.text += '- ';
    this.#separator = Separator.nothing;
    this.#bullet = false;
    const start = this.text.length;
    this.text += words.slice(0, Math.max(0, MAX_PAGE_TEXT_CHARS - start));
    this.spans.push({ start, end: this.text.length, look });
  }
}
