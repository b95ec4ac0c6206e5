import { ROLES } from '../../words/tree.js';

/** What a word means to extraction; packages/mail/src/words/README.md says of each what it is for. */
export type Role = (typeof ROLES)[number];

/** A word of the vocabulary in a text. */
export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
  /** The number of its languages in LANGUAGES. */
  readonly languages: number;
}

/** Whether a word names numbers that are no codes. */
export function namesOther(role: Role | undefined): boolean {
  return role === 'other' || role === 'kind';
}

/** Where an entry's walk begins: those that begin a word, end it (read backwards), or stand anywhere in it. */
export const BEGINNINGS = 0;
export const ENDINGS = 1;
export const PARTS = 2;

/** Roles stand in the tree by number, from 1 on; of two, the lower one counts. 0 is none. */
export const NO_ROLE = 0;
/** A node has two: an entry's meaning as a whole word, and, in the higher bits, at the start of a longer one. */
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
  return ROLES[number - 1] as Role;
}
