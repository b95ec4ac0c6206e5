import { type Element, elementNamed, Separator } from './elements.js';
import type { Look } from './html-page.js';
import type { Writing } from './page-text.js';
import { fontSizeIn, parseStyle, type Style } from './style.js';
import type { Tag } from './tag.js';

/** An element whose closing tag has not been read yet. */
export interface OpenElement extends Writing {
  readonly name: string;
  readonly around: Separator;
  readonly boxed: boolean;
}

const FOOTER = /footer/i;
/** Class names and IDs that mail programs give to a quotation, or to an element after which everything is quoted. */
const QUOTE = /(?:^|[ _-])(?:gmail_quote|yahoo_quoted|protonmail_quote|moz-cite|cite|quote|quoted)(?:$|[ _-])/;
const QUOTE_BEGINS = /(?:^|[ _-])(?:divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|OutlookMessageHeader)(?: |$)/;
const BUTTON = /(?<![a-z])(?:btn|button|cta)/i;

/** An opening tag, and the facts about its element that do not depend on its ancestors. */
export class PageTag {
  readonly tag: Tag;
  readonly element: Element;
  readonly #style: Style;
  readonly #footer: boolean;
  readonly #quote: boolean;
  /** Whether everything after the tag is quoted. */
  readonly beginsQuote: boolean;
  readonly #hidden: boolean;
  readonly #boxed: boolean;
  #last: { readonly parent: OpenElement; readonly opened: OpenElement } | null = null;

  constructor(tag: Tag) {
    const element = elementNamed(tag.name);
    const style = parseStyle(tag.attribute('style') ?? '');
    const names = namesOf(tag);
    this.tag = tag;
    this.element = element;
    this.#style = style;
    this.#footer = tag.name === 'footer' || FOOTER.test(names);
    this.#quote = tag.name === 'blockquote' || QUOTE.test(names);
    this.beginsQuote = QUOTE_BEGINS.test(names);
    this.#hidden = style.hidden || element.unseen || tag.attribute('hidden') !== null;
    this.#boxed = element.boxed || style.boxed || tag.attribute('bgcolor') !== null || BUTTON.test(names);
  }

  /** Opens the element within a parent. Caches the last result, because most identical tags share a parent. */
  openedIn(parent: OpenElement): OpenElement {
    if (this.#last?.parent !== parent) this.#last = { parent, opened: this.#styledIn(parent) };
    return this.#last.opened;
  }

  #styledIn(parent: OpenElement): OpenElement {
    return {
      name: this.tag.name,
      around: aroundOf(this.element, this.#style),
      look: lookOf(this.element, this.#style, parent.look, { footer: this.#footer, quoted: this.#quote }),
      hidden: parent.hidden || this.#hidden,
      preformatted: this.#style.preformatted ?? (this.element.preformatted || parent.preformatted),
      boxed: this.#boxed,
    };
  }
}

function namesOf(tag: Tag): string {
  return `${tag.attribute('class') ?? ''} ${tag.attribute('id') ?? ''}`;
}

function aroundOf({ around }: Element, { display }: Style): Separator {
  if (display === 'inline') return Separator.nothing;
  if (display === 'block' && around < Separator.line) return Separator.line;
  return around;
}

function lookOf(element: Element, style: Style, parent: Look, named: Pick<Look, 'footer' | 'quoted'>): Look {
  const fontSize = fontSizeIn(element.fontSize ?? parent.fontSize, style);
  const bold = style.bold ?? (element.bold || parent.bold);
  const codeLike = style.codeLike || element.codeLike || parent.codeLike;
  const footer = named.footer || parent.footer;
  const quoted = named.quoted || parent.quoted;
  const isSame =
    fontSize === parent.fontSize &&
    bold === parent.bold &&
    codeLike === parent.codeLike &&
    footer === parent.footer &&
    quoted === parent.quoted;
  return isSame ? parent : { fontSize, bold, codeLike, footer, quoted };
}

/** Elements nested deeper than this do not change the style of their text. */
const MAX_DEPTH = 256;
/** Maximum number of open elements compared with a closing tag, so that mismatched tags cost little. */
const MAX_UNCLOSED = 32;

const DEFAULT_FONT_PX = 16;

const ROOT: OpenElement = {
  name: '',
  around: Separator.nothing,
  look: { fontSize: DEFAULT_FONT_PX, bold: false, codeLike: false, footer: false, quoted: false },
  hidden: false,
  preformatted: false,
  boxed: false,
};

export class OpenElements {
  #elements: OpenElement[] = [ROOT];
  readonly #onEnd: (element: OpenElement) => void;
  #tooDeep = 0;

  /** Calls `onEnd` for every element that ends, inner elements first. */
  constructor(onEnd: (element: OpenElement) => void) {
    this.#onEnd = onEnd;
  }

  get innermost(): OpenElement {
    return this.#elements[this.#elements.length - 1] as OpenElement;
  }

  open(tag: PageTag): OpenElement {
    while (tag.element.ends?.has(this.innermost.name)) this.#endFrom(this.#elements.length - 1);
    // At most once per page. Otherwise, a hostile message whose every tag begins a quotation would be slow to read.
    if (tag.beginsQuote && !this.#elements[0]?.look.quoted)
      this.#elements = this.#elements.map((one) => ({ ...one, look: { ...one.look, quoted: true } }));
    const opened = tag.openedIn(this.innermost);
    if (this.#elements.length < MAX_DEPTH) this.#elements.push(opened);
    else this.#tooDeep++;
    return opened;
  }

  /** Ends the innermost element of that name and all elements inside it. Returns false if none is near enough. */
  close(name: string): boolean {
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return true;
    }
    const lowest = Math.max(1, this.#elements.length - MAX_UNCLOSED);
    for (let i = this.#elements.length - 1; i >= lowest; i--) {
      if ((this.#elements[i] as OpenElement).name !== name) continue;
      this.#endFrom(i);
      return true;
    }
    return false;
  }

  #endFrom(index: number): void {
    while (this.#elements.length > index) this.#onEnd(this.#elements.pop() as OpenElement);
  }
}
