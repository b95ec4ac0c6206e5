import { type Element, elementNamed, Separator } from './elements.js';
import type { Look } from './html-page.js';
import type { Writing } from './page-text.js';
import { fontSizeIn, parseStyle, type Style } from './style.js';
import type { Tag } from './tag.js';

/** An element whose closing tag has not come yet. */
export interface OpenElement extends Writing {
  readonly name: string;
  readonly around: Separator;
  readonly boxed: boolean;
}

const FOOTER = /footer/i;
const BUTTON = /(?<![a-z])(?:btn|button|cta)/i;

/** An opening tag, and all that can be said of its element without knowing what is around it. */
export class PageTag {
  readonly tag: Tag;
  readonly element: Element;
  readonly #style: Style;
  readonly #footer: boolean;
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
    this.#hidden = style.hidden || element.unseen || tag.attribute('hidden') !== null;
    this.#boxed = element.boxed || style.boxed || tag.attribute('bgcolor') !== null || BUTTON.test(names);
  }

  /** Its element in another one, which is mostly the one it was last opened in. */
  openedIn(parent: OpenElement): OpenElement {
    if (this.#last?.parent !== parent) this.#last = { parent, opened: this.#styledIn(parent) };
    return this.#last.opened;
  }

  #styledIn(parent: OpenElement): OpenElement {
    return {
      name: this.tag.name,
      around: aroundOf(this.element, this.#style),
      look: lookOf(this.element, this.#style, parent.look, this.#footer),
      hidden: parent.hidden || this.#hidden,
      preformatted: this.#style.preformatted ?? (this.element.preformatted || parent.preformatted),
      boxed: this.#boxed,
    };
  }
}

/** Class and id, by which authors say what an element is. */
function namesOf(tag: Tag): string {
  return `${tag.attribute('class') ?? ''} ${tag.attribute('id') ?? ''}`;
}

function aroundOf({ around }: Element, { display }: Style): Separator {
  if (display === 'inline') return Separator.nothing;
  if (display === 'block' && around < Separator.line) return Separator.line;
  return around;
}

function lookOf(element: Element, style: Style, parent: Look, isFooter: boolean): Look {
  const fontSize = fontSizeIn(element.fontSize ?? parent.fontSize, style);
  const bold = style.bold ?? (element.bold || parent.bold);
  const codeLike = style.codeLike || element.codeLike || parent.codeLike;
  const footer = isFooter || parent.footer;
  const isSame =
    fontSize === parent.fontSize && bold === parent.bold && codeLike === parent.codeLike && footer === parent.footer;
  return isSame ? parent : { fontSize, bold, codeLike, footer };
}
