import { BOLD, CELL, CLOSES, CODE_LIKE, FONT_SIZE, LINE, PARAGRAPH, UNSEEN, VOID } from './elements.js';
import { decodeAttribute, decodeText } from './entities.js';
import { HtmlScanner } from './scan.js';
import { fontSizeIn, isReadable, parseStyle, type Style } from './style.js';

/** How a piece of text looks. */
export interface Look {
  readonly fontSize: number;
  readonly bold: boolean;
  readonly codeLike: boolean;
  /** In a footer, by the name of an element around it. */
  readonly footer: boolean;
}

/** A piece of the visible text between two tags. */
export interface TextSpan {
  /** Where it begins in the page's text. */
  readonly start: number;
  readonly end: number;
  readonly look: Look;
}

/** A link of the page. */
export interface PageLink {
  /** Its address with entities decoded, otherwise as it is written. */
  readonly href: string;
  /** Where its text stands in the page's text. */
  readonly start: number;
  end: number;
  /** What it says of itself beside its text: title, aria-label. */
  readonly title: string;
  /** It looks like a button. */
  button: boolean;
  readonly footer: boolean;
  /** Nobody sees it. */
  readonly hidden: boolean;
}

/** HTML as somebody sees it. */
export interface HtmlPage {
  /** Visible text: one line a block, cells apart by a tab, paragraphs by a blank line. */
  readonly text: string;
  /** The pieces that the text was put together from, in order. */
  readonly spans: readonly TextSpan[];
  readonly links: readonly PageLink[];
  /** The beginning of what is there but cannot be seen, such as the preview line of mail programs. */
  readonly hiddenText: string;
}

/** HTML is read up to here. Mail programs cut messages at about 100 KiB. */
export const MAX_HTML_CHARS = 256 * 1024;
/** Visible text is collected up to here. */
export const MAX_PAGE_TEXT_CHARS = 64 * 1024;
/** Links are collected up to here. */
export const MAX_PAGE_LINKS = 1_000;
/** Elements that are nested deeper are read, but do not change how their text looks. */
const MAX_DEPTH = 256;
/** How far up an element is searched that a closing tag may belong to: so a wrong one costs little. */
const MAX_UNCLOSED = 32;
/** As much of the hidden text is kept as a preview line has. */
const MAX_HIDDEN_CHARS = 500;

const DEFAULT_FONT_PX = 16;

/** What stands between two pieces of text; the greater of several wins. */
const NOTHING = 0;
const SPACE = 1;
const TAB = 2;
const LINE_BREAK = 3;
const BLANK_LINE = 4;
const SEPARATORS = ['', ' ', '\t', '\n', '\n\n'];

/** Characters without any width: they fill preview lines and split words for spam filters. */
const WIDTHLESS = /\u00ad|\u034f|\u200b|\u2060|\ufeff/g;

/** An element that is open. */
interface Frame {
  readonly name: string;
  readonly look: Look;
  readonly hidden: boolean;
  readonly preformatted: boolean;
  readonly boxed: boolean;
  /** What stands around the element. */
  readonly separator: number;
}

const ROOT: Frame = {
  name: '',
  look: { fontSize: DEFAULT_FONT_PX, bold: false, codeLike: false, footer: false },
  hidden: false,
  preformatted: false,
  boxed: false,
  separator: NOTHING,
};

/** Reads HTML into what can be seen of it: one pass, within the bounds above. */
export function readPage(html: string): HtmlPage {
  const builder = new PageBuilder(html.length > MAX_HTML_CHARS ? html.slice(0, MAX_HTML_CHARS) : html);
  return builder.read();
}

class PageBuilder {
  readonly #html: string;
  readonly #scanner: HtmlScanner;
  readonly #frames: Frame[] = [ROOT];
  readonly #spans: TextSpan[] = [];
  readonly #links: PageLink[] = [];
  readonly #styles = new Map<string, Style>();
  #link: PageLink | null = null;
  #text = '';
  #hiddenText = '';
  #separator = NOTHING;
  /** Open elements beyond the depth bound. */
  #tooDeep = 0;

  constructor(html: string) {
    this.#html = html;
    this.#scanner = new HtmlScanner(html);
  }

  read(): HtmlPage {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== 'end'; token = scanner.next()) {
      if (token === 'text') this.#addText(scanner.start, scanner.end);
      else if (token === 'open') this.#open(scanner.name);
      else this.#close(scanner.name);
      if (this.#text.length >= MAX_PAGE_TEXT_CHARS) break;
    }
    this.#endLink();
    return { text: this.#text, spans: this.#spans, links: this.#links, hiddenText: this.#hiddenText };
  }

  get #frame(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame;
  }

