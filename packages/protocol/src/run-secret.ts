import { randomText } from './made-name.js';

/** 26 characters of 5 bits give 130 bits, too many to guess. Anyone with the secret can read the run (D68). */
const RUN_SECRET_LENGTH = 26;

export const RUN_SECRET_PATTERN = `^[a-z2-7]{${RUN_SECRET_LENGTH}}$`;

const RUN_SECRET = new RegExp(RUN_SECRET_PATTERN);

export function isRunSecret(text: string): boolean {
  return RUN_SECRET.test(text);
}

export function newRunSecret(): string {
  return randomText(RUN_SECRET_LENGTH);
}
