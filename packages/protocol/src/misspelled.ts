/**
 * Returns the name that `text` probably means, or null. Matches the same letters in another case or with other
 * separators (`has_otp`), a flag without its `has` (`otp`), and one typo (`form`). Skips long texts, to save time.
 */
export function meantBy(text: string, names: readonly string[]): string | null {
  return spellingOf(names)(text);
}

const MOST_MEANT = 3;

/** The name that `text` probably means; otherwise the one to three names that end in `end`: `a, b or c`; else null. */
export function meantInWords(
  text: string,
  end: string,
  names: readonly string[],
  shown = (name: string) => name,
): string | null {
  const slip = meantBy(text, names);
  const meant = (slip === null ? names.filter((name) => name.endsWith(end)) : [slip]).map(shown);
  if (meant.length > MOST_MEANT) return null;
  const last = meant.pop();
  return [...(meant.length > 0 ? [meant.join(', ')] : []), ...(last === undefined ? [] : [last])].join(' or ') || null;
}

/** Like `meantBy` for many texts. Prepares the names once, because a query may have thousands of texts (D22). */
export function spellingOf(names: readonly string[]): (text: string) => string | null {
  const known = names.map((name) => ({ name, word: wordOf(name) }));
  const longest = Math.max(0, ...names.map(({ length }) => length));
  return (text) => {
    if (text.length >= 2 * longest) return null;
    const given = wordOf(text);
    for (const { name, word } of known) {
      if (text.length >= 2 * name.length) continue;
      if (word === given || isWithoutHas(given, word) || isOneSlip(text, name)) return name;
    }
    return null;
  };
}

function wordOf(text: string): string {
  return text.toLowerCase().replaceAll(/[-_. ]/g, '');
}

function isWithoutHas(given: string, word: string): boolean {
  return given.length + 'has'.length === word.length && word.startsWith('has') && word.endsWith(given);
}

/** Whether one character was added, omitted or replaced, or two adjacent ones were swapped. */
function isOneSlip(given: string, meant: string): boolean {
  const shorter = Math.min(given.length, meant.length);
  if (Math.max(given.length, meant.length) > shorter + 1) return false;
  let start = 0;
  while (start < shorter && given[start] === meant[start]) start += 1;
  let [givenEnd, meantEnd] = [given.length, meant.length];
  while (Math.min(givenEnd, meantEnd) > start && given[givenEnd - 1] === meant[meantEnd - 1]) {
    givenEnd -= 1;
    meantEnd -= 1;
  }
  if (givenEnd <= start + 1 && meantEnd <= start + 1) return true;
  const isPair = givenEnd === start + 2 && meantEnd === start + 2;
  return isPair && given[start] === meant[start + 1] && given[start + 1] === meant[start];
}
