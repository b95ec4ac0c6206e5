import type { Extent, Source } from './tag.js';

/** What an element's `style` says about how its text is seen; null is what it does not say. */
export interface Style {
  /** The element and all in it cannot be seen. */
  hidden: boolean;
  /** Font size in CSS pixels, or a factor of the parent's size. */
  fontSize: { readonly value: number; readonly relative: boolean } | null;
  bold: boolean | null;
  /** Shown apart from the running text: a fixed-width font or wide letter spacing. */
  codeLike: boolean;
  /** Has a background, a border or padding of its own, as buttons do. */
  boxed: boolean;
  /** How the element takes part in the layout. */
  display: 'inline' | 'block' | null;
  /** Whether line breaks and spaces in the source count. */
  preformatted: boolean | null;
}

/** Longer `style` attributes are read up to here. */
const MAX_STYLE_CHARS = 2_000;

const SIZE = /^(\d{0,4}(?:\.\d{1,4})?)(px|pt|em|rem|%)?/;
const SPACE = 0x20;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
/** The letter before the semicolon of `&quot;`. */
const LAST_OF_QUOTE = 0x74;
/** The bit that makes an ASCII letter lower case. */
const LOWER_CASE = 0x20;

const PX_PER_PT = 4 / 3;
const PX_PER_REM = 16;

function parseFontSize(value: string): Style['fontSize'] {
  const match = SIZE.exec(value);
  if (match === null || match[1] === '' || match[1] === undefined) return null;
  const number = Number(match[1]);
  if (match[2] === 'em') return { value: number, relative: true };
  if (match[2] === '%') return { value: number / 100, relative: true };
  if (match[2] === 'rem') return { value: number * PX_PER_REM, relative: false };
  if (match[2] === 'pt') return { value: number * PX_PER_PT, relative: false };
  return { value: number, relative: false };
}

function isZero(value: string): boolean {
  return value.startsWith('0') && Number.parseFloat(value) === 0;
}

function isDrawn(value: string): boolean {
  return value !== '' && !isZero(value) && !/^(?:none|transparent|inherit|initial|unset)\b/.test(value);
}

/** What each property that matters does to the style. */
const PROPERTIES = new Map<string, (style: Style, value: string) => void>(
  Object.entries({
    display(style: Style, value: string) {
      if (value.startsWith('none')) style.hidden = true;
      else if (value.startsWith('inline') || value.startsWith('table-cell')) style.display = 'inline';
      else if (value.startsWith('block') || value.startsWith('flex') || value.startsWith('table'))
        style.display = 'block';
    },
    visibility(style: Style, value: string) {
      if (value.startsWith('hidden') || value.startsWith('collapse')) style.hidden = true;
    },
    'font-size'(style: Style, value: string) {
      style.fontSize = parseFontSize(value) ?? style.fontSize;
    },
    'font-weight'(style: Style, value: string) {
      style.bold = value.startsWith('bold') || Number.parseInt(value, 10) >= 600;
    },
    'font-family'(style: Style, value: string) {
      if (/mono|courier|consolas/.test(value)) style.codeLike = true;
    },
    'letter-spacing'(style: Style, value: string) {
      if (Number.parseFloat(value) >= (value.includes('em') ? 0.1 : 2)) style.codeLike = true;
    },
    opacity(style: Style, value: string) {
      if (isZero(value)) style.hidden = true;
    },
    'max-height'(style: Style, value: string) {
      if (isZero(value)) style.hidden = true;
    },
    'mso-hide'(style: Style, value: string) {
      if (value.startsWith('all')) style.hidden = true;
    },
    background(style: Style, value: string) {
      if (isDrawn(value)) style.boxed = true;
    },
    'background-color'(style: Style, value: string) {
      if (isDrawn(value)) style.boxed = true;
    },
    'white-space'(style: Style, value: string) {
      style.preformatted = value.startsWith('pre') || value.startsWith('break-spaces');
    },
  }),
);

/** The first letters and lengths of their names, by which most other properties are passed over unread. */
const OUTLINES = new Set([...PROPERTIES.keys()].map((name) => outline(name.charCodeAt(0), name.length)));

function outline(initial: number, length: number): number {
  return length * 256 + (initial | LOWER_CASE);
}

/** The one character reference that is common in style attributes. It must not be taken for the end of a declaration. */
const QUOTE = '&quot;';

/** What an element without a style has. */
export const NO_STYLE: Style = {
  hidden: false,
  fontSize: null,
  bold: null,
  codeLike: false,
  boxed: false,
  display: null,
  preformatted: null,
};

/** Reads the properties of a `style` attribute, as it is written, that decide how text is seen. Linear. */
export function parseStyle(source: Source, { from, to }: Extent): Style {
  const { html, units } = source;
  const style = { ...NO_STYLE };
  const end = Math.min(to, from + MAX_STYLE_CHARS);
  for (let start = from; start < end; ) {
    let colon = -1;
    let at = start;
    for (; at < end; at++) {
      const unit = units[at];
      if (unit === COLON && colon < 0) colon = at;
      else if (unit === SEMICOLON && !(units[at - 1] === LAST_OF_QUOTE && isQuote(html, from, at))) break;
    }
    readDeclaration(style, source, { start, colon: colon < 0 ? at : colon, end: at });
    start = at + 1;
  }
  return style;
}

/** Whether the character reference of a quote ends with the semicolon at a place. */
function isQuote(html: string, from: number, semicolon: number): boolean {
  const start = semicolon + 1 - QUOTE.length;
  return start >= from && html.startsWith(QUOTE, start);
}

interface Declaration {
  readonly start: number;
  readonly colon: number;
  readonly end: number;
}

function readDeclaration(style: Style, { html, units }: Source, { start, colon, end }: Declaration): void {
  let nameStart = start;
  while (nameStart < colon && (units[nameStart] as number) <= SPACE) nameStart++;
  let nameEnd = colon;
  while (nameEnd > nameStart && (units[nameEnd - 1] as number) <= SPACE) nameEnd--;
  if (!OUTLINES.has(outline(units[nameStart] as number, nameEnd - nameStart))) return;
  const property = PROPERTIES.get(html.slice(nameStart, nameEnd).toLowerCase());
  if (property === undefined) return;
  const value = html.slice(colon + 1, end).replaceAll(QUOTE, "'");
  property(style, value.trim().toLowerCase());
}

/** The font size, in CSS pixels, of an element of this style in a parent of that size. */
export function fontSizeIn(parentPx: number, style: Style): number {
  if (style.fontSize === null) return parentPx;
  return style.fontSize.relative ? parentPx * style.fontSize.value : style.fontSize.value;
}
