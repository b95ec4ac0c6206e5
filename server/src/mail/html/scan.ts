import { codeUnits, giveBack } from './code-units.js';
import { KnownTags } from './known-tags.js';
import { type Source, Tag, tagName, tagNameEnd } from './tag.js';
import { beginsMarkup, isLetter, TextRun } from './text-run.js';

/** What the scanner stands on. */
export type HtmlToken = 'text' | 'open' | 'close' | 'end';

/** Elements whose content is not markup (HTML standard, 13.2.5.2 to 13.2.5.5): it ends at their own closing tag only. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

const SLASH = 0x2f;
const LESS = 0x3c;

interface OpeningTag<Meaning> {
  readonly name: string;
  readonly isRaw: boolean;
  readonly meaning: Meaning;
}

/**
 * Splits HTML into text, opening and closing tags, in one forward pass: every step moves on, and what has no end (an
 * unclosed quote, comment or raw element) reaches to the end of the input, as in a browser. So no input costs
 * more than its length.
 *
 * A pull scanner: call `next`, then look at the fields that belong to the token it returned. A mail writes most of its tags
 * many times over, so what was read of one, and what its reader made of it, serves again where the same is written.
 */
export class HtmlScanner<Meaning> {
  /** Of a text token: the text. */
  readonly text = new TextRun();
  /** Of a tag: its name in lower case. */
  name = '';

  readonly source: Source;
  readonly #meaningOf: (tag: Tag) => Meaning;
  readonly #openingTags: KnownTags<OpeningTag<Meaning>>;
  readonly #closingTags: KnownTags<string>;
  /** Each name once, so that two that are the same are the same string, which is found out at once. */
  readonly #names = new Map<string, string>();
  #at = 0;
  #meaning: Meaning | undefined;
  #rawText = '';

  constructor(html: string, meaningOf: (tag: Tag) => Meaning) {
    this.source = { html, units: codeUnits(html) };
    this.#meaningOf = meaningOf;
    this.#openingTags = new KnownTags(this.source);
    this.#closingTags = new KnownTags(this.source);
  }

  /** Ends the scan. Nothing of the scanner or of its tags may be used after that. */
  done(): void {
    giveBack(this.source.units);
  }

  /** Of an opening tag: what the reader made of it. */
  get meaning(): Meaning {
    return this.#meaning as Meaning;
  }

  /** Moves to the next token. Comments, declarations and the content of raw elements are passed over. */
  next(): HtmlToken {
    const { html, units } = this.source;
    if (this.#rawText !== '') this.#skipRawText();
    while (this.#at < html.length) {
      const from = this.#at;
      const code = units[from + 1] as number;
      if (units[from] !== LESS || !beginsMarkup(code)) {
        this.text.read(units, from, html.length);
        this.#at = this.text.end;
        return 'text';
      }
      if (isLetter(code)) return this.#openTag(from);
      if (code === SLASH && isLetter(units[from + 2] as number)) return this.#closeTag(from);
      this.#skipComment(from);
    }
    return 'end';
  }

  /** Of the opening tag of a raw element: its content, which `next` passes over. It holds no closing tag of its element. */
  rawContent(): string {
    return this.source.html.slice(this.#at, this.#rawTextEnd());
  }

  #openTag(from: number): HtmlToken {
    const known = this.#openingTags.find(from);
    const earliest = this.#openingTags.end;
    if (known !== undefined) return this.#opened(known, earliest);
    const tag = earliest === 0 ? null : new Tag(this.source, from + 1);
    if (tag === null || tag.end < 0) {
      this.#at = this.source.html.length;
      return 'end';
    }
    const read = { name: this.#unique(tag.name), isRaw: RAW_TEXT.has(tag.name), meaning: this.#meaningOf(tag) };
    // No tag ends before the first `>`. One that ended there once does so wherever it is written again.
    if (tag.end === earliest) this.#openingTags.keep(from, read);
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
    const known = this.#closingTags.find(from);
    this.name = known ?? this.#readClosingTag(from);
    this.#at = this.#closingTags.end || this.source.html.length;
    return 'close';
  }

  #readClosingTag(from: number): string {
    const nameFrom = from + '</'.length;
    const name = this.#unique(tagName(this.source, nameFrom, tagNameEnd(this.source, nameFrom)));
    if (this.#closingTags.end > 0) this.#closingTags.keep(from, name);
    return name;
  }

  #unique(name: string): string {
    const known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, name);
    return known ?? name;
  }

  /** Passes over `<!-- … -->` (conditional comments included), `<!…>`, `<?…>` and `</` without a name. */
  #skipComment(from: number): void {
    const { html } = this.source;
    const isComment = html.startsWith('<!--', from);
    const end = isComment ? html.indexOf('-->', from + 2) : html.indexOf('>', from + 1);
    this.#at = end < 0 ? html.length : end + (isComment ? 3 : 1);
  }

  #skipRawText(): void {
    this.#at = this.#rawTextEnd();
    this.#rawText = '';
  }

  #rawTextEnd(): number {
    const { html } = this.source;
    const name = this.#rawText;
    let at = html.indexOf('</', this.#at);
    while (at >= 0 && html.slice(at + 2, at + 2 + name.length).toLowerCase() !== name) at = html.indexOf('</', at + 2);
    return at < 0 ? html.length : at;
  }
}
