import { LetterTree } from './letter-tree.js';
import { VOCABULARY, type Vocabulary } from './words.js';

/** What a word means to extraction. */
export type Role = keyof Vocabulary;

/** A word of the vocabulary in a text. */
export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/** Which role counts of several: `Gutscheincode` is another code, `Bestätigungscode` a code. */
const PRECEDENCE: readonly Role[] = ['other', 'code', 'leave', 'aside', 'action', 'enter'];

/** What an entry is to a word that begins with it: the word itself, or its beginning. */
interface Entry {
  whole?: Role;
  part?: Role;
}

/** Entries that words begin with, that they end with (read backwards), and that may stand anywhere in them. */
const beginnings = new LetterTree<Entry>();
const endings = new LetterTree<Role>();
const parts = new LetterTree<Role>();

/**
 * The letters that entries begin with (three) and end with (two), by a hash. Most words of a text share them with no entry,
 * and are passed over at the price of a look here.
 */
const HASH_SLOTS = 1 << 14;
const firstLetters = new Uint8Array(HASH_SLOTS);
const lastLetters = new Uint8Array(HASH_SLOTS);
const FIRST_LETTERS = 3;
const LAST_LETTERS = 2;

for (const role of PRECEDENCE) {
  for (const words of Object.values(VOCABULARY)) {
    for (const entry of words[role]?.split(/\s+/) ?? []) addEntry(entry, role);
  }
}

function addEntry(entry: string, role: Role): void {
  const letters = entry.replaceAll('*', '');
  const beginsOpen = entry.startsWith('*');
  const endsOpen = entry.endsWith('*');
  if (beginsOpen && endsOpen) parts.add(letters, role);
  else if (beginsOpen) {
    endings.add(letters.split('').reverse().join(''), role);
    lastLetters[lastLettersAt(letters, letters.length)] = 1;
  } else {
    firstLetters[firstLettersAt(letters, 0)] = 1;
    const known = beginnings.add(letters, {});
    if (endsOpen) known.part ??= role;
    else known.whole ??= role;
  }
}

/**
 * The words of the vocabulary in a text (or a part of it) that is in lower case, in order. Those inside of web addresses are left out:
 * they belong to nobody's sentence. Linear in the text's length.
 */
export function findWords(text: string, from = 0, to = text.length): Word[] {
  const words: Word[] = [];
  let at = from;
  while (at < to) {
    if (!isWordCharacter(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    at =
      text.charCodeAt(end) === COLON && text.startsWith('://', end)
        ? addressEnd(text, end)
        : addWord(words, text, at, end);
  }
  return words;
}

/** Adds what the word from `start` to `end` means, and returns where to go on. */
function addWord(words: Word[], text: string, start: number, end: number): number {
  if (text.charCodeAt(end) === HYPHEN && isWordCharacter(text.charCodeAt(end + 1))) {
    const hyphenatedEnd = wordEnd(text, end + 1);
    const role = entryAt(text, start, hyphenatedEnd).whole;
    if (role !== undefined) {
      words.push({ role, start, end: hyphenatedEnd });
      return hyphenatedEnd;
    }
  }
  const { whole, part } = mayBegin(text, start, end) ? entryAt(text, start, end) : NO_ENTRY;
  const role = whole ?? stronger(part, mayEnd(text, start, end) ? endingRole(text, start, end) : undefined);
  if (role !== undefined) words.push({ role, start, end });
  else if (text.charCodeAt(start) >= FIRST_UNSPACED) addParts(words, text, start, end);
  return end;
}

function mayBegin(text: string, start: number, end: number): boolean {
  return end - start < FIRST_LETTERS || firstLetters[firstLettersAt(text, start)] === 1;
}

function mayEnd(text: string, start: number, end: number): boolean {
  return end - start < LAST_LETTERS || lastLetters[lastLettersAt(text, end)] === 1;
}

function firstLettersAt(text: string, at: number): number {
  const hash = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return hash & (HASH_SLOTS - 1);
}

function lastLettersAt(text: string, end: number): number {
  return (text.charCodeAt(end - 2) * 31 + text.charCodeAt(end - 1)) & (HASH_SLOTS - 1);
}

/** The entry that the word is, and the longest one that it begins with. */
function entryAt(text: string, start: number, end: number): Entry {
  let part: Role | undefined;
  let node = LetterTree.ROOT;
  for (let at = start; at < end; at++) {
    node = beginnings.step(node, text.charCodeAt(at));
    if (node === LetterTree.NOWHERE) return part === undefined ? NO_ENTRY : { part };
    part = beginnings.value(node)?.part ?? part;
  }
  const whole = beginnings.value(node)?.whole;
  return whole === undefined ? { ...(part && { part }) } : { whole };
}

/** The role of the longest entry that the word ends with. */
function endingRole(text: string, start: number, end: number): Role | undefined {
  let role: Role | undefined;
  let node = LetterTree.ROOT;
  for (let at = end - 1; at >= start; at--) {
    node = endings.step(node, text.charCodeAt(at));
    if (node === LetterTree.NOWHERE) break;
    role = endings.value(node) ?? role;
  }
  return role;
}

function stronger(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return PRECEDENCE.indexOf(a) <= PRECEDENCE.indexOf(b) ? a : b;
}

/** Adds every entry inside a run of letters that has no spaces. */
function addParts(words: Word[], text: string, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const found = longestPart(text, at, end);
    if (found !== null) words.push(found);
    at = found?.end ?? at + 1;
  }
}

function longestPart(text: string, start: number, end: number): Word | null {
  let found: Word | null = null;
  let node = LetterTree.ROOT;
  for (let at = start; at < end; at++) {
    node = parts.step(node, text.charCodeAt(at));
    if (node === LetterTree.NOWHERE) break;
    const role = parts.value(node);
    if (role !== undefined) found = { role, start, end: at + 1 };
  }
  return found;
}

const NO_ENTRY: Entry = {};

const HYPHEN = 0x2d;
const COLON = 0x3a;

/** From here on (Devanagari) scripts have entries that may stand anywhere in a word. */
const FIRST_UNSPACED = 0x0900;

/** Letters and marks. Outside ASCII that is everything but spaces, punctuation and symbols. */
function isWordCharacter(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code >= 0x2000 && code <= 0x2bff) return code === 0x200c || code === 0x200d;
  if (code >= 0x3000 && code <= 0x3020) return code >= 0x3005 && code <= 0x3007;
  if (code >= 0xff00 && code <= 0xff20) return false;
  return !PUNCTUATION.has(code);
}

/** Punctuation amid letters: × ÷ and the marks of Greek, Armenian, Arabic, Devanagari and of full width. */
const PUNCTUATION = new Set([0xd7, 0xf7, 0x37e, 0x387, 0x589, 0x5be, 0x60c, 0x61b, 0x61f, 0x6d4, 0x964, 0x965]);

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isWordCharacter(text.charCodeAt(end))) end++;
  return end;
}

function addressEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) > 0x20) end++;
  return end;
}
