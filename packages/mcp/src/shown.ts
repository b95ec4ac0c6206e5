/**
 * What a stranger's text must not bring to a terminal or a model unseen: control characters and ANSI escapes, ends of
 * lines that look like none, halves of surrogate pairs, characters that turn the direction of what follows, and the
 * invisible letters of the block of tags.
 */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u{061c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{e0000}-\u{e007f}]/u;

/** Which of these are ordinary in a text of several lines. */
const ORDINARY = '\n\t';

/** A text as an agent is shown it. */
export interface Shown {
  readonly text: string;
  /** Whether the text goes on. */
  readonly isCut: boolean;
}

/**
 * The first `max` characters (code points) of a text. Invisible ones are written out, such as `\u{1b}`, and count as
 * written. Reads no more of a long text than it shows.
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

/** The same on one line, with `…` where it goes on. */
export function shownLine(text: string, max: number): string {
  const { text: line, isCut } = shown(text.replaceAll(/[\r\n\t]+/g, ' '), max);
  return isCut ? `${line}…` : line;
}

/** An address with what would not be seen percent-encoded, which leads to the same place (RFC 3986 section 2.1). */
export function shownUrl(url: string): string {
  return Array.from(url, (char) =>
    HIDDEN.test(char) ? encodeURIComponent(char.replace(/\p{Cs}/u, '\ufffd')) : char,
  ).join('');
}

function writtenOut(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}
