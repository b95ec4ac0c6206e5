import { withLineFeeds } from '../line-feeds.js';
import { Separator } from './elements.js';
import type { Look, TextSpan } from './html-page.js';
import { onOneLine, withoutWidthless } from './white-space.js';

/** Visible text is collected up to here. */
export const MAX_PAGE_TEXT_CHARS = 64 * 1024;
/** As much of the hidden text is kept as a preview line has. */
const MAX_HIDDEN_CHARS = 500;
/** Font sizes below this, in CSS pixels, are there to hide a text, not to be read. */
const MIN_READABLE_PX = 2;

const SPACE = 0x20;

const WRITTEN: Record<Separator, string> = {
  [Separator.nothing]: '',
  [Separator.space]: ' ',
  [Separator.cell]: '\t',
  [Separator.line]: '\n',
  [Separator.paragraph]: '\n\n',
};

/** How text is to be written. */
export interface Writing {
  readonly look: Look;
  readonly hidden: boolean;
  readonly preformatted: boolean;
}

/** Puts the visible text of a page together: white space as a browser shows it, what separates pieces written once. */
export class PageText {
  readonly spans: TextSpan[] = [];
  text = '';
  hiddenText = '';
  #separator: Separator = Separator.nothing;
  #bullet = false;

  /** Something stands between what was written and what comes. */
  separate(separator: Separator): void {
    if (separator > this.#separator) this.#separator = separator;
  }

  /** The first break ends the line, the next leave a blank one. */
  breakLine(): void {
    this.separate(this.#separator >= Separator.line ? Separator.paragraph : Separator.line);
  }

  /** The next text is an item of a list. */
  beginItem(): void {
    this.#bullet = true;
  }

  /** Writes text between two tags, its entities decoded. */
  write(text: string, writing: Writing): void {
    if (this.#isSeen(text, writing)) this.#writeLine(onOneLine(text), writing.look);
  }

  /** Writes text between two tags that holds no white space but single spaces, and nothing without any width. */
  writeEven(text: string, writing: Writing): void {
    if (this.#isSeen(text, writing)) this.#writeLine(text, writing.look);
  }

  /** Whether text is to be written as a line. What is hidden or preformatted is dealt with. */
  #isSeen(text: string, writing: Writing): boolean {
    if (writing.hidden || writing.look.fontSize < MIN_READABLE_PX) this.#hide(text);
    else if (writing.preformatted) this.#writeLines(text, writing.look);
    else return true;
    return false;
  }

  /** Writes text whose line breaks and spaces count. */
  #writeLines(text: string, look: Look): void {
    const lines = withLineFeeds(withoutWidthless(text));
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

  /** Writes words with single spaces between them, and perhaps one before and one behind them. */
  #writeLine(words: string, look: Look): void {
    const start = words.charCodeAt(0) === SPACE ? 1 : 0;
    const end = words.charCodeAt(words.length - 1) === SPACE ? words.length - 1 : words.length;
    if (start > 0) this.separate(Separator.space);
    if (end <= start) return;
    this.#append(words.slice(start, end), look);
    if (end < words.length) this.separate(Separator.space);
  }

  #hide(words: string): void {
    if (this.hiddenText.length < MAX_HIDDEN_CHARS) this.hiddenText += `${words.slice(0, MAX_HIDDEN_CHARS)} `;
  }

  #append(words: string, look: Look): void {
    let start = this.text.length;
    const before = WRITTEN[start === 0 ? Separator.nothing : this.#separator] + (this.#bullet ? '- ' : '');
    this.#separator = Separator.nothing;
    this.#bullet = false;
    start += before.length;
    const room = Math.max(0, MAX_PAGE_TEXT_CHARS - start);
    this.text += before + (words.length <= room ? words : words.slice(0, room));
    this.spans.push({ start, end: this.text.length, look });
  }
}
