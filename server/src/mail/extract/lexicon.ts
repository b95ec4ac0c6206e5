import { VOCABULARY, type Vocabulary } from './words.js';

/** What a word means to extraction. */
export type Role = keyof Vocabulary;

/** A word of the vocabulary in a text. */
export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

/** A tree of letters. A walk along a word finds its entries in as many steps as they have letters. */
interface Node {
  readonly next: Map<number, Node>;
  /** The role of an entry that ends here and is a whole word. */
  whole: Role | null;
  /** The role of an entry that ends here and goes on with any letters. */
  part: Role | null;
}

/** Which role a word has that has several: `Gutscheincode` is another code, `Bestätigungscode` a code. */
const PRECEDENCE: readonly Role[] = ['other', 'code', 'aside', 'action'];

const beginnings = newNode();
const endings = newNode();
const inside = newNode();

for (const words of Object.values(VOCABULARY)) {
  for (const role of PRECEDENCE) {
    for (const entry of words[role].split(' ')) addEntry(entry, role);
  }
}

function newNode(): Node {
  return { next: new Map(), whole: null, part: null };
}

function addEntry(entry: string, role: Role): void {
  const open = entry.endsWith('*');
  const letters = entry.replaceAll('*', '');
  if (!entry.startsWith('*')) mark(beginnings, letters, role, open);
  else if (open) mark(inside, letters, role, true);
  else mark(endings, [...letters].reverse().join(''), role, true);
}

function mark(root: Node, letters: string, role: Role, open: boolean): void {
  let node = root;
  for (let i = 0; i < letters.length; i++) {
    const code = letters.charCodeAt(i);
    const next = node.next.get(code) ?? newNode();
    node.next.set(code, next);
    node = next;
  }
  if (open) node.part ??= role;
  else node.whole ??= role;
}

/** Letters of scripts that are written without spaces between words: Thai to Myanmar, kana, Han, Hangul. */
function isUnspaced(code: number): boolean {
  return (code >= 0x0e00 && code <= 0x109f) || (code >= 0x1100 && code <= 0x11ff) || code >= 0x2e80;
}

/** Letters, marks and digits; outside ASCII everything but spaces and punctuation. */
function isWordCharacter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code >= 0x2000 && code <= 0x2bff) return code === 0x200c || code === 0x200d;
  if (code >= 0x3000 && code <= 0x3004) return false;
  if (code >= 0x3008 && code <= 0x3020) return false;
  if (code >= 0xff00 && code <= 0xff20) return false;
  return code !== 0x060c && code !== 0x061b && code !== 0x061f && code !== 0x0964 && code !== 0xd7 && code !== 0xf7;
}

function stronger(a: Role | null, b: Role | null): Role | null {
  if (a === null || b === null) return a ?? b;
  return PRECEDENCE.indexOf(a) <= PRECEDENCE.indexOf(b) ? a : b;
}

/** The role of the word from `start` to `end`, of its beginning and of its end. */
function roleOf(text: string, start: number, end: number): Role | null {
  let whole: Role | null = null;
  let beginning: Role | null = null;
  let node: Node | undefined = beginnings;
  for (let at = start; at < end && node !== undefined; at++) {
    node = node.next.get(text.charCodeAt(at));
    if (node === undefined) break;
    beginning = node.part ?? beginning;
    if (at === end - 1) whole = node.whole;
  }
  if (whole !== null) return whole;
  let ending: Role | null = null;
  node = endings;
  for (let at = end - 1; at >= start && node !== undefined; at--) {
    node = node.next.get(text.charCodeAt(at));
    ending = node?.part ?? ending;
  }
  return stronger(beginning, ending);
}

/** The longest entry at `at` that may stand anywhere in a word. */
function insideAt(text: string, at: number, end: number): Word | null {
  let found: Word | null = null;
  let node: Node | undefined = inside;
  for (let to = at; to < end; to++) {
    node = node.next.get(text.charCodeAt(to));
    if (node === undefined) break;
    if (node.part !== null) found = { role: node.part, start: at, end: to + 1 };
  }
  return found;
}

/** The words of the vocabulary in a part of a text that is in lower case, in order. Linear in the part's length. */
export function findWords(text: string, from: number, to: number): Word[] {
  const words: Word[] = [];
  let at = from;
  while (at < to) {
    if (!isWordCharacter(text.charCodeAt(at))) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < to && isWordCharacter(text.charCodeAt(end))) end++;
    const role = roleOf(text, at, end);
    if (role !== null) words.push({ role, start: at, end });
    else if (isUnspaced(text.charCodeAt(at)) || isUnspaced(text.charCodeAt(end - 1)) || text.charCodeAt(at) > 0x900)
      addInside(words, text, at, end);
    at = end;
  }
  return words;
}

function addInside(words: Word[], text: string, start: number, end: number): void {
  let at = start;
  while (at < end) {
    const found = insideAt(text, at, end);
    if (found !== null) words.push(found);
    at = found === null ? at + 1 : found.end;
  }
}
