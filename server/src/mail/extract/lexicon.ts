import { VOCABULARY, type Vocabulary } from './words.js';

/** What a word means to extraction. */
export type Role = keyof Vocabulary;

/** A word of the vocabulary in a text. */
export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/** A tree of letters: a walk along a word finds its entries in as many steps as they have letters. */
interface Node {
  readonly next: Map<number, Node>;
  /** Role of the entry that ends here, if the word does too. */
  whole: Role | null;
  /** Role of the entry that ends here, however the word goes on. */
  part: Role | null;
}

/** Which role counts of several: `Gutscheincode` is another code, `Bestätigungscode` a code. */
const PRECEDENCE: readonly Role[] = ['other', 'code', 'leave', 'aside', 'action', 'enter'];

const beginnings = newNode();
const endings = newNode();
const parts = newNode();

for (const role of PRECEDENCE) {
  for (const words of Object.values(VOCABULARY)) {
    for (const entry of words[role]?.split(/\s+/) ?? []) addEntry(entry, role);
  }
}

function newNode(): Node {
  return { next: new Map(), whole: null, part: null };
}

function addEntry(entry: string, role: Role): void {
  const letters = entry.replaceAll('*', '');
  const goesOn = entry.endsWith('*');
  if (!entry.startsWith('*')) mark(beginnings, letters, goesOn ? { part: role } : { whole: role });
  else if (goesOn) mark(parts, letters, { part: role });
  else mark(endings, [...letters].reverse().join(''), { part: role });
}

function mark(root: Node, letters: string, roles: { readonly whole?: Role; readonly part?: Role }): void {
  let node = root;
  for (let i = 0; i < letters.length; i++) {
    const next = node.next.get(letters.charCodeAt(i)) ?? newNode();
    node.next.set(letters.charCodeAt(i), next);
    node = next;
  }
  node.whole ??= roles.whole ?? null;
  node.part ??= roles.part ?? null;
}

/**
 * The words of the vocabulary in a text that is in lower case, in order. Those inside of web addresses are left out:
 * they belong to nobody's sentence. Linear in the text's length.
 */
export function findWords(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    if (!isWordCharacter(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    at = text.startsWith('://', end) ? addressEnd(text, end) : addWord(words, text, at, end);
  }
  return words;
}

/** Adds what the word from `start` to `end` means, and returns where to go on. */
function addWord(words: Word[], text: string, start: number, end: number): number {
  const hyphenated = hyphenatedEnd(text, start, end);
  if (hyphenated > end) {
    const role = wholeRole(text, start, hyphenated);
    if (role !== null) {
      words.push({ role, start, end: hyphenated });
      return hyphenated;
    }
  }
  const role = wholeRole(text, start, end) ?? partialRole(text, start, end);
  if (role !== null) words.push({ role, start, end });
  else if (text.charCodeAt(start) >= FIRST_UNSPACED) addParts(words, text, start, end);
  return end;
}

function wholeRole(text: string, start: number, end: number): Role | null {
  let node: Node | undefined = beginnings;
  for (let at = start; at < end && node !== undefined; at++) node = node.next.get(text.charCodeAt(at));
  return node?.whole ?? null;
}

/** The role of the longest entries that begin or end the word. */
function partialRole(text: string, start: number, end: number): Role | null {
  let beginning: Role | null = null;
  let node: Node | undefined = beginnings;
  for (let at = start; at < end && node !== undefined; at++) {
    node = node.next.get(text.charCodeAt(at));
    beginning = node?.part ?? beginning;
  }
  let ending: Role | null = null;
  node = endings;
  for (let at = end - 1; at >= start && node !== undefined; at--) {
    node = node.next.get(text.charCodeAt(at));
    ending = node?.part ?? ending;
  }
  return PRECEDENCE.find((role) => role === beginning || role === ending) ?? null;
}

/** Adds every entry inside a run of letters that has no spaces. */
function addParts(words: Word[], text: string, start: number, end: number): void {
  for (let at = start; at < end; ) {
    let found: Word | null = null;
    let node: Node | undefined = parts;
    for (let to = at; to < end && node !== undefined; to++) {
      node = node.next.get(text.charCodeAt(to));
      if (node?.part) found = { role: node.part, start: at, end: to + 1 };
    }
    if (found !== null) words.push(found);
    at = found?.end ?? at + 1;
  }
}

/** From here on (Devanagari) scripts have entries that may stand anywhere in a word. */
const FIRST_UNSPACED = 0x0900;

/** Letters, marks and digits. Outside ASCII that is everything but spaces, punctuation and symbols. */
function isWordCharacter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
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

/** The end of a word like `one-time`, or `end` when no hyphen follows. */
function hyphenatedEnd(text: string, start: number, end: number): number {
  const joins = text[end] === '-' && isWordCharacter(text.charCodeAt(end + 1));
  return joins ? wordEnd(text, end + 1) : Math.max(start, end);
}

function addressEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) > 0x20) end++;
  return end;
}
