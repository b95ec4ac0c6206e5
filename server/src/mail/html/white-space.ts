/** Characters without any width: they fill preview lines, and split words for spam filters. */
const WIDTHLESS = /[\u00ad\u200b\u2060\ufeff]+/g;

/** White space other than single spaces, or something without any width: text that is not shown as it is written. */
const UNEVEN = /[^\S ]|[\u00ad\u200b\u2060\ufeff]| {2}/;

/** Whether a text holds anything that is shown otherwise than it is written: it is not `onOneLine` as it stands. */
export function isUneven(text: string): boolean {
  return UNEVEN.test(text);
}

/** The text without what has no width. */
export function withoutWidthless(text: string): string {
  return text.replace(WIDTHLESS, '');
}

/** The text as it is shown in a line: white space, no-break spaces too, is one space, and what has no width is nothing. */
export function onOneLine(text: string): string {
  return isUneven(text) ? withoutWidthless(text).replace(/\s+/g, ' ') : text;
}
