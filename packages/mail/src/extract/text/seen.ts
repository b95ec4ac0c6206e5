import type { HtmlPage } from '../../html/html-page.js';
import { firstAt, type Range } from './lines.js';

/**
 * What has no width, and digits and letters of mathematics. Joiners and variation selectors stay behind other letters
 * than ASCII, because they belong to words of Persian and to pictures.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for by itself
  /(?<=[!-~\p{Nd}])[\u20e3\p{DI}]+|(?![\u200c\u200d\ufe00-\ufe0f])[\u20e3\p{DI}]|[\u{1d400}-\u{1d7ff}\u{1fbf0}-\u{1fbf9}]+/gu;
/**
 * A text without any of these is done. They are all beyond Latin-1, so that no text of one byte a character is
 * searched, except for the soft hyphen, for which V8 has a faster search.
 */
const RARE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for by itself
  /[\u20e3\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ud835\ud83e\udb40]/;
const SOFT_HYPHEN = '\u00ad';

function isSeen(text: string): boolean {
  return !RARE.test(text) && !text.includes(SOFT_HYPHEN);
}

function shownAs(unseen: string): string {
  return /^[\ud835\ud83e]/.test(unseen) ? unseen.normalize('NFKC') : '';
}

/** A text as a reader sees it: without characters that have no width, and with plain digits and letters. */
export function seenText(text: string): string {
  return isSeen(text) ? text : text.replace(UNSEEN, shownAs);
}

interface Cut extends Range {
  readonly removed: number;
}

/** A page with a text that is part of its own, as a reader sees it. */
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