  #open(name: string): void {
    if (VOID.has(name)) this.#addVoid(name);
    else this.#openElement(name);
  }

  #addVoid(name: string): void {
    if (name === 'br') this.#breakLine();
    else if (name === 'hr') this.#separate(BLANK_LINE);
    else if (name === 'img') this.#addImage();
    else if (name === 'area') this.#openLink(this.#frame);
  }

  #openElement(name: string): void {
    this.#closeImplied(name);
    const frame = this.#frameOf(name);
    this.#separate(frame.separator);
    if (this.#frames.length < MAX_DEPTH) this.#frames.push(frame);
    else this.#tooDeep++;
    if (name === 'a') this.#openLink(frame);
    else if (this.#link !== null && frame.boxed) this.#link.button = true;
    if (name === 'li' && !frame.hidden) this.#append('- ');
  }

  #close(name: string): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    const frames = this.#frames;
    const lowest = Math.max(1, frames.length - MAX_UNCLOSED);
    for (let i = frames.length - 1; i >= lowest; i--) {
      if ((frames[i] as Frame).name !== name) continue;
      this.#closeDownTo(i);
      return;
    }
    if (name === 'p' || name === 'br') this.#breakLine();
  }

  /** The first break ends the line, the next leave a blank one. */
  #breakLine(): void {
    this.#separate(this.#separator >= LINE_BREAK ? BLANK_LINE : LINE_BREAK);
  }

  #closeDownTo(index: number): void {
    for (let i = this.#frames.length - 1; i >= index; i--) {
      const frame = this.#frames.pop() as Frame;
      if (frame.name === 'a') this.#endLink();
      this.#separate(frame.separator);
    }
  }

  /** Ends what cannot hold the element that opens, if it is the innermost that is open. */
  #closeImplied(name: string): void {
    const closed = CLOSES.get(name);
    while (closed?.has(this.#frame.name)) this.#closeDownTo(this.#frames.length - 1);
  }

  #frameOf(name: string): Frame {
    const parent = this.#frame;
    const style = this.#style();
    const look = this.#look(name, parent.look, style);
    const isBlock = PARAGRAPH.has(name) ? BLANK_LINE : LINE.has(name) ? LINE_BREAK : CELL.has(name) ? TAB : NOTHING;
    return {
      name,
      look,
      hidden:
        parent.hidden || style.hidden === true || style.visible === false || UNSEEN.has(name) || this.#has('hidden'),
      preformatted: style.preformatted ?? (name === 'pre' || parent.preformatted),
      boxed:
        style.boxed === true ||
        name === 'button' ||
        this.#has('bgcolor') ||
        /\b(?:btn|button|cta)/i.test(this.#names()),
      separator:
        style.display === 'inline' ? NOTHING : style.display === 'block' ? Math.max(isBlock, LINE_BREAK) : isBlock,
    };
  }

  #look(name: string, parent: Look, style: Style): Look {
    const fontSize = fontSizeIn(FONT_SIZE.get(name) ?? parent.fontSize, style);
    const bold = style.bold ?? (BOLD.has(name) || parent.bold);
    const codeLike = style.codeLike === true || CODE_LIKE.has(name) || parent.codeLike;
    const footer = parent.footer || name === 'footer' || /footer/i.test(this.#names());
    const same =
      fontSize === parent.fontSize && bold === parent.bold && codeLike === parent.codeLike && footer === parent.footer;
    return same ? parent : { fontSize, bold, codeLike, footer };
  }

  #has(attribute: string): boolean {
    return this.#scanner.attribute(attribute) !== null;
  }

  #names(): string {
    const className = this.#scanner.attribute('class');
    const id = this.#scanner.attribute('id');
    return className === null ? (id ?? '') : id === null ? className : `${className} ${id}`;
  }

  #style(): Style {
    const attribute = this.#scanner.attribute('style');
    if (attribute === null) return {};
    const known = this.#styles.get(attribute);
    if (known !== undefined) return known;
    const style = parseStyle(decodeAttribute(attribute));
    this.#styles.set(attribute, style);
    return style;
  }

  #openLink(frame: Frame): void {
    this.#endLink();
    const href = this.#scanner.attribute('href');
    if (href === null || this.#links.length >= MAX_PAGE_LINKS) return;
    const title =
      this.#scanner.attribute('title') ?? this.#scanner.attribute('aria-label') ?? this.#scanner.attribute('alt');
    const parent = this.#frames[this.#frames.length - 2];
    const link: PageLink = {
      href: decodeAttribute(href),
      start: this.#text.length,
      end: this.#text.length,
      title: decodeAttribute(title ?? ''),
      button: frame.boxed || (parent !== undefined && CELL.has(parent.name) && parent.boxed),
      footer: frame.look.footer,
      hidden: frame.hidden,
    };
    this.#links.push(link);
    this.#link = frame.name === 'a' ? link : null;
  }

  #endLink(): void {
    if (this.#link !== null) this.#link.end = this.#text.length;
    this.#link = null;
  }

  #addImage(): void {
    const alt = this.#scanner.attribute('alt');
    if (alt !== null && alt !== '') this.#addWords(decodeAttribute(alt));
  }

  #addText(start: number, end: number): void {
    const decoded = decodeText(this.#html.slice(start, end));
    if (this.#frame.preformatted) this.#addLines(decoded);
    else this.#addWords(decoded);
  }

  #addLines(text: string): void {
    const lines = text.split(/\r\n|\r|\n/);
    for (let i = 0; i < lines.length; i++) {
      if (i > 0) this.#breakLine();
      this.#addWords(lines[i] as string);
    }
  }

  /** Adds a piece of text, its white space (no-break spaces too) made one space. */
  #addWords(text: string): void {
    const words = text.replace(WIDTHLESS, '').replace(/\s+/g, ' ');
    const from = words.startsWith(' ') ? 1 : 0;
    const to = words.endsWith(' ') ? words.length - 1 : words.length;
    if (from > 0) this.#separate(SPACE);
    if (to <= from) return;
    this.#append(words.slice(from, to));
    if (to < words.length) this.#separate(SPACE);
  }

  #append(words: string): void {
    const frame = this.#frame;
    if (frame.hidden || !isReadable(frame.look.fontSize)) {
      if (this.#hiddenText.length < MAX_HIDDEN_CHARS) this.#hiddenText += `${words.slice(0, MAX_HIDDEN_CHARS)} `;
      return;
    }
    if (this.#text !== '') this.#text += SEPARATORS[this.#separator] as string;
    this.#separator = NOTHING;
    const start = this.#text.length;
    this.#text += words;
    this.#spans.push({ start, end: this.#text.length, look: frame.look });
  }

  #separate(separator: number): void {
    if (separator > this.#separator) this.#separator = separator;
  }
}
