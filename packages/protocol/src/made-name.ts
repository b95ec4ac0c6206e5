import { nameIn } from './inbox-name.js';
import { ADJECTIVES, ANIMALS } from './words.js';

/** The alphabet of Base32 (RFC 4648 section 6) in lower case; each character has 5 bits. */
export const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Joins `length` random items of `choices`. Items are equally likely if their number divides 256, as 16 and 32 do. */
export function randomText(length: number, choices: ArrayLike<string> = BASE32): string {
  return [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => choices[byte % choices.length]).join('');
}

/** 12 characters of 5 bits give 60 bits, too many to guess. Anyone with an inbox's name can read its mail (D15). */
export const SECRET_LENGTH = 12;

// Marked as pure, so that bundlers remove both calls if unused. A `form()` in a template literal would remain.
const MADE_NAME = /* @__PURE__ */ new RegExp(/* @__PURE__ */ form());

/**
 * Whether an inbox name, in lower case, has the form of generated names (D48): two known words and 60 random bits,
 * after an optional prefix. Such names need no protection from guessing: of a million inboxes in use, an attacker finds
 * one after 2⁶⁰ / 2²⁰ = 2⁴⁰ tries. With 600 streams and 1,000 reads a second, that takes 22 years. The prefix, the
 * faults after `--` (docs/failure-simulation.md) and the domain (D64) are not secret. The words distinguish generated
 * names from chosen ones such as `qa-registration`.
 */
export function isMadeName(inbox: string): boolean {
  const name = nameIn(inbox);
  return MADE_NAME.test(name) || MADE_NAME.test(name.split('--', 1)[0] as string);
}

function form(): string {
  const oneOf = (words: string) => `(?:${words.replaceAll(' ', '|')})`;
  return `(?:^|-)${oneOf(ADJECTIVES)}-${oneOf(ANIMALS)}-[a-z2-7]{${SECRET_LENGTH}}$`;
}
