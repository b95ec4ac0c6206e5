import { nameIn } from './inbox-name.js';
import { ADJECTIVES, ANIMALS } from './words.js';

/** RFC 4648 section 6, in lower case: 32 characters that are not taken for each other, 5 bits each. */
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
 * Whether the name of an inbox, in lower case, has the form of those that `newName` makes, whatever prefix stands in
 * front (D48): two words of ours and 60 random bits. Such names need no protection from guessing. Half of the 2⁶⁰
 * secrets must be tried on average before one inbox is found; of a million inboxes that are in use one is found
 * after 2⁶⁰ / 2²⁰ = 2⁴⁰ tries, which takes one client that opens 600 streams and looks 1,000 times a second 22
 * years, and the mail is gone after half an hour.
 *
 * What a name asks for behind `--` (docs/failure-simulation.md) is no secret either.
 *
 * A domain behind it (D64) is none, either.
 *
 * The form is all that counts. An attacker may give it to his guesses, but he finds nothing by that: the inboxes that
 * he looks for have it only if the client made them, and then he guesses 60 bits. A prefix is no secret and adds
 * nothing; a name that is known already, such as one that a document shows, is found with one try, under any limit. The
 * words keep apart what people choose: without them `qa-registration` would have the form, whose last 12 letters are a
 * word of a dictionary.
 */
export function isMadeName(inbox: string): boolean {
  const name = nameIn(inbox);
  return MADE_NAME.test(name) || MADE_NAME.test(name.split('--', 1)[0] as string);
}

function form(): string {
  const oneOf = (words: string) => `(?:${words.replaceAll(' ', '|')})`;
  return `(?:^|-)${oneOf(ADJECTIVES)}-${oneOf(ANIMALS)}-[a-z2-7]{${SECRET_LENGTH}}$`;
}
