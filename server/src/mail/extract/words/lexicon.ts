import { DENIALS } from './denials.js';
import { LetterTree } from './letter-tree.js';
import { isWordCharacter, type Letters, lettersOf, wordEnd } from './letters.js';
import { OTHER_CODES } from './other-codes.js';
import { VOCABULARY, type Vocabulary } from './vocabulary.js';

/** What a word means to extraction. `denial`: the reader did not do or ask for something. */
export type Role = keyof Vocabulary | 'denial';

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
  for (const entry of entriesOf(role)) addEntry(entry, role);
}

function entriesOf(role: Role): string[] {
  if (role === 'denial') return entriesIn(Object.values(DENIALS));
  const words = Object.values(VOCABULARY).flatMap((language) => language[role] ?? []);
  return entriesIn(role === 'other' ? [...words, ...Object.values(OTHER_CODES)] : words);
}

function entriesIn(words: readonly string[]): string[] {
  return words.flatMap((entries) => entries.split(/\s+/)).flatMap(spelledOut);
}

/** `{a,b}_c` as `a_c` and `b_c`. */
function spelledOut(entry: string): string[] {
  const choice = /\{([^{}]*)\}/.exec(entry);
  if (choice === null) return [entry];
  const rest = entry.slice(choice.index + choice[0].length);
  const begun = (choice[1] as string).split(',').map((either) => entry.slice(0, choice.index) + either);
  return begun.flatMap((beginning) => spelledOut(beginning + rest));
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
    const firstEnd = wordEnd(letters, 0);
    if (firstEnd < letters.length) firstWords[firstWordAt(letters, 0, firstEnd)] = 1;
    const known = beginnings.add(word, { whole: undefined, beginning: undefined });
    if (endsOpen) known.beginning ??= role;
    else known.whole ??= role;
  }
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
  else if (isUnspaced(text[start]) || isUnspaced(text[end - 1])) addParts(words, text, start, end);
  return end;
}

/** The longest entry of several words, apart by one space or a hyphen, that begins with the word from `start` to `end`. */
function phraseAt(text: Letters, start: number, end: number): Word | null {
  let phrase: Word | null = null;
  let node = LetterTree.ROOT;
  for (let at = start; at < text.length; at++) {
    const letter = text[at] as number;
    node = beginnings.step(node, MARKS.get(letter) ?? letter);
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

/** A no-break space and curved apostrophes, as the one that entries are written with. */
const MARKS = new Map([
  [0xa0, 0x20],
  [0x2018, 0x27],
  [0x2019, 0x27],
]);
const COLON = 0x3a;
const SLASH = 0x2f;

/** From here on (Devanagari) scripts have entries that may stand anywhere in a word. */
const FIRST_UNSPACED = 0x0900;

/** Either end of a word tells its script: a name of another one may stand before or behind, as in `OTPコード`. */
function isUnspaced(letter: number | undefined): boolean {
  return letter !== undefined && letter >= FIRST_UNSPACED;
}

/** Whether a web address begins with the word that ends here. */
function isScheme(text: Letters, end: number): boolean {
  return text[end] === COLON && text[end + 1] === SLASH && text[end + 2] === SLASH;
}

function addressEnd(text: Letters, from: number): number {
  let end = from;
  while (end < text.length && (text[end] as number) > 0x20) end++;
  return end;
}
