/** Whether a mail is shown to a reader who prefers light or dark colours. */
export type ColorScheme = 'light' | 'dark';

/**
 * Properties for which a browser paints an element apart, in a texture of its own size, or lays it out again for each
 * column. Thirty of them inside each other keep it busy for a minute (D69). The last three take a third dimension.
 */
const STRIPPED_PROPERTY =
  /^(?:-(?:webkit|moz|ms|o)-)?(?:(?:backdrop-)?filter|will-change|perspective(?:-origin(?:-[xy])?)?|transform-style|backface-visibility|box-reflect|columns|column-(?:count|width)|rotate|scale|translate)$/;

/** Functions of a `transform` in three dimensions, which costs the same. */
const STRIPPED_FUNCTION = /^(?:matrix3d|perspective|rotate3d|rotate[xyz]|scale3d|scalez|translate3d|translatez)$/;

/** No browser knows a name with this prefix: a meaningless declaration is ignored. */
const UNKNOWN = '-stripped-';

/** The only feature of a media query that asks for the reader's preference. */
const PREFERENCE = 'prefers-color-scheme';

/** What is written in place of the preference: a condition that every screen meets, or none. */
const MET = { feature: 'min-width', value: '0px' } as const;
const UNMET = { feature: 'max-width', value: '-1px' } as const;

/** A name that was just written, with only blanks behind it. */
interface LastName {
  readonly at: number;
  readonly name: string;
  /** What was written before it, other than blanks. */
  readonly after: string;
}

/** What follows a name shows its meaning, so names may be replaced later: costly ones, and of color schemes. */
export class WrittenCss {
  readonly #pieces: string[] = [];
  readonly #scheme: ColorScheme | null;
  #last: LastName | null = null;
  #after = '';
  /** Where the preference stands whose value comes next. */
  #preferenceAt: number | null = null;
  /** Where a `color-scheme` names schemes; null outside of its declaration. */
  #schemesAt: Map<string, number> | null = null;

  constructor(scheme: ColorScheme | null) {
    this.#scheme = scheme;
  }

  blank(): void {
    this.#pieces.push(' ');
  }

  mark(char: string): void {
    if (char.trim() === '') {
      this.#pieces.push(char);
      return;
    }
    if (char === ':' && this.#last !== null) this.#judge(this.#last);
    else this.#preferenceAt = null;
    if (char === ';' || char === '{' || char === '}') this.#settleSchemes();
    this.#write(char === '<' ? '< ' : char, char);
  }

  name(name: string): void {
    const lower = name.toLowerCase();
    const at = this.#pieces.length;
    if (this.#preferenceAt !== null && (lower === 'light' || lower === 'dark')) {
      const { feature, value } = lower === this.#scheme ? MET : UNMET;
      this.#pieces[this.#preferenceAt] = feature;
      this.#write(value, '');
      return;
    }
    this.#schemesAt?.set(lower, at);
    const last = { at, name: lower, after: this.#after };
    this.#write(name, '');
    this.#last = last;
  }

  functionName(name: string): void {
    this.#write(STRIPPED_FUNCTION.test(name.toLowerCase()) ? UNKNOWN + name : name, '');
  }

  /** A string, an address, or an at-rule's name. */
  other(text: string): void {
    this.#write(text, '');
  }

  end(): string {
    this.#settleSchemes();
    return this.#pieces.join('');
  }

  #write(text: string, after: string): void {
    this.#pieces.push(text);
    this.#after = after;
    this.#last = null;
    this.#preferenceAt = text === ':' ? this.#preferenceAt : null;
  }

  /** A colon follows a name: of a property or a feature, unless it ends a selector such as `.filter:hover`. */
  #judge({ at, name, after }: LastName): void {
    this.#preferenceAt = null;
    if (after === '.' || after === '#' || after === ':') return;
    if (STRIPPED_PROPERTY.test(name)) this.#pieces[at] = UNKNOWN + name;
    if (this.#scheme === null) return;
    if (name === PREFERENCE && after === '(') this.#preferenceAt = at;
    if (name === 'color-scheme') this.#schemesAt = new Map();
  }

  /** Of two supported schemes, the reader's remains. */
  #settleSchemes(): void {
    const other = this.#schemesAt?.get(this.#scheme === 'dark' ? 'light' : 'dark');
    if (other !== undefined && this.#schemesAt?.has(this.#scheme ?? '')) this.#pieces[other] = '';
    this.#schemesAt = null;
  }
}
