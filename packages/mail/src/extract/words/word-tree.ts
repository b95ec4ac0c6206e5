import { ROLES } from '../../words/tree.js';

/** The meaning of a word for extraction; see packages/mail/src/words/README.md. */
export type Role = (typeof ROLES)[number];

export interface Word {
  readonly role: Role;
  readonly start: number;
  readonly end: number;
  /** An index into LANGUAGES. */
  readonly languages: number;
}

/** Whether a word names a number that is not a code. */
export function namesOther(role: Role | undefined): boolean {
  return role === 'other' || role === 'kind';
}

/** The roots of three trees: entries that begin a word, that end it (in reverse), and that may be anywhere in it. */
export const BEGINNINGS = 0;
export const ENDINGS = 1;
export const PARTS = 2;

/** The tree stores roles as numbers from 1 on. Of two roles, the one with the lower number takes precedence. */
export const NO_ROLE = 0;
/** Each node has two roles: as a whole word and, in the higher bits, at the start of a longer word. */
const ROLE_BITS = 4;
const WHOLE = 2 ** ROLE_BITS - 1;

/** The role of an entry that is a whole word, an ending or a part. */
export function wholeRole(value: number): number {
  return value & WHOLE;
}

export function beginningRole(value: number): number {
  return value >>> ROLE_BITS;
}

export function roleOf(number: number): Role {
  return ROLES[number - 1] as Role;
}
