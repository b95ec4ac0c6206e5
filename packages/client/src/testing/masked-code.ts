/** A shorter code would be found in other numbers. */
const LEAST_CODE_LENGTH = 4;

/** What may stand between the letters of a code: blanks, hyphens, tags, and the characters that no reader sees. */
const BETWEEN = /[\s\p{Cf}.-]+|<[^<>]*>|&(?:nbsp|shy|zwn?j|#\d{1,7}|#x[\da-f]{1,6});/giu;

const LETTER = /[\p{L}\p{N}]/u;

/** What continues a code. Languages without blanks write it right beside their own letters. */
const CONTINUES = /[A-Za-z\p{N}]/u;

/**
 * A text with each letter of a code as `*`, also where the code is written in groups, or in a box for each letter. So
 * its length and its place stay.
 */
export function maskedCode(text: string, code: string): string {
  const sought = code.replace(/[\s.-]/g, '');
  if (sought.length < LEAST_CODE_LENGTH) return text;
  return hidden(hidden(text, code, each(text)), sought, letters(text));
}

/** Places in a text, one for each letter that counts. */
type Places = readonly number[];

function each(text: string): Places {
  return Array.from({ length: text.length }, (_, at) => at);
}

/** The places of all letters but for what may stand between those of a code. */
function letters(text: string): Places {
  const places: number[] = [];
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++) places.push(at);
  };
  let at = 0;
  for (const { 0: between, index } of text.matchAll(BETWEEN)) {
    add(at, index);
    at = index + between.length;
  }
  add(at, text.length);
  return places;
}

/** Hides a code that stands at these places, and not within a longer word or number. */
function hidden(text: string, code: string, places: Places): string {
  const read = places.map((at) => text[at]).join('');
  const shown = text.split('');
  for (let found = read.indexOf(code); found >= 0; found = read.indexOf(code, found + code.length)) {
    const those = places.slice(found, found + code.length);
    const [first = 0, last = 0] = [those[0], those.at(-1)];
    if (CONTINUES.test(text[first - 1] ?? '') || CONTINUES.test(text[last + 1] ?? '')) continue;
    for (const at of those) if (LETTER.test(text[at] ?? '')) shown[at] = '*';
  }
  return shown.join('');
}
