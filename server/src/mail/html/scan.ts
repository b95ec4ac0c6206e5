/** What the scanner stands on. */
export type HtmlToken = 'text' | 'open' | 'close' | 'end';

/** How many attributes of one tag are remembered; the rest is skipped. A real mail's tags have fewer than 20. */
const MAX_ATTRIBUTES = 64;

/** Elements whose content is not markup (HTML standard, 13.2.5.2 to 13.2.5.5): it ends at their own closing tag only. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

const TAB = 0x09;
const SPACE = 0x20;
const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;
/** The bit that makes an ASCII letter lower case. */
const LOWER_CASE = 0x20;

function isSpace(code: number): boolean {
  return code <= SPACE && (code === SPACE || (code >= TAB && code <= 0x0d));
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/**
 * Splits HTML into text, opening and closing tags, in one forward pass: every step moves on, and what has no end (an
 * unclosed quote, comment or raw element) reaches to the end of the input, as in a browser. So no input costs
 * more than its length.
 *
 * A pull scanner: call `next`, then look at the fields that belong to the token it returned.
 */
export class HtmlScanner {
  /** Of a text token: where it begins. */
  start = 0;
  /** Of a text token: where it ends. */
  end = 0;
  /** Of a tag: its name in lower case. */
  name = '';

  readonly #html: string;
  #at = 0;
  /** Four offsets an attribute: name from, to, value from, to. */
  readonly #attributes: number[] = [];
  #attributeCount = 0;
  #rawText = '';

  constructor(html: string) {
    this.#html = html;
  }

  /** Moves to the next token. Comments, declarations and the content of raw elements are passed over. */
  next(): HtmlToken {
    const html = this.#html;
    if (this.#rawText !== '') this.#skipRawText();
    while (this.#at < html.length) {
      const from = this.#at;
      const open = this.#nextTag(from);
      if (open > from) {
        this.start = from;
        this.end = open;
        this.#at = open;
        return 'text';
      }
      const code = html.charCodeAt(from + 1);
      if (isLetter(code)) return this.#openTag(from + 1);
      if (code === SLASH && isLetter(html.charCodeAt(from + 2))) return this.#closeTag(from + 2);
      this.#skipComment(from);
    }
    return 'end';
  }

  /** Value of an attribute of the tag, as it stands (entities not decoded); `""` when it has none, null when absent. */
  attribute(name: string): string | null {
    const html = this.#html;
    const found = this.#attributes;
    const initial = name.charCodeAt(0);
    for (let i = 0; i < this.#attributeCount * 4; i += 4) {
      const from = found[i] as number;
      const to = found[i + 1] as number;
      // Most attributes are told apart by their length and first letter.
      if (to - from !== name.length || (html.charCodeAt(from) | LOWER_CASE) !== initial) continue;
      const written = html.slice(from, to);
      if (written === name || written.toLowerCase() === name) return html.slice(found[i + 2], found[i + 3]);
    }
    return null;
  }

  /** Of the opening tag of a raw element: its content, which `next` passes over. It holds no closing tag of its element. */
  rawContent(): string {
    return this.#html.slice(this.#at, this.#rawTextEnd());
  }

  /** Where the next `<` that begins markup stands; any other `<` is text. */
  #nextTag(from: number): number {
    const html = this.#html;
    for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at + 1)) {
      const code = html.charCodeAt(at + 1);
      if (isLetter(code) || code === BANG || code === QUESTION || code === SLASH) return at;
    }
    return html.length;
  }

  #openTag(nameFrom: number): HtmlToken {
    const nameTo = this.#nameEnd(nameFrom);
    this.name = this.#nameOf(nameFrom, nameTo);
    if (!this.#readAttributes(nameTo)) return 'end';
    if (RAW_TEXT.has(this.name)) this.#rawText = this.name;
    return 'open';
  }

  #closeTag(nameFrom: number): HtmlToken {
    const nameTo = this.#nameEnd(nameFrom);
    this.name = this.#nameOf(nameFrom, nameTo);
    const close = this.#html.indexOf('>', nameTo);
    this.#at = close < 0 ? this.#html.length : close + 1;
    return 'close';
  }

  /** A tag's name in lower case, as most are written. */
  #nameOf(from: number, to: number): string {
    const html = this.#html;
    const name = html.slice(from, to);
    for (let at = from; at < to; at++) if ((html.charCodeAt(at) & LOWER_CASE) === 0) return name.toLowerCase();
    return name;
  }

  #nameEnd(from: number): number {
    const html = this.#html;
    let at = from;
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at);
      if (code === GREATER || code === SLASH || isSpace(code)) break;
    }
    return at;
  }

  /** Reads up to the tag's `>`. False when the input ends before it: then there is no tag. */
  #readAttributes(from: number): boolean {
    const html = this.#html;
    this.#attributeCount = 0;
    let at = from;
    while (at < html.length) {
      const code = html.charCodeAt(at);
      if (code === GREATER) {
        this.#at = at + 1;
        return true;
      }
      if (code === SLASH || isSpace(code)) {
        at++;
        continue;
      }
      at = this.#readAttribute(at);
    }
    this.#at = html.length;
    return false;
  }

  #attributeNameEnd(from: number): number {
    const html = this.#html;
    // A leading "=" belongs to the name (HTML standard, 13.2.5.32), which also makes sure that the scan moves on.
    let at = from + 1;
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at);
      if (code === EQUALS || code === GREATER || code === SLASH || isSpace(code)) break;
    }
    return at;
  }

  /** Reads an attribute and remembers where its name and value lie. Returns where to go on. */
  #readAttribute(from: number): number {
    const html = this.#html;
    const nameTo = this.#attributeNameEnd(from);
    const equals = this.#skipSpaces(nameTo);
    if (html.charCodeAt(equals) !== EQUALS) return this.#remember(from, nameTo, nameTo, nameTo);
    const valueFrom = this.#skipSpaces(equals + 1);
    const code = html.charCodeAt(valueFrom);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const close = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", valueFrom + 1);
      return this.#remember(from, nameTo, valueFrom + 1, close < 0 ? html.length : close) + 1;
    }
    let to = valueFrom;
    while (to < html.length && html.charCodeAt(to) !== GREATER && !isSpace(html.charCodeAt(to))) to++;
    return this.#remember(from, nameTo, valueFrom, to);
  }

  #remember(nameFrom: number, nameTo: number, valueFrom: number, valueTo: number): number {
    if (this.#attributeCount < MAX_ATTRIBUTES) {
      const at = this.#attributeCount++ * 4;
      this.#attributes[at] = nameFrom;
      this.#attributes[at + 1] = nameTo;
      this.#attributes[at + 2] = valueFrom;
      this.#attributes[at + 3] = valueTo;
    }
    return valueTo;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (at < this.#html.length && isSpace(this.#html.charCodeAt(at))) at++;
    return at;
  }

  /** Passes over `<!-- … -->` (conditional comments included), `<!…>`, `<?…>` and `</` without a name. */
  #skipComment(from: number): void {
    const html = this.#html;
    const isComment = html.startsWith('<!--', from);
    const end = isComment ? html.indexOf('-->', from + 2) : html.indexOf('>', from + 1);
    this.#at = end < 0 ? html.length : end + (isComment ? 3 : 1);
  }

  #skipRawText(): void {
    this.#at = this.#rawTextEnd();
    this.#rawText = '';
  }

  #rawTextEnd(): number {
    const html = this.#html;
    const name = this.#rawText;
    let at = html.indexOf('</', this.#at);
    while (at >= 0 && html.slice(at + 2, at + 2 + name.length).toLowerCase() !== name) at = html.indexOf('</', at + 2);
    return at < 0 ? html.length : at;
  }
}
