import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { upToSpace } from '../text.js';
import { Separator } from './elements.js';
import type { HtmlPage, PageLink } from './html-page.js';
import { OpenElements, PageTag } from './page-tag.js';
import { MAX_PAGE_TEXT_CHARS, PageText } from './page-text.js';
import { HtmlScanner } from './scan.js';
import type { Tag } from './tag.js';

/** Maximum number of characters to read. Enough, because Gmail truncates messages at about 100 KiB. */
export const MAX_HTML_CHARS = 256 * 1024;
export const MAX_PAGE_LINKS = 1_000;

/** Reads the visible text and the links of HTML in one pass. Reads at most `MAX_HTML_CHARS`; never throws. */
export function readPage(html: string): HtmlPage {
  return new PageReader(upToSpace(html, MAX_HTML_CHARS)).read();
}

interface OpenLink extends Omit<PageLink, 'start' | 'end' | 'button'> {
  button: boolean;
  /** The index of the link's first piece of text. The link begins there, after the separator. */
  readonly firstSpan: number;
}

class PageReader {
  readonly #html: string;
  readonly #scanner: HtmlScanner<PageTag>;
  readonly #text = new PageText();
  readonly #links: PageLink[] = [];
  readonly #elements = new OpenElements(({ name, around }) => {
    if (name === 'a') this.#endLink();
    this.#text.separate(around);
  });
  #link: OpenLink | null = null;

  constructor(html: string) {
    this.#html = html;
    this.#scanner = new HtmlScanner(html, (tag) => new PageTag(tag));
  }

  read(): HtmlPage {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== 'end'; token = scanner.next()) {
      if (token === 'text') this.#readText(scanner.start, scanner.end);
      else if (token === 'open') this.#open(scanner.meaning);
      else if (!this.#elements.close(scanner.name) && scanner.name === 'p') this.#text.breakLine();
      if (this.#text.text.length >= MAX_PAGE_TEXT_CHARS) break;
    }
    this.#endLink();
    const { text, spans } = this.#text;
    return { text, spans, links: this.#links };
  }

  #readText(start: number, end: number): void {
    const { innermost } = this.#elements;
    if (!innermost.preformatted && isBlank(this.#html, start, end)) this.#text.separate(Separator.space);
    else this.#text.write(decodeHTML(this.#html.slice(start, end)), innermost);
  }

  #open(pageTag: PageTag): void {
    const { tag, element } = pageTag;
    if (element.isVoid) {
      this.#readVoid(tag);
      return;
    }
    const parent = this.#elements.innermost;
    const opened = this.#elements.open(pageTag);
    this.#text.separate(opened.around);
    if (tag.name === 'li') this.#text.beginItem();
    if (tag.name === 'a') this.#beginLink(tag, opened.boxed || (parent.around === Separator.cell && parent.boxed));
    else if (this.#link !== null && opened.boxed) this.#link.button = true;
  }

  #readVoid(tag: Tag): void {
    if (tag.name === 'br') this.#text.breakLine();
    else if (tag.name === 'hr') this.#text.separate(Separator.paragraph);
    else if (tag.name === 'img') {
      this.#text.write(decodeHTMLAttribute(tag.attribute('alt') ?? ''), this.#elements.innermost);
    } else if (tag.name === 'area') {
      this.#beginLink(tag, false);
      this.#endLink();
    }
  }

  #beginLink(tag: Tag, button: boolean): void {
    this.#endLink();
    const href = tag.attribute('href');
    if (href === null) return;
    const { look, hidden } = this.#elements.innermost;
    const firstSpan = this.#text.spans.length;
    this.#link = {
      href: decodeHTMLAttribute(href),
      title: titleOf(tag),
      button,
      footer: look.footer,
      hidden,
      firstSpan,
    };
  }

  #endLink(): void {
    if (this.#link !== null && this.#links.length < MAX_PAGE_LINKS) {
      const { href, title, button, footer, hidden, firstSpan } = this.#link;
      const { text, spans } = this.#text;
      const end = text.length;
      const start = spans[firstSpan]?.start ?? end;
      this.#links.push({ href, start, end, title, button, footer, hidden });
    }
    this.#link = null;
  }
}

function titleOf(tag: Tag): string {
  return decodeHTMLAttribute(tag.attribute('title') ?? tag.attribute('aria-label') ?? tag.attribute('alt') ?? '');
}

function isBlank(html: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (html.charCodeAt(at) > 0x20) return false;
  return true;
}
