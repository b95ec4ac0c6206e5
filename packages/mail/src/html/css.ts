import { type ColorScheme, WrittenCss } from './written-css.js';

/** Returns the URL to load instead of the given one, or null to load nothing. */
export type LoadedAddress = (address: string) => string | null;

const QUOTE = '"';

/** CSS functions that may load something. Their arguments are checked, or replaced by `none`. */
const LOADING =
  /^(?:url|src|url-prefix|domain|image|(?:-webkit-|-moz-)?(?:image-set|cross-fade|image-rect|element)|paint)$/;

/** At-rules that load style sheets or fonts, or contain URLs. They are dropped with their content. */
const LOADING_RULES = /^(?:import|font-face|namespace|(?:-moz-)?document|counter-style|property)$/;

/** A string with a URL becomes empty, because only links and images may name a host. Browsers treat `\` as `/`. */
const ADDRESS = /[\\/]{2}|https?:/i;

/** Characters that browsers remove from URLs (URL Standard, section 4.4). */
const LEFT_OUT = /[\t\n\r]/g;

const HEX_ESCAPE = /^[0-9a-fA-F]{1,6}/;

/**
 * Rewrites a style sheet or `style` attribute token by token (CSS Syntax, section 4). Drops comments, and resolves
 * escapes, because an escape could hide a function. Keeps only URLs that `load` allows, and drops what is costly to
 * paint. Uses the given color scheme, or the browser's if it is null. One forward pass in linear time.
 */
export function rewriteCss(css: string, load: LoadedAddress, scheme: ColorScheme | null = null): string {
  return new CssWriter(css, load, scheme).write();
}

class CssWriter {
  readonly #css: string;
  readonly #load: LoadedAddress;
  readonly #written: WrittenCss;
  #at = 0;

  constructor(css: string, load: LoadedAddress, scheme: ColorScheme | null) {
    this.#css = css;
    this.#load = load;
    this.#written = new WrittenCss(scheme);
  }

