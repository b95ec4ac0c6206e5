import { languages, NOWHERE, step, values } from './letter-tree.js';
import { codeUnits, isWordCharacter, type Text, wordEnd } from './letters.js';
import { BEGINNINGS, beginningRole, ENDINGS, NO_ROLE, PARTS, roleOf, type Word, wholeRole } from './word-tree.js';

export type { Word };

/** Words extend at most this far beyond a part of a text, so that a text without blanks takes linear time. */
export const MAX_WORD_CHARS = 200;

/** The words in a part of a text, in order, that count in its languages. The last word may end after the part. */
export function findWords(text: Text, from = 0, to = text.lower.length): Word[] {
  const words = wordsOfAnyLanguage(text, from, to);
  return text.languages?.only(words, text) ?? words;
}

/**
 * The words in a part of a text in any language. Skips web addresses, whose words are not part of a sentence.
 *
 * Nearly all letters of a message pass through here, so the walk along the tree is inlined by hand: V8 inlines only
 * some functions.
 */
export function wordsOfAnyLanguage(text: Text, from = 0, to = text.lower.length): Word[] {
  const units = codeUnits(text);
  const words: Word[] = [];
  const end = Math.min(to, text.lower.length);
  // A NUL ends the loops over letters.
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
    let beginning = NOWHERE;
    do {
      node = step(node, code);
      code = units[++at] as number;
      if (node === NOWHERE) break;
      if (beginningRole(values[node] as number) !== NO_ROLE) beginning = node;
    } while (isWordCharacter(code));
    if (node === NOWHERE) while (isWordCharacter(code)) code = units[++at] as number;
    at = addWord(words, units, start, at, node, beginning);
  }
  units[farthest] = farthestCode;
  return words;
}

/**
 * Adds a word, or the phrase that it begins, and returns the end. `node` is the tree node of the whole word,
 * `beginning` the node of the longest entry that the word starts with.
 */
function addWord(
  words: Word[],
  units: Uint16Array,
  start: number,
  end: number,
  node: number,
  beginning: number,
): number {
  if (units[end] === COLON && units[end + 1] === SLASH && units[end + 2] === SLASH) return addressEnd(units, end);
  const phrase = node === NOWHERE ? null : phraseFrom(units, start, end, node);
  if (phrase !== null) {
    words.push(phrase);
    return phrase.end;
  }
  const word = wholeWord(node, start, end) ?? inflectedWord(units, start, end, beginning);
  if (word !== null) {
    if (!isOfHost(units, end)) words.push(word);
  } else if (isUnspaced(units, start) || isUnspaced(units, end - 1)) addParts(words, units, start, end);
  return end;
}

function wholeWord(node: number, start: number, end: number): Word | null {
  const role = node === NOWHERE ? NO_ROLE : wholeRole(values[node] as number);
  return role === NO_ROLE ? null : { role: roleOf(role), start, end, languages: languages[node] as number };
}

/** The inflected word found by its beginning or its end, whichever has the stronger role, or null. */
function inflectedWord(units: Uint16Array, start: number, end: number, beginning: number): Word | null {
  const ending = endingOf(units, start, end);
  const begun = beginning === NOWHERE ? NO_ROLE : beginningRole(values[beginning] as number);
  const ended = ending === NOWHERE ? NO_ROLE : wholeRole(values[ending] as number);
  if (ended !== NO_ROLE && (begun === NO_ROLE || ended < begun)) return wholeWord(ending, start, end);
  return begun === NO_ROLE ? null : { role: roleOf(begun), start, end, languages: languages[beginning] as number };
}

const NUL = 0;
const SPACE = 0x20;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;

/** Words in a host name do not count: `kestrel-booking.app` is not about a booking. */
const HOST_ENDINGS: ReadonlySet<string> = new Set(['com', 'net', 'org', 'io', 'co', 'app']);
const MAX_HOST_ENDING_CHARS = 3;

function isOfHost(units: Uint16Array, end: number): boolean {
  if (units[end] !== DOT || !isWordCharacter(units[end + 1] as number)) return false;
  const last = wordEnd(units, end + 1);
  if (last - end - 1 > MAX_HOST_ENDING_CHARS) return false;
  return HOST_ENDINGS.has(String.fromCharCode(...units.subarray(end + 1, last)));
}

/** The longest entry of several words, separated by a space or mark, that starts with a word; null if missing. */
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
    if (role !== NO_ROLE) phrase = { role: roleOf(role), start, end: last, languages: languages[node] as number };
  }
  return phrase;
}

/** Entries use a plain space and a straight apostrophe. */
function plainMark(code: number): number {
  if (code === 0xa0) return SPACE;
  return code === 0x2018 || code === 0x2019 ? 0x27 : code;
}

/** The node of the longest entry that a word ends with, or NOWHERE. */
function endingOf(units: Uint16Array, start: number, end: number): number {
  let longest = NOWHERE;
  let node: number = ENDINGS;
  for (let at = end - 1; at >= start; at--) {
    node = step(node, units[at] as number);
    if (node === NOWHERE) break;
    if (wholeRole(values[node] as number) !== NO_ROLE) longest = node;
  }
  return longest;
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
    found = wholeWord(node, start, at + 1) ?? found;
  }
  return found;
}

/** In scripts from this code on (Devanagari), entries may be anywhere in a word. */
const FIRST_UNSPACED = 0x0900;

/** Whether entries in a letter's script may be anywhere in a word. Check both ends of mixed words such as `OTPコード`. */
function isUnspaced(units: Uint16Array, at: number): boolean {
  return (units[at] as number) >= FIRST_UNSPACED;
}

function addressEnd(units: Uint16Array, from: number): number {
  let end = from;
  while ((units[end] as number) > SPACE) end++;
  return end;
}
