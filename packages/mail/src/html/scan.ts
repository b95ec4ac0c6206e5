import { Tag, tagName, tagNameEnd } from './tag.js';

export type HtmlToken = 'text' | 'open' | 'close' | 'end';

/** Elements whose content is not markup (HTML standard, 13.2.5.2 to 13.2.5.5), so only their closing tag ends them. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

const BANG = 0x21;
const SLASH = 0x2f;
const QUESTION = 0x3f;

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

interface OpeningTag<Meaning> {
  readonly name: string;
  readonly isRaw: boolean;
  readonly meaning: Meaning;
}

/**
 * Splits HTML into text, opening and closing tags in one forward pass. An unclosed quote, comment or raw element
 * extends to the end of the input, as in browsers, so the time is linear. Call `next`, then read the fields, which
 * describe the token that it returned; a tag has no `end`. Emails repeat most of their tags, so identical tags are parsed once.
 */
export class HtmlScanner<Meaning> {
  start = 0;
  end = 0;
  name = '';

  readonly #html: string;
  readonly #meaningOf: (tag: Tag) => Meaning;
  readonly #openingTags = new RecentTags<OpeningTag<Meaning>>();
  readonly #closingTags = new RecentTags<string>();
  #at = 0;
  #meaning: Meaning | undefined;
  #rawText = '';

  constructor(html: string, meaningOf: (tag: Tag) => Meaning) {
    this.#html = html;
    this.#meaningOf = meaningOf;
  }

  get meaning(): Meaning {
    return this.#meaning as Meaning;
  }

  next(): HtmlToken {
    const html = this.#html;
    if (this.#rawText !== '') this.#skipRawText();
    while (this.#at < html.length) {
      const from = this.#at;
      this.start = from;
      const open = this.#nextTag(from);
      if (open > from) {
        this.end = open;
        this.#at = open;
        return 'text';
      }
      const code = html.charCodeAt(from + 1);
      if (isLetter(code)) return this.#openTag(from);
      if (code === SLASH && isLetter(html.charCodeAt(from + 2))) return this.#closeTag(from);
      this.#skipComment(from);
    }
    return 'end';
  }

  /** Returns the content of the raw element whose opening tag was just read. `next` would skip it. */
  rawContent(): string {
    return this.#html.slice(this.#at, this.#rawTextEnd());
  }

  /** The index of the next `<` that begins markup. Every other `<` is text. */
  #nextTag(from: number): number {
    const html = this.#html;
    for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at + 1)) {
      const code = html.charCodeAt(at + 1);
      if (isLetter(code) || code === BANG || code === QUESTION || code === SLASH) return at;
    }
    return html.length;
  }

  #openTag(from: number): HtmlToken {
    const html = this.#html;
    // The first `>` ends the tag unless it is quoted. It is not quoted if an identical tag, read before, ended there.
    const earliest = html.indexOf('>', from) + 1;
    const known = this.#openingTags.find(html, from, earliest);
    if (known !== undefined) return this.#opened(known, earliest);
    const tag = earliest === 0 ? null : new Tag(html, from + 1);
    if (tag === null || tag.end < 0) {
      this.#at = html.length;
      return 'end';
    }
    const read = { name: tag.name, isRaw: RAW_TEXT.has(tag.name), meaning: this.#meaningOf(tag) };
    if (tag.end === earliest) this.#openingTags.keep(html, from, earliest, read);
    return this.#opened(read, tag.end);
  }

  #opened({ name, isRaw, meaning }: OpeningTag<Meaning>, end: number): HtmlToken {
    this.name = name;
    this.#meaning = meaning;
    this.#at = end;
    if (isRaw) this.#rawText = name;
    return 'open';
  }

  #closeTag(from: number): HtmlToken {
    const end = this.#html.indexOf('>', from) + 1 || this.#html.length;
    this.name = this.#closingTags.find(this.#html, from, end) ?? this.#readClosingTag(from, end);
    this.#at = end;
    return 'close';
  }

  #readClosingTag(from: number, end: number): string {
    const nameFrom = from + '</'.length;
    const name = tagName(this.#html, nameFrom, tagNameEnd(this.#html, nameFrom));
    this.#closingTags.keep(this.#html, from, end, name);
    return name;
  }

  /** Skips `<!-- … -->` (including conditional comments), `<!…>`, `<?…>` and `</` without a name. */
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

/** Real messages have fewer than 100 different tags. */
const SLOTS = 256;

/** A cache of recent tags. A tag's length and two of its characters select the slot, which is faster than a hash. */
class RecentTags<Value> {
  readonly #slots: ({ readonly written: string; readonly value: Value } | undefined)[] = new Array(SLOTS);

  find(html: string, from: number, end: number): Value | undefined {
    const recent = this.#slots[slotOf(html, from, end)];
    return recent !== undefined && html.slice(from, end) === recent.written ? recent.value : undefined;
  }

  keep(html: string, from: number, end: number, value: Value): void {
    this.#slots[slotOf(html, from, end)] = { written: html.slice(from, end), value };
  }
}

function slotOf(html: string, from: number, end: number): number {
  const length = end - from;
  const middle = html.charCodeAt(from + (length >> 1));
  const later = html.charCodeAt(from + ((length * 3) >> 2));
  return (length + middle * 31 + later * 7) & (SLOTS - 1);
}
