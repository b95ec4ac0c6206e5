import { Separator } from './elements.js';
import type { OpenElement, PageTag } from './page-tag.js';

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

/** The elements that are open at a point of a page, the innermost last, and what they do to the text in them. */
export class OpenElements {
  readonly #elements: OpenElement[] = [ROOT];
  readonly #onEnd: (element: OpenElement) => void;
  #tooDeep = 0;

  /** Calls back for every element that ends, the inner one first. */
  constructor(onEnd: (element: OpenElement) => void) {
    this.#onEnd = onEnd;
  }

  get innermost(): OpenElement {
    return this.#elements[this.#elements.length - 1] as OpenElement;
  }

  /** Opens a tag's element, and ends those that cannot hold it. */
  open(tag: PageTag): OpenElement {
    while (tag.element.ends?.has(this.innermost.name)) this.#endFrom(this.#elements.length - 1);
    const opened = tag.openedIn(this.innermost);
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
}
