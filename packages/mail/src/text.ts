/** The first `max` UTF-16 code units of a text, or one fewer if that would split a surrogate pair. */
export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? max - 1 : max);
}

export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
}

/** Characters from this one on cannot continue a number or URL: typographic marks, and scripts without spaces. */
const FIRST_UNSPACED = 0x2000;

/** Truncates a text between words, because half a number or address would look like a whole one. */
export function upToSpace(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = maxChars;
  while (end > 0 && !endsWord(text.charCodeAt(end))) end--;
  return text.slice(0, end === 0 ? maxChars : end);
}

function endsWord(code: number): boolean {
  return code <= 0x20 || code >= FIRST_UNSPACED;
}
