import { WORDS } from '../../words/words.js';
import { grow, values } from './letter-tree.js';

/** What a word means to extraction; server/src/mail/words/README.md says of each what it is for. */
export type Role = keyof typeof WORDS;

/** Whether a word names numbers that are no codes. */
export function namesOther(role: Role | undefined): boolean {
  return role === 'other' || role === 'kind';
}

/** Which role counts of several: `Gutscheincode` is another code, `Bestätigungscode` a code. */
const PRECEDENCE: readonly Role[] = [
  'kind',
  'other',
  'code',
  'leave',
  'footer',
  'aside',
  'action',
  'enter',
  'denial',
  'spent',
];

/** Where the walk along an entry begins: those that words begin with, that they end with (read backwards), and that may stand anywhere in them. */
export const BEGINNINGS = 0;
export const ENDINGS = 1;
export const PARTS = 2;

/** Roles stand in the tree by number, from 1 on; of two, the lower one counts. 0 is none. */
export const NO_ROLE = 0;
/** A node has two: what an entry means as a whole word, and, in the higher bits, what it means at the beginning of a longer one. */
const ROLE_BITS = 4;
const WHOLE = 2 ** ROLE_BITS - 1;

/** What the letters to a node mean as a whole word (also what they mean as an ending and as a part). */
export function wholeRole(value: number): number {
  return value & WHOLE;
}

/** What they mean at the beginning of a longer word. */
export function beginningRole(value: number): number {
  return value >>> ROLE_BITS;
}

export function roleOf(number: number): Role {
  return PRECEDENCE[number - 1] as Role;
}

let isMade = false;

/** Makes the tree of all words at the first call: a process that reads no mail needs none. */
export function makeWordTree(): void {
  if (isMade) return;
  for (const [i, role] of PRECEDENCE.entries()) addEntries(WORDS[role], i + 1);
  isMade = true;
}

function addEntries(entries: string, role: number): void {
  for (let at = 0; at < entries.length; ) {
    const code = entries.charCodeAt(at);
    if (code <= SPACE) at++;
    else at = code === STAR ? addOpenEntry(entries, at, role) : addBeginning(entries, at, role);
  }
}

const SPACE = 0x20;
const STAR = 0x2a;
const COMMA = 0x2c;
const UNDERSCORE = 0x5f;
const OPENING_BRACE = 0x7b;

/** Adds an entry that words begin with, and returns where it ends. All choices in its braces are walked along at once. */
function addBeginning(entries: string, start: number, role: number): number {
  let nodes = [BEGINNINGS];
  let at = start;
  for (; at < entries.length && entries.charCodeAt(at) > SPACE; at++) {
    const code = entries.charCodeAt(at);
    if (code === OPENING_BRACE) {
      const end = entries.indexOf('}', at);
      nodes = choicesFrom(nodes, entries.slice(at + 1, end), role);
      at = end;
    } else {
      nodes = grown(nodes, code, role);
    }
  }
  for (const node of nodes) addValue(node, role);
  return at;
}

function choicesFrom(nodes: readonly number[], choices: string, role: number): number[] {
  const ends: number[] = [];
  let walked = [...nodes];
  for (let i = 0; i < choices.length; i++) {
    const code = choices.charCodeAt(i);
    if (code === COMMA) {
      ends.push(...walked);
      walked = [...nodes];
    } else {
      walked = grown(walked, code, role);
    }
  }
  ends.push(...walked);
  return ends;
}

/** Takes nodes one letter on. A star ends the entry: whatever letters follow in a word. */
function grown(nodes: number[], code: number, role: number): number[] {
  if (code === STAR) {
    for (const node of nodes) addValue(node, role << ROLE_BITS);
    return [];
  }
  const letter = code === UNDERSCORE ? SPACE : code;
  for (let i = 0; i < nodes.length; i++) nodes[i] = grow(nodes[i] as number, letter);
  return nodes;
}

/** Adds an entry that other letters may stand before, which has no braces, and returns where it ends. */
function addOpenEntry(entries: string, start: number, role: number): number {
  const space = entries.indexOf(' ', start);
  const end = space < 0 ? entries.length : space;
  const letters = entries.slice(start + 1, end).replaceAll('_', ' ');
  if (letters.endsWith('*')) addWord(PARTS, letters.slice(0, -1), role);
  else addWord(ENDINGS, letters.split('').reverse().join(''), role);
  return end;
}

function addWord(root: number, letters: string, role: number): void {
  let node = root;
  for (let i = 0; i < letters.length; i++) node = grow(node, letters.charCodeAt(i));
  addValue(node, role);
}

/** Roles are added in the order of their precedence, so that of two for the same letters the first counts. */
function addValue(node: number, role: number): void {
  const known = values[node] as number;
  const isKnown = role > WHOLE ? beginningRole(known) !== NO_ROLE : wholeRole(known) !== NO_ROLE;
  if (!isKnown) values[node] = known | role;
}
