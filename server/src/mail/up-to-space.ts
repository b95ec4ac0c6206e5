/** From here on (typographic marks, and the scripts that put no spaces between words) a character ends a number or address. */
const FIRST_UNSPACED = 0x2000;

/**
 * The beginning of a text up to a bound, without the word that the bound cuts, for half a number or address would be taken for
 * a whole one. If all of it is one word, that is cut.
 */
export function upToSpace(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = maxChars;
  while (end > 0 && !endsWord(text.charCodeAt(end))) end--;
  return text.slice(0, end === 0 ? maxChars : end);
}

function endsWord(code: number): boolean {
  return code <= 0x20 || code >= FIRST_UNSPACED;
}
