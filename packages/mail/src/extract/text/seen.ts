import type { HtmlPage } from '../../html/html-page.js';
import { firstAt, type Range } from './lines.js';

/**
 * Matches zero-width characters, and mathematical digits and letters. Joiners and variation selectors after non-ASCII
 * characters are kept, because Persian words and emoji need them.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the expression looks for each character separately
  /(?<=[!-~\p{Nd}])[\u20e3\p{DI}]+|(?![\u200c\u200d\ufe00-\ufe0f])[\u20e3\p{DI}]|[\u{1d400}-\u{1d7ff}\u{1fbf0}-\u{1fbf9}]+/gu;
/**
 * A quick check, because texts without these characters need no change. The soft hyphen, the only one in Latin-1, is
 * checked separately, so that V8 can skip this expression for one-byte strings.
 */
const RARE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the expression looks for each character separately
  /[\u20e3\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ud835\ud83e\udb40]/;
const SOFT_HYPHEN = '\u00ad';

function isSeen(text: string): boolean {
  return !RARE.test(text) && !text.includes(SOFT_HYPHEN);
}

function shownAs(unseen: string): string {
  return /^[\ud835\ud83e]/.test(unseen) ? unseen.normalize('NFKC') : '';
}

/** A text as displayed: without zero-width characters, and with plain digits and letters. */
export function seenText(text: string): string {
  return isSeen(text) ? text : text.replace(UNSEEN, shownAs);
}

interface Cut extends Range {
  readonly removed: number;
}

/** A page with its text as displayed. `text` is the start of `page.text`; the rest is dropped. */
export function seenPage(page: HtmlPage, text: string): HtmlPage {
  if (isSeen(text)) return text === page.text ? page : { ...page, text };
  const cuts: Cut[] = [];
  let removed = 0;
  const seen = text.replace(UNSEEN, (unseen, start: number) => {
    const shown = shownAs(unseen);
    const end = start + unseen.length;
    removed += unseen.length - shown.length;
    cuts.push({ start: end, end, removed });
    return shown;
  });
  const moved = (at: number) => at - (cuts[firstAt(cuts, at + 1) - 1]?.removed ?? 0);
  const placed = <T extends Range>(one: T): T => ({ ...one, start: moved(one.start), end: moved(one.end) });
  return { ...page, text: seen, spans: page.spans.map(placed), links: page.links.map(placed) };
}

/** Decimal digits of other scripts in the basic plane. */
const OTHER_DIGITS = /(?![0-9\u{10000}-\u{10ffff}])\p{Nd}/gu;

/** A quick check for scripts with their own digits. Excludes typographic punctuation, which is common. */
const OTHER_SCRIPT = /[\u0660-\u1fff\u2c00-\uffff]/;

/** Replaces decimal digits of other scripts with ASCII digits. The length stays the same. */
export function asciiDigits(text: string): string {
  return OTHER_SCRIPT.test(text) ? text.replace(OTHER_DIGITS, asciiDigit) : text;
}

/** A script's ten digits have consecutive code points, the first of which ends in 0 or 6 (hexadecimal). */
function asciiDigit(digit: string): string {
  const last = digit.charCodeAt(0) % 16;
  return String(/\p{Nd}/u.test(String.fromCharCode(digit.charCodeAt(0) - last)) ? last : last - 6);
}
