import { type Element, Separator } from './elements.js';
import type { Look } from './page.js';
import type { Writing } from './page-text.js';
import type { HtmlScanner } from './scan.js';
import { fontSizeIn, parseStyle, type Style } from './style.js';

/** An element whose closing tag has not come yet. */
export interface OpenElement extends Writing {
  readonly name: string;
  /** What stands around it. */
  readonly around: Separator;
  /** Has a background of its own, as buttons do. */
  readonly boxed: boolean;
}

/** Elements that are nested deeper do not change how their text looks. */
const MAX_DEPTH = 256;
/** A closing tag is looked for so many elements up: so a wrong one costs little. */
const MAX_UNCLOSED = 32;

const DEFAULT_FONT_PX = 16;

const ROOT: OpenElement = {
  name: '',
  around: Separator.nothing,
  look: { fontSize: DEFAULT_FONT_PX, bold: false, codeLike: false, footer: false },
  hidden: false,
  preformatted: false,
  boxed: false,
};

const NO_STYLE: Style = {};

const FOOTER = /footer/i;
const BUTTON = /(?<![a-z])(?:btn|button|cta)/i;

/** The elements that are open at a point of a page, the innermost last, and what they do to the text in them. */
export class OpenElements {
  readonly #elements: OpenElement[] = [ROOT];
  readonly #styles = new Map<string, Style>();
  #lastAttribute = '';
  #lastStyle = NO_STYLE;
  readonly #onEnd: (element: OpenElement) => void;
  /** Open elements beyond the depth bound. */
  #tooDeep = 0;

  /** Calls back for every element that ends, the inner one first. */
  constructor(onEnd: (element: OpenElement) => void) {
    this.#onEnd = onEnd;
  }

  get innermost(): OpenElement {
    return this.#elements[this.#elements.length - 1] as OpenElement;
  }

  /** Opens the element of the tag that the scanner stands on, and ends those that cannot hold it. */
  open(element: Element, tag: HtmlScanner): OpenElement {
    while (element.ends?.has(this.innermost.name)) this.#endFrom(this.#elements.length - 1);
    const opened = this.#styled(element, tag);
    if (this.#elements.length < MAX_DEPTH) this.#elements.push(opened);
    else this.#tooDeep++;
    return opened;
  }

  /** Ends the innermost element of that name and those inside it. False when none is near enough. */
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

  #styled(element: Element, tag: HtmlScanner): OpenElement {
    const parent = this.innermost;
    const style = this.#styleOf(tag);
    const names = namesOf(tag);
    const isFooter = tag.name === 'footer' || (names !== '' && FOOTER.test(names));
    const isButton = element.boxed === true || (names !== '' && BUTTON.test(names));
    return {
      name: tag.name,
      around: aroundOf(element, style),
      look: lookOf(element, style, parent.look, isFooter),
      hidden: parent.hidden || style.hidden === true || element.unseen === true || tag.attribute('hidden') !== null,
      preformatted: style.preformatted ?? (element.preformatted === true || parent.preformatted),
      boxed: isButton || style.boxed === true || tag.attribute('bgcolor') !== null,
    };
  }

  #styleOf(tag: HtmlScanner): Style {
    const attribute = tag.attribute('style');
    if (attribute === null) return NO_STYLE;
    // Neighbours mostly look alike, and to compare is cheaper than to look up.
    if (attribute !== this.#lastAttribute) {
      this.#lastAttribute = attribute;
      this.#lastStyle = this.#knownStyle(attribute);
    }
    return this.#lastStyle;
  }

  #knownStyle(attribute: string): Style {
    const known = this.#styles.get(attribute) ?? parseStyle(attribute);
    this.#styles.set(attribute, known);
    return known;
  }
}

/** Class and id, by which authors say what an element is. */
function namesOf(tag: HtmlScanner): string {
  const classes = tag.attribute('class');
  const id = tag.attribute('id');
  return id === null ? (classes ?? '') : `${classes ?? ''} ${id}`;
}

function aroundOf(element: Element, style: Style): Separator {
  const around = element.around ?? Separator.nothing;
  if (style.display === 'inline') return Separator.nothing;
  if (style.display === 'block' && around < Separator.line) return Separator.line;
  return around;
}

function lookOf(element: Element, style: Style, parent: Look, isFooter: boolean): Look {
  const fontSize = fontSizeIn(element.fontSize ?? parent.fontSize, style);
  const bold = style.bold ?? (element.bold === true || parent.bold);
  const codeLike = style.codeLike === true || element.codeLike === true || parent.codeLike;
  const footer = isFooter || parent.footer;
  const isSame =
    fontSize === parent.fontSize && bold === parent.bold && codeLike === parent.codeLike && footer === parent.footer;
  return isSame ? parent : { fontSize, bold, codeLike, footer };
}
