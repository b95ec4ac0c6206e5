import { NOWHERE, step, values } from './letter-tree.js';
import { codeUnits, isWordCharacter, type Text, wordEnd } from './letters.js';
import { BEGINNINGS, beginningRole, ENDINGS, NO_ROLE, PARTS, type Role, roleOf, wholeRole } from './word-tree.js';

/** A word of the vocabulary in a text. */
export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/**
 * So far around a part of a text its words are followed. No language has longer ones, and a text of one word would
 * otherwise be read again for each of its links and numbers.
 */
export const MAX_WORD_CHARS = 200;

/**
 * The words of the vocabulary in a text or a part of it, in order; the last may end behind the part. Those inside of
 * web addresses are left out: they belong to nobody's sentence. Linear in the part's length.
 *
 * Nearly all letters that extraction looks at pass through here, so the walk along the tree is written out: of
 * functions of its own V8 inlines only some.
 */
export function findWords(text: Text, from = 0, to = text.lower.length): Word[] {
  const units = codeUnits(text);
  const words: Word[] = [];
  const end = Math.min(to, text.lower.length);
  // What walks along letters stops at a NUL, wherever it is.
  const farthest = Math.min(end + MAX_WORD_CHARS, text.lower.length);
  const farthestCode = units[farthest] as number;
  units[farthest] = NUL;
  for (let at = from; at < end; ) {
    const start = at;
    let code = units[at] as number;
    if (!isWordCharacter(code)) {
      at++;
      continue;
    }
    let node: number = BEGINNINGS;
    let whole = NO_ROLE;
    let beginning = NO_ROLE;
    do {
      node = step(node, code);
      code = units[++at] as number;
      if (node === NOWHERE) break;
      const value = values[node] as number;
      whole = wholeRole(value);
      beginning = beginningRole(value) || beginning;
    } while (isWordCharacter(code));
    if (node === NOWHERE) {
      whole = NO_ROLE;
      while (isWordCharacter(code)) code = units[++at] as number;
    }
    at = addWord(words, units, start, at, node, whole, beginning);
  }
  units[farthest] = farthestCode;
  return words;
}

/**
 * Adds what a word or the phrase that it begins means, and returns where to go on. `node` is where its letters lead;
 * the roles are those of the entry that it is, and of the longest that it begins with.
 */
function addWord(
  words: Word[],
  units: Uint16Array,
  start: number,
  end: number,
  node: number,
  whole: number,
  beginning: number,
): number {
  if (units[end] === COLON && units[end + 1] === SLASH && units[end + 2] === SLASH) return addressEnd(units, end);
  const phrase = node === NOWHERE ? null : phraseFrom(units, start, end, node);
  if (phrase !== null) {
    words.push(phrase);
    return phrase.end;
  }
  const role = whole || stronger(beginning, endingRole(units, start, end));
  if (role !== NO_ROLE) {
    if (!isOfHost(units, end)) words.push({ role: roleOf(role), start, end });
  } else if (isUnspaced(units, start) || isUnspaced(units, end - 1)) addParts(words, units, start, end);
  return end;
}

const NUL = 0;
const SPACE = 0x20;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;

/** Senders are named by their hosts: `booking.com` speaks of no booking. */
const HOST_ENDINGS: ReadonlySet<string> = new Set(['com', 'net', 'org', 'io', 'co', 'app']);
const MAX_HOST_ENDING_CHARS = 3;

function isOfHost(units: Uint16Array, end: number): boolean {
  if (units[end] !== DOT || !isWordCharacter(units[end + 1] as number)) return false;
  const last = wordEnd(units, end + 1);
  if (last - end - 1 > MAX_HOST_ENDING_CHARS) return false;
  return HOST_ENDINGS.has(String.fromCharCode(...units.subarray(end + 1, last)));
}

/** The longest entry of several words, a space or mark apart, that begins with a word whose node is given; or null. */
function phraseFrom(units: Uint16Array, start: number, end: number, word: number): Word | null {
  let phrase: Word | null = null;
  let node = word;
  for (let at = end; ; at++) {
    node = step(node, plainMark(units[at] as number));
    if (node === NOWHERE) break;
    const value = values[node] as number;
    if (value === 0) continue;
    const last = wordEnd(units, at);
    const role = (last === at + 1 && wholeRole(value)) || beginningRole(value);
    if (role !== NO_ROLE) phrase = { role: roleOf(role), start, end: last };
  }
  return phrase;
}

/** A no-break space and curved apostrophes as the space and the apostrophe that entries are written with. */
function plainMark(code: number): number {
  if (code === 0xa0) return SPACE;
  return code === 0x2018 || code === 0x2019 ? 0x27 : code;
}

function endingRole(units: Uint16Array, start: number, end: number): number {
  let role = NO_ROLE;
  let node: number = ENDINGS;
  for (let at = end - 1; at >= start; at--) {
    node = step(node, units[at] as number);
    if (node === NOWHERE) break;
    role = wholeRole(values[node] as number) || role;
  }
  return role;
}

function stronger(a: number, b: number): number {
  if (a === NO_ROLE || b === NO_ROLE) return a || b;
  return Math.min(a, b);
}

function addParts(words: Word[], units: Uint16Array, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const found = longestPart(units, at, end);
    if (found !== null) words.push(found);
    at = found?.end ?? at + 1;
  }
}

function longestPart(units: Uint16Array, start: number, end: number): Word | null {
  let found: Word | null = null;
  let node: number = PARTS;
  for (let at = start; at < end; at++) {
    node = step(node, units[at] as number);
    if (node === NOWHERE) break;
    const role = wholeRole(values[node] as number);
    if (role !== NO_ROLE) found = { role: roleOf(role), start, end: at + 1 };
  }
  return found;
}

/** From here on (Devanagari) scripts have entries that may stand anywhere in a word. */
const FIRST_UNSPACED = 0x0900;

/** Either end of a word tells its script: a name of another one may stand before or behind, as in `OTPコード`. */
function isUnspaced(units: Uint16Array, at: number): boolean {
  return (units[at] as number) >= FIRST_UNSPACED;
}

function addressEnd(units: Uint16Array, from: number): number {
  let end = from;
  while ((units[end] as number) > SPACE) end++;
  return end;
}
