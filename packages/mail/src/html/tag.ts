/** Real tags have fewer than 20 attributes. */
const MAX_ATTRIBUTES = 64;

const TAB = 0x09;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
/** The bit that makes an ASCII letter lower case. */
const LOWER_CASE = 0x20;

/** An opening tag (HTML standard, 13.2.5.8 to 13.2.5.40). */
export class Tag {
  readonly name: string;
  /** The index after the tag's `>`; -1 if the input ends before a `>`, so there is no tag. */
  readonly end: number;

  readonly #html: string;
  /** Four offsets per attribute: start and end of the name, start and end of the value. */
  readonly #attributes: number[] = [];

  constructor(html: string, nameFrom: number) {
    this.#html = html;
    const nameTo = tagNameEnd(html, nameFrom);
    this.name = tagName(html, nameFrom, nameTo);
    this.end = this.#readAttributes(nameTo);
  }

  /** The value of an attribute with entities not decoded; `""` if it has no value, null if it is absent. */
  attribute(name: string): string | null {
    const html = this.#html;
    const found = this.#attributes;
    const initial = name.charCodeAt(0);
    for (let i = 0; i < found.length; i += 4) {
      const from = found[i] as number;
      const to = found[i + 1] as number;
      // Checks length and first letter first, which distinguish most attributes.
      if (to - from !== name.length || (html.charCodeAt(from) | LOWER_CASE) !== initial) continue;
      const written = html.slice(from, to);
      if (written === name || written.toLowerCase() === name) return html.slice(found[i + 2], found[i + 3]);
    }
    return null;
  }

  #readAttributes(from: number): number {
    const html = this.#html;
    let at = from;
    while (at < html.length) {
      const code = html.charCodeAt(at);
      if (code === GREATER) return at + 1;
      if (code === SLASH || isSpace(code)) at++;
      else at = this.#readAttribute(at);
    }
    return -1;
  }

  #readAttribute(from: number): number {
    const html = this.#html;
    const nameTo = attributeNameEnd(html, from);
    const equals = skipSpaces(html, nameTo);
    if (html.charCodeAt(equals) !== EQUALS) return this.#remember(from, nameTo, nameTo, nameTo);
    const valueFrom = skipSpaces(html, equals + 1);
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
    if (this.#attributes.length < MAX_ATTRIBUTES * 4) this.#attributes.push(nameFrom, nameTo, valueFrom, valueTo);
    return valueTo;
  }
}

export function tagNameEnd(html: string, from: number): number {
  let at = from;
  for (; at < html.length; at++) {
    const code = html.charCodeAt(at);
    if (code === GREATER || code === SLASH || isSpace(code)) break;
  }
  return at;
}

export function tagName(html: string, from: number, to: number): string {
  const name = html.slice(from, to);
  for (let at = from; at < to; at++) if ((html.charCodeAt(at) & LOWER_CASE) === 0) return name.toLowerCase();
  return name;
}

function attributeNameEnd(html: string, from: number): number {
  // Counts a leading "=" as part of the name (HTML standard, 13.2.5.32). This also guarantees progress.
  let at = from + 1;
  for (; at < html.length; at++) {
    const code = html.charCodeAt(at);
    if (code === EQUALS || code === GREATER || code === SLASH || isSpace(code)) break;
  }
  return at;
}

function skipSpaces(html: string, from: number): number {
  let at = from;
  while (at < html.length && isSpace(html.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code <= SPACE && (code === SPACE || (code >= TAB && code <= 0x0d));
}
