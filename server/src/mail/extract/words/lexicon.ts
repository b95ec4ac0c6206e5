import { DENIALS } from './denials.js';
import { FOOTER_WORDS } from './footer-words.js';
import { LetterTree } from './letter-tree.js';
import { isWordCharacter, wordEnd } from './letters.js';
import { OTHER_CODES } from './other-codes.js';
import { VOCABULARY, type Vocabulary } from './vocabulary.js';

/** What a word means to extraction. `denial`: the reader did not do or ask for something. `footer`: what links of a footer are called. */
export type Role = keyof Vocabulary | 'denial' | 'footer';

/** A word of the vocabulary in a text. */
export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/** Which role counts of several: `Gutscheincode` is another code, `Bestätigungscode` a code. */
const PRECEDENCE: readonly Role[] = ['other', 'code', 'leave', 'footer', 'aside', 'action', 'enter', 'denial'];

/** What letters mean as a word, and at the beginning of a longer one. */
interface Entry {
  whole: Role | undefined;
  beginning: Role | undefined;
}

/** Entries that words begin with, that they end with (read backwards), and that may stand anywhere in them. */
const beginnings = new LetterTree<Entry>();
const endings = new LetterTree<Role>();
const parts = new LetterTree<Role>();

for (const role of PRECEDENCE) {
  for (const entry of entriesOf(role)) addEntry(entry, role);
}

function entriesOf(role: Role): string[] {
  if (role === 'denial') return entriesIn(Object.values(DENIALS));
  if (role === 'footer') return entriesIn(Object.values(FOOTER_WORDS));
  const words = Object.values(VOCABULARY).flatMap((language) => language[role] ?? []);
  return entriesIn(role === 'other' ? [...words, ...Object.values(OTHER_CODES)] : words);
}

function entriesIn(words: readonly string[]): string[] {
  return words.flatMap((entries) => entries.split(/\s+/)).flatMap(spelledOut);
}

/** The entries that one of the vocabulary stands for: `{a,b}_c` for `a_c` and `b_c`. */
export function spelledOut(entry: string): string[] {
  if (!entry.includes('{')) return [entry];
  return entry.split(/[{}]/).reduce(
    (begun, piece, i) => {
      const choices = i % 2 === 1 ? piece.split(',') : [piece];
      return begun.flatMap((beginning) => choices.map((choice) => beginning + choice));
    },
    [''],
  );
}

function addEntry(entry: string, role: Role): void {
  const word = entry.replaceAll('*', '').replaceAll('_', ' ');
  const beginsOpen = entry.startsWith('*');
  const endsOpen = entry.endsWith('*');
  if (beginsOpen && endsOpen) parts.add(word, role);
  else if (beginsOpen) endings.add(word.split('').reverse().join(''), role);
  else {
    const known = beginnings.add(word, { whole: undefined, beginning: undefined });
    if (endsOpen) known.beginning ??= role;
    else known.whole ??= role;
  }
}

/**
 * The words of the vocabulary in a text in lower case (or a part of it), in order. Those inside of web addresses are left out: they belong
 * to nobody's sentence. Linear in the text's length.
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
    at = text.startsWith('://', end) ? addressEnd(text, end) : addWord(words, text, at, end);
  }
  return words;
}

/** Adds what the word from `start` to `end` means, or the phrase that it begins, and returns where to go on. */
function addWord(words: Word[], text: string, start: number, end: number): number {
  const word = wordFrom(text, start, end);
  if (word !== null) {
    words.push(word);
    return word.end;
  }
  if (isUnspaced(text, start) || isUnspaced(text, end - 1)) addParts(words, text, start, end);
  return end;
}

/**
 * The longest entry of several words, apart by one space or mark, that begins with the word from `start` to `end`; or else
 * the word itself, by the entry that it is or those that it begins and ends with.
 */
function wordFrom(text: string, start: number, end: number): Word | null {
  let whole: Role | undefined;
  let beginning: Role | undefined;
  let phrase: Word | null = null;
  let node = LetterTree.ROOT;
  for (let at = start; at < text.length; at++) {
    node = beginnings.step(node, plainMark(text.charCodeAt(at)));
    if (node === LetterTree.NOWHERE) break;
    const entry = beginnings.value(node);
    if (entry === undefined) continue;
    if (at < end) {
      beginning = entry.beginning ?? beginning;
      if (at === end - 1) whole = entry.whole;
      continue;
    }
    const last = wordEnd(text, at);
    const role = last === at + 1 ? (entry.whole ?? entry.beginning) : entry.beginning;
    if (role !== undefined) phrase = { role, start, end: last };
  }
  if (phrase !== null) return phrase;
  const role = whole ?? stronger(beginning, endingRole(text, start, end));
  return role === undefined ? null : { role, start, end };
}

/** A no-break space and curved apostrophes as the space and the apostrophe that entries are written with. */
function plainMark(code: number): number {
  if (code === 0xa0) return 0x20;
  return code === 0x2018 || code === 0x2019 ? 0x27 : code;
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

/** From here on (Devanagari) scripts have entries that may stand anywhere in a word. */
const FIRST_UNSPACED = 0x0900;

/** Either end of a word tells its script: a name of another one may stand before or behind, as in `OTPコード`. */
function isUnspaced(text: string, at: number): boolean {
  return text.charCodeAt(at) >= FIRST_UNSPACED;
}

function addressEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) > 0x20) end++;
  return end;
}
