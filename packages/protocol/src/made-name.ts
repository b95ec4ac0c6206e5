import { nameIn } from './inbox-name.js';
import { ADJECTIVES, ANIMALS } from './words.js';

/** RFC 4648 section 6, in lower case: 5 bits each. */
export const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** `length` random characters of Base32, or words of 16 or 32: the lowest bits of a byte choose evenly among these. */
export function randomText(length: number, choices: ArrayLike<string> = BASE32): string {
  return [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => choices[byte % choices.length]).join('');
}

/** 12 characters of 5 bits: 60 bits, too many to guess, since the name of an inbox is its secret (D15). */
export const SECRET_LENGTH = 12;

// A bundler leaves out one call that is marked so, but not those within a template.
const MADE_NAME = /* @__PURE__ */ new RegExp(/* @__PURE__ */ form());

/**
 * Whether the name of an inbox, in lower case, has the form of those that `newName` makes (D48): two words of ours and 60
 * random bits, after any prefix. Such names need no protection from guessing. Of a million inboxes in use, an attacker
 * finds one after 2⁶⁰ / 2²⁰ = 2⁴⁰ tries, which takes a client with 600 streams and 1,000 reads a second 22 years.
 * The prefix, the steps after `--` (docs/failure-simulation.md) and the domain (D64) are no secrets. The words tell made names
 * from chosen ones: without them, `qa-registration` would have the form.
 */
export function isMadeName(inbox: string): boolean {
  const name = nameIn(inbox);
  return MADE_NAME.test(name) || MADE_NAME.test(name.split('--', 1)[0] as string);
}

function form(): string {
  const oneOf = (words: string) => `(?:${words.replaceAll(' ', '|')})`;
  return `(?:^|-)${oneOf(ADJECTIVES)}-${oneOf(ANIMALS)}-[a-z2-7]{${SECRET_LENGTH}}$`;
}
