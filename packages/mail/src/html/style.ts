/** How an element's `style` changes its text. Null means unchanged. */
export interface Style {
  hidden: boolean;
  /** Font size in CSS pixels, or a factor of the parent's size. */
  fontSize: { readonly value: number; readonly relative: boolean } | null;
  bold: boolean | null;
  /** The text is set apart from running text by a fixed-width font or wide letter spacing. */
  codeLike: boolean;
  /** The element has its own background, as buttons do. */
  boxed: boolean;
  display: 'inline' | 'block' | null;
  preformatted: boolean | null;
}

const MAX_STYLE_CHARS = 2_000;

const SIZE = /^(\d{0,4}(?:\.\d{1,4})?)(px|pt|em|rem|%)?/;
const SPACE = 0x20;
const COLON = 0x3a;
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

/** The first letter and the length of each property name, to skip most other properties early. */
const OUTLINES = new Set([...PROPERTIES.keys()].map((name) => outline(name.charCodeAt(0), name.length)));

function outline(initial: number, length: number): number {
  return length * 256 + (initial | LOWER_CASE);
}

/** Reads the properties that decide how text is displayed. Linear time. */
export function parseStyle(attribute: string): Style {
  // The semicolon of this common character reference must not end a declaration.
  const css = attribute.slice(0, MAX_STYLE_CHARS).replaceAll('&quot;', "'");
  const style: Style = {
    hidden: false,
    fontSize: null,
    bold: null,
    codeLike: false,
    boxed: false,
    display: null,
    preformatted: null,
  };
  for (let from = 0; from < css.length; ) {
    const semicolon = css.indexOf(';', from);
    const to = semicolon < 0 ? css.length : semicolon;
    readDeclaration(style, css, from, to);
    from = to + 1;
  }
  return style;
}

function readDeclaration(style: Style, css: string, from: number, to: number): void {
  let start = from;
  while (start < to && css.charCodeAt(start) <= SPACE) start++;
  let colon = start;
  while (colon < to && css.charCodeAt(colon) !== COLON) colon++;
  let end = colon;
  while (end > start && css.charCodeAt(end - 1) <= SPACE) end--;
  if (!OUTLINES.has(outline(css.charCodeAt(start), end - start))) return;
  PROPERTIES.get(css.slice(start, end).toLowerCase())?.(
    style,
    css
      .slice(colon + 1, to)
      .trim()
      .toLowerCase(),
  );
}

export function fontSizeIn(parentPx: number, style: Style): number {
  if (style.fontSize === null) return parentPx;
  return style.fontSize.relative ? parentPx * style.fontSize.value : style.fontSize.value;
}
