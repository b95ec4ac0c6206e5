import type { Reading } from '../class-rates.js';
import type { CorpusCase } from '../load.js';

/** A message as its reader sees it, with the expected results. An undefined field is not judged. */
export interface Mail {
  subject: string;
  text: string | null;
  html: string | null;
  otp: string | null;
  magicLink: string | null | undefined;
}

/** A reproducible random generator. */
export interface Chance {
  /** An integer from 0 to `end - 1`. */
  below(end: number): number;
  oneOf<T>(values: readonly T[]): T;
  /** A number with this many digits. The first is not 0. */
  digits(length: number): string;
  letters(length: number): string;
}

/** Texts that mutations write, in one language. `#` is replaced by a number. */
export interface Words {
  /** Names of numbers that are not codes. */
  names: readonly string[];
  code: string;
  voucher: string;
  expired: string;
  oldCode: string;
  unsubscribe: string;
  notMe: string;
}

export interface Mutation {
  name: string;
  /** How the mutation changes a message, and the expected result if that changes. */
  about: string;
  /** The minimum percentage of correct results. */
  floor: number;
  /** Returns null if the mutation does not apply. */
  mutate(mail: Mail, chance: Chance, words: Words): Mail | null;
}

/** A message with a wrong result. */
export interface BrokenMail {
  /** The file and the name of the message. */
  place: string;
  mutant: Mail;
  wrong: { field: 'otp' | 'magicLink'; expected: string | null; found: string | null }[];
}

export interface MutationRate {
  name: string;
  about: string;
  floor: number;
  held: number;
  broken: BrokenMail[];
}

export type MutableCase = Pick<CorpusCase, 'file' | 'name' | 'because' | 'otp' | 'magicLink' | 'message'>;

export function mutationRates(
  cases: readonly MutableCase[],
  how: { seed: number; mutations?: readonly Mutation[] },
  reading: Pick<Reading, 'extract' | 'parseMessage'>,
): MutationRate[];

export function isBelowFloor(rate: MutationRate): boolean;