  write(): string {
    while (this.#at < this.#css.length) this.#token();
    return this.#written.end();
  }

  #token(): void {
    const css = this.#css;
    const char = css.charAt(this.#at);
    if (css.startsWith('/*', this.#at)) this.#passOver('*/', 2);
    // `<!--` and `-->` once hid style sheets from old browsers and now have no meaning.
    else if (css.startsWith('<!--', this.#at)) this.#passMark(4);
    else if (css.startsWith('-->', this.#at)) this.#passMark(3);
    else if (char === QUOTE || char === "'") this.#written.other(this.#keptString(this.#string()));
    else if (char === '@') this.#atRule();
    else if (isNamePart(char)) this.#name();
    else this.#mark(char);
  }

  #mark(char: string): void {
    this.#at += 1;
    this.#written.mark(char);
  }

  /** Replaces `<!--` or `-->` with a blank, so that the text on both sides does not join into one name. */
  #passMark(length: number): void {
    this.#at += length;
    this.#written.blank();
  }

  #passOver(end: string, from: number): void {
    const found = this.#css.indexOf(end, this.#at + from);
    this.#at = found < 0 ? this.#css.length : found + end.length;
    this.#written.blank();
  }

  #name(): void {
    const name = kept(this.#readName());
    if (this.#css.charAt(this.#at) !== '(') this.#written.name(name);
    else if (LOADING.test(name.toLowerCase())) this.#loading(name.toLowerCase());
    else this.#written.functionName(name);
  }

  #atRule(): void {
    this.#at += 1;
    const name = kept(this.#readName());
    if (LOADING_RULES.test(name.toLowerCase())) this.#dropRule();
    else this.#written.other(`@${name}`);
  }

  #dropRule(): void {
    for (let depth = 0; this.#at < this.#css.length; ) {
      if (depth === 0 && this.#css.charAt(this.#at) === '}') return;
      const passed = this.#passOne();
      if (passed === '{') depth += 1;
      if (passed === '}') depth -= 1;
      if (depth === 0 && (passed === '}' || passed === ';')) return;
    }
  }

  #passOne(): string {
    const char = this.#css.charAt(this.#at);
    if (char === QUOTE || char === "'") this.#string();
    else if (char === '\\') this.#escape();
    else if (this.#css.startsWith('/*', this.#at)) this.#passOver('*/', 2);
    else this.#at += 1;
    return char;
  }

  #loading(name: string): void {
    this.#at += 1;
    const address = name === 'url' ? this.#urlAddress() : null;
    if (address === null) this.#dropArguments();
    const loaded = address === null ? null : this.#load(address);
    this.#written.other(loaded === null ? 'none' : `url(${quoted(loaded)})`);
  }

  #urlAddress(): string | null {
    this.#skipBlanks();
    const char = this.#css.charAt(this.#at);
    if (char !== QUOTE && char !== "'") return this.#unquotedAddress();
    const address = this.#string();
    this.#skipBlanks();
    if (this.#css.charAt(this.#at) !== ')') return null;
    this.#at += 1;
    return address;
  }

  #unquotedAddress(): string {
    const close = this.#css.indexOf(')', this.#at);
    const end = close < 0 ? this.#css.length : close;
    const address = this.#css.slice(this.#at, end).trim();
    this.#at = close < 0 ? end : end + 1;
    // Legitimate URLs contain no escape, quote, bracket or blank.
    return /[\\"'(\s]/.test(address) ? '' : address;
  }

  #dropArguments(): void {
    for (let depth = 1; depth > 0 && this.#at < this.#css.length; ) {
      const passed = this.#passOne();
      if (passed === '(') depth += 1;
      if (passed === ')') depth -= 1;
    }
  }

  #skipBlanks(): void {
    while (this.#at < this.#css.length && this.#css.charAt(this.#at).trim() === '') this.#at += 1;
  }

  #readName(): string {
    const pieces: string[] = [];
    for (;;) {
      const start = this.#at;
      while (this.#at < this.#css.length && isPlainNamePart(this.#css.charCodeAt(this.#at))) this.#at += 1;
      pieces.push(this.#css.slice(start, this.#at));
      if (this.#css.charAt(this.#at) !== '\\') return pieces.join('');
      pieces.push(this.#escape());
    }
  }

  #string(): string {
    const quote = this.#css.charAt(this.#at);
    const pieces: string[] = [];
    this.#at += 1;
    for (let start = this.#at; ; ) {
      const char = this.#css.charAt(this.#at);
      const isEnd = char === '' || char === quote || char === '\n' || char === '\r' || char === '\f';
      if (!isEnd && char !== '\\') {
        this.#at += 1;
        continue;
      }
      pieces.push(this.#css.slice(start, this.#at));
      if (isEnd) {
        if (char === quote) this.#at += 1;
        return pieces.join('');
      }
      pieces.push(this.#escape());
      start = this.#at;
    }
  }

  /** Reads an escape (CSS Syntax, section 4.3.7): up to six hexadecimal digits and a blank, or any other character. */
  #escape(): string {
    this.#at += 1;
    const [hex] = HEX_ESCAPE.exec(this.#css.slice(this.#at, this.#at + 6)) ?? [];
    if (hex === undefined) {
      const char = this.#css.charAt(this.#at);
      this.#at += 1;
      // A backslash before a line break removes both.
      return char === '\n' || char === '\r' || char === '\f' ? '' : char;
    }
    this.#at += hex.length;
    if (/\s/.test(this.#css.charAt(this.#at))) this.#at += 1;
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  }

  #keptString(text: string): string {
    return ADDRESS.test(text.replace(LEFT_OUT, '')) ? '""' : quoted(text);
  }
}

function isNamePart(char: string): boolean {
  return char === '\\' || isPlainNamePart(char.charCodeAt(0));
}

function isPlainNamePart(code: number): boolean {
  const lower = code | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x5f || code > 0x7f
  );
}

/** Removes the characters of a name that would need an escape. Names are checked without them. */
function kept(name: string): string {
  return name.replace(/[^\w\u0080-\uffff-]/g, '');
}

/** Writes characters that could end the string or the style sheet as numeric escapes. */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters
  return `"${text.replace(/[\u0000-\u001f"\\<]/g, (char) => `\\${char.charCodeAt(0).toString(16)} `)}"`;
}
