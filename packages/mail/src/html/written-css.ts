export type ColorScheme = 'light' | 'dark';

/**
 * Properties that make a browser paint an element into a separate texture, or lay it out for each column. Thirty such
 * elements, nested, keep a browser busy for a minute (D69). `rotate`, `scale` and `translate` can be three-dimensional.
 */
const STRIPPED_PROPERTY =
  /^(?:-(?:webkit|moz|ms|o)-)?(?:(?:backdrop-)?filter|will-change|perspective(?:-origin(?:-[xy])?)?|transform-style|backface-visibility|box-reflect|columns|column-(?:count|width)|rotate|scale|translate)$/;

/** Three-dimensional functions of `transform`, which are as costly as the properties above. */
const STRIPPED_FUNCTION = /^(?:matrix3d|perspective|rotate3d|rotate[xyz]|scale3d|scalez|translate3d|translatez)$/;

/** A prefix that makes browsers ignore a declaration. */
const UNKNOWN = '-stripped-';

const PREFERENCE = 'prefers-color-scheme';

/** Replacements for a color scheme preference: a condition that every screen meets, and one that no screen meets. */
const MET = { feature: 'min-width', value: '0px' } as const;
const UNMET = { feature: 'max-width', value: '-1px' } as const;

/** The last written name, if only blanks follow it. */
interface LastName {
  readonly at: number;
  readonly name: string;
  /** The character before the name, ignoring blanks. */
  readonly after: string;
}

/** Collects rewritten CSS. The character after a name decides its role, so a written name may still be replaced. */
export class WrittenCss {
  readonly #pieces: string[] = [];
  readonly #scheme: ColorScheme | null;
  #last: LastName | null = null;
  #after = '';
  /** The index in `#pieces` of the color scheme preference whose value follows. */
  #preferenceAt: number | null = null;
  /** The indexes in `#pieces` of the schemes in a `color-scheme`; null outside such a declaration. */
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

  /** Writes a string, a `url()`, or an at-rule's name. */
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

  /** Checks a name that a colon follows: a property or a feature, but not part of a selector (`.filter:hover`). */
  #judge({ at, name, after }: LastName): void {
    this.#preferenceAt = null;
    if (after === '.' || after === '#' || after === ':') return;
    if (STRIPPED_PROPERTY.test(name)) this.#pieces[at] = UNKNOWN + name;
    if (this.#scheme === null) return;
    if (name === PREFERENCE && after === '(') this.#preferenceAt = at;
    if (name === 'color-scheme') this.#schemesAt = new Map();
  }

  /** If both schemes are listed, keeps only the one that the reader chose. */
  #settleSchemes(): void {
    const other = this.#schemesAt?.get(this.#scheme === 'dark' ? 'light' : 'dark');
    if (other !== undefined && this.#schemesAt?.has(this.#scheme ?? '')) this.#pieces[other] = '';
    this.#schemesAt = null;
  }
}
