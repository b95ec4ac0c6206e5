/**
 * Characters in a stranger's text that could deceive a terminal or a model: control characters and ANSI escapes,
 * unusual line separators, unpaired surrogates, bidirectional controls, and the invisible letters of the Tags block.
 * Each, unless in `ORDINARY`, is replaced by a visible escape.
 */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u{061c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{e0000}-\u{e007f}]/u;

/** Characters of `HIDDEN` that are not escaped, because a text of several lines contains them. */
const ORDINARY = '\n\t';

/** A text in the form that an agent may see. */
export interface Shown {
  readonly text: string;
  /** Whether the text was truncated. */
  readonly isCut: boolean;
}

/**
 * The first `max` characters (code points) of a text. An invisible character becomes an escape such as `\u{1b}`, whose
 * whole length counts. Reads only the part of a long text that it returns.
 */
export function shown(text: string, max: number): Shown {
  let shown = '';
  let left = max;
  let end = 0;
  for (const char of text.slice(0, 2 * max + 2)) {
    const written = HIDDEN.test(char) && !ORDINARY.includes(char) ? writtenOut(char) : char;
    left -= written === char ? 1 : written.length;
    if (left < 0) return { text: shown, isCut: true };
    shown += written;
    end += char.length;
  }
  return { text: shown, isCut: end < text.length };
}

/** Returns a text on one line, which ends in `…` if it was truncated. */
export function shownLine(text: string, max: number): string {
  const { text: line, isCut } = shown(text.replaceAll(/[\r\n\t]+/g, ' '), max);
  return isCut ? `${line}…` : line;
}

/** Percent-encodes the invisible characters of a URL. The result leads to the same place (RFC 3986 section 2.1). */
export function shownUrl(url: string): string {
  return Array.from(url, (char) =>
    HIDDEN.test(char) ? encodeURIComponent(char.replace(/\p{Cs}/u, '\ufffd')) : char,
  ).join('');
}

function writtenOut(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}
