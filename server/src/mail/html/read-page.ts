import { elementNamed, Separator } from './elements.js';
import { decodeAttribute, decodeText } from './entities.js';
import { OpenElements } from './open-elements.js';
import type { HtmlPage, PageLink } from './page.js';
import { MAX_PAGE_TEXT_CHARS, PageText } from './page-text.js';
import { HtmlScanner } from './scan.js';

/** HTML is read up to here. Mail programs cut messages at about 100 KiB. */
export const MAX_HTML_CHARS = 256 * 1024;
/** Links are collected up to here. */
export const MAX_PAGE_LINKS = 1_000;

/** Reads HTML into what can be seen of it, and its links. One pass, within the bounds; never throws. */
export function readPage(html: string): HtmlPage {
  return new PageReader(html.slice(0, MAX_HTML_CHARS)).read();
}

class PageReader {
  readonly #html: string;
  readonly #tag: HtmlScanner;
  readonly #text = new PageText();
  readonly #links: PageLink[] = [];
  readonly #elements = new OpenElements(({ name, around }) => {
    if (name === 'a') this.#endLink();
    this.#text.separate(around);
  });
  /** The link that the text belongs to, as far as it has come. */
  #link: PageLink | null = null;

  constructor(html: string) {
    this.#html = html;
    this.#tag = new HtmlScanner(html);
  }

  read(): HtmlPage {
    const tag = this.#tag;
    for (let token = tag.next(); token !== 'end'; token = tag.next()) {
      if (token === 'text') this.#readText(tag.start, tag.end);
      else if (token === 'open') this.#open(tag.name);
      else if (!this.#elements.close(tag.name) && tag.name === 'p') this.#text.breakLine();
      if (this.#text.text.length >= MAX_PAGE_TEXT_CHARS) break;
    }
    this.#endLink();
    const { text, spans, hiddenText } = this.#text;
    return { text, spans, links: this.#links, hiddenText };
  }

  #readText(start: number, end: number): void {
    const { innermost } = this.#elements;
    if (!innermost.preformatted && isBlank(this.#html, start, end)) this.#text.separate(Separator.space);
    else this.#text.write(decodeText(this.#html.slice(start, end)), innermost);
  }

  #open(name: string): void {
    const element = elementNamed(name);
    if (element.isVoid) {
      this.#readVoid(name);
      return;
    }
    const parent = this.#elements.innermost;
    const opened = this.#elements.open(element, this.#tag);
    this.#text.separate(opened.around);
    if (name === 'li') this.#text.beginItem();
    if (name === 'a') this.#beginLink(opened.boxed || (parent.around === Separator.cell && parent.boxed));
    else if (this.#link !== null && opened.boxed) this.#link = { ...this.#link, button: true };
  }

  #readVoid(name: string): void {
    if (name === 'br') this.#text.breakLine();
    else if (name === 'hr') this.#text.separate(Separator.paragraph);
    else if (name === 'img')
      this.#text.write(decodeAttribute(this.#tag.attribute('alt') ?? ''), this.#elements.innermost);
    else if (name === 'area') {
      this.#beginLink(false);
      this.#endLink();
    }
  }

  #beginLink(button: boolean): void {
    this.#endLink();
    const href = this.#tag.attribute('href');
    if (href === null) return;
    const { look, hidden } = this.#elements.innermost;
    const start = this.#text.text.length;
    this.#link = {
      href: decodeAttribute(href),
      start,
      end: start,
      title: this.#titleOfTag(),
      button,
      footer: look.footer,
      hidden,
    };
  }

  #endLink(): void {
    if (this.#link !== null && this.#links.length < MAX_PAGE_LINKS) {
      this.#links.push({ ...this.#link, end: this.#text.text.length });
    }
    this.#link = null;
  }

  #titleOfTag(): string {
    const tag = this.#tag;
    return decodeAttribute(tag.attribute('title') ?? tag.attribute('aria-label') ?? tag.attribute('alt') ?? '');
  }
}

function isBlank(html: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (html.charCodeAt(at) > 0x20) return false;
  return true;
}
