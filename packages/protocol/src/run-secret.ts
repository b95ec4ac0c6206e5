import { randomText } from './made-name.js';

/**
 * 26 characters of 5 bits are 130 bits: the secret alone leads to a run (D68), so it must not be guessed by anyone, in
 * any time.
 */
const RUN_SECRET_LENGTH = 26;

/** As a pattern of a JSON schema, too. */
export const RUN_SECRET_PATTERN = `^[a-z2-7]{${RUN_SECRET_LENGTH}}$`;

const RUN_SECRET = new RegExp(RUN_SECRET_PATTERN);

export function isRunSecret(text: string): boolean {
  return RUN_SECRET.test(text);
}

/** A new secret, from the random numbers of the platform. */
export function newRunSecret(): string {
  return randomText(RUN_SECRET_LENGTH);
}
