import { LetterTree } from './letter-tree.js';
import { VOCABULARY, type Vocabulary } from './vocabulary.js';

/** Whether this machine keeps the higher byte of a number first, unlike UTF-16LE. */
const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** What a word means to extraction. */
export type Role = keyof Vocabulary;

/** A word of the vocabulary in a text. */
export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/** Which role counts of several: `Gutscheincode` is another code, `Bestätigungscode` a code. */
const PRECEDENCE: readonly Role[] = ['other', 'code', 'leave', 'aside', 'action', 'enter', 'denial'];

/** What letters mean as a word, and at the beginning of a longer one. */
interface Entry {
  whole: Role | undefined;
  beginning: Role | undefined;
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

/** The words that entries of several words begin with, by the same kind of hash. */
const firstWords = new Uint8Array(HASH_SLOTS);

for (const role of PRECEDENCE) {
  for (const words of Object.values(VOCABULARY)) {
    for (const entry of words[role]?.split(/\s+/) ?? []) addEntry(entry, role);
  }
}

function addEntry(entry: string, role: Role): void {
  const word = entry.replaceAll('*', '').replaceAll('_', ' ');
  const letters = lettersOf(word);
  const beginsOpen = entry.startsWith('*');
  const endsOpen = entry.endsWith('*');
  if (beginsOpen && endsOpen) parts.add(word, role);
  else if (beginsOpen) {
    endings.add(word.split('').reverse().join(''), role);
    lastLetters[lastLettersAt(letters, letters.length)] = 1;
  } else {
    firstLetters[firstLettersAt(letters, 0)] = 1;
    const joint = word.search(/[ -]/);
    if (joint >= 0) firstWords[firstWordAt(letters, 0, joint)] = 1;
    const known = beginnings.add(word, { whole: undefined, beginning: undefined });
    if (endsOpen) known.beginning ??= role;
    else known.whole ??= role;
  }
}

/** A text in lower case as UTF-16 code units. Walking along them is faster than along a string, which may be of many kinds. */
export type Letters = Uint16Array;

/** The letters of a text that is in lower case. */
export function lettersOf(lower: string): Letters {
  const bytes = Buffer.from(lower, 'utf16le');
  if (IS_BIG_ENDIAN) bytes.swap16();
  return new Uint16Array(bytes.buffer, bytes.byteOffset, lower.length);
}

/**
 * The words of the vocabulary in a text (or a part of it), in order. Those inside of web addresses are left out: they belong
 * to nobody's sentence. Linear in the text's length.
 */
export function findWords(text: Letters, from = 0, to = text.length): Word[] {
  const words: Word[] = [];
  let at = from;
  while (at < to) {
    if (!isWordCharacter(text[at])) {
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    at = isScheme(text, end) ? addressEnd(text, end) : addWord(words, text, at, end);
  }
  return words;
}

/** Adds what the word from `start` to `end` means, or the phrase that it begins, and returns where to go on. */
function addWord(words: Word[], text: Letters, start: number, end: number): number {
  const phrase = firstWords[firstWordAt(text, start, end)] === 1 ? phraseAt(text, start, end) : null;
  if (phrase !== null) {
    words.push(phrase);
    return phrase.end;
  }
  const role = wordRole(text, start, end);
  if (role !== undefined) words.push({ role, start, end });
  else if ((text[start] as number) >= FIRST_UNSPACED) addParts(words, text, start, end);
  return end;
}

/** The longest entry of several words, apart by one space or a hyphen, that begins with the word from `start` to `end`. */
function phraseAt(text: Letters, start: number, end: number): Word | null {
  let phrase: Word | null = null;
  let node = LetterTree.ROOT;
  for (let at = start; at < text.length; at++) {
    const letter = text[at] as number;
    node = beginnings.step(node, letter === NO_BREAK_SPACE ? SPACE : letter);
    if (node === LetterTree.NOWHERE) break;
    const entry = beginnings.value(node);
    if (at < end || entry === undefined) continue;
    const last = wordEnd(text, at);
    const role = last === at + 1 ? (entry.whole ?? entry.beginning) : entry.beginning;
    if (role !== undefined) phrase = { role, start, end: last };
  }
  return phrase;
}

/** The role of the entry that is the word, or else of those that it begins and ends with. */
function wordRole(text: Letters, start: number, end: number): Role | undefined {
  let beginning: Role | undefined;
  if (mayBegin(text, start, end)) {
    let node = LetterTree.ROOT;
    let at = start;
    for (; at < end; at++) {
      node = beginnings.step(node, text[at] as number);
      if (node === LetterTree.NOWHERE) break;
      beginning = beginnings.value(node)?.beginning ?? beginning;
    }
    const whole = at === end ? beginnings.value(node)?.whole : undefined;
    if (whole !== undefined) return whole;
  }
  return stronger(beginning, mayEnd(text, start, end) ? endingRole(text, start, end) : undefined);
}

function mayBegin(text: Letters, start: number, end: number): boolean {
  return end - start < FIRST_LETTERS || firstLetters[firstLettersAt(text, start)] === 1;
}

function mayEnd(text: Letters, start: number, end: number): boolean {
  return end - start < LAST_LETTERS || lastLetters[lastLettersAt(text, end)] === 1;
}

function firstLettersAt(text: Letters, at: number): number {
  const hash = (text[at] as number) * 961 + (text[at + 1] as number) * 31 + (text[at + 2] as number);
  return hash & (HASH_SLOTS - 1);
}

function firstWordAt(text: Letters, start: number, end: number): number {
  return (firstLettersAt(text, start) + (end - start) * 127) & (HASH_SLOTS - 1);
}

function lastLettersAt(text: Letters, end: number): number {
  return ((text[end - 2] as number) * 31 + (text[end - 1] as number)) & (HASH_SLOTS - 1);
}

/** The role of the longest entry that the word ends with. */
function endingRole(text: Letters, start: number, end: number): Role | undefined {
  let role: Role | undefined;
  let node = LetterTree.ROOT;
  for (let at = end - 1; at >= start; at--) {
    node = endings.step(node, text[at] as number);
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
function addParts(words: Word[], text: Letters, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const found = longestPart(text, at, end);
    if (found !== null) words.push(found);
    at = found?.end ?? at + 1;
  }
}

function longestPart(text: Letters, start: number, end: number): Word | null {
  let found: Word | null = null;
  let node = LetterTree.ROOT;
  for (let at = start; at < end; at++) {
    node = parts.step(node, text[at] as number);
    if (node === LetterTree.NOWHERE) break;
    const role = parts.value(node);
    if (role !== undefined) found = { role, start, end: at + 1 };
  }
  return found;
}

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const COLON = 0x3a;
const SLASH = 0x2f;

/** From here on (Devanagari) scripts have entries that may stand anywhere in a word. */
const FIRST_UNSPACED = 0x0900;

/** Punctuation amid letters: × ÷ and the marks of Greek, Armenian, Arabic, Devanagari and of full width. */
const PUNCTUATION = new Set([0xd7, 0xf7, 0x37e, 0x387, 0x589, 0x5be, 0x60c, 0x61b, 0x61f, 0x6d4, 0x964, 0x965]);

/** Letters and marks. Outside ASCII that is everything but spaces, punctuation and symbols. */
function belongsToWords(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code >= 0x2000 && code <= 0x2bff) return code === 0x200c || code === 0x200d;
  if (code >= 0x3000 && code <= 0x3020) return code >= 0x3005 && code <= 0x3007;
  if (code >= 0xff00 && code <= 0xff20) return false;
  return !PUNCTUATION.has(code);
}

/** Which code units are part of a word, looked up since every one of a text is asked. */
const WORD_CHARACTERS = new Uint8Array(0x10000).map((_, code) => (belongsToWords(code) ? 1 : 0));

function isWordCharacter(code: number | undefined): boolean {
  return WORD_CHARACTERS[code ?? 0] === 1;
}

/** Whether a web address begins with the word that ends here. */
function isScheme(text: Letters, end: number): boolean {
  return text[end] === COLON && text[end + 1] === SLASH && text[end + 2] === SLASH;
}

function wordEnd(text: Letters, start: number): number {
  let end = start + 1;
  while (end < text.length && isWordCharacter(text[end])) end++;
  return end;
}

function addressEnd(text: Letters, from: number): number {
  let end = from;
  while (end < text.length && (text[end] as number) > 0x20) end++;
  return end;
}
