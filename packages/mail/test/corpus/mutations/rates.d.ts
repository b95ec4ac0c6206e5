import type { Reading } from '../class-rates.js';
import type { CorpusCase } from '../load.js';

/** A mail as its reader sees it, with what is expected of it; a field that is undefined is not judged. */
export interface Mail {
  subject: string;
  text: string | null;
  html: string | null;
  otp: string | null;
  magicLink: string | null | undefined;
}

/** Chance that can be repeated. */
export interface Chance {
  /** An integer from 0, below that one. */
  below(end: number): number;
  oneOf<T>(values: readonly T[]): T;
  /** So many digits, of which the first is not 0. */
  digits(length: number): string;
  letters(length: number): string;
}

/** What mutations write, in one language. `#` stands for a number. */
export interface Words {
  /** What numbers are called that are no codes. */
  names: readonly string[];
  code: string;
  voucher: string;
  expired: string;
  oldCode: string;
  unsubscribe: string;
  notMe: string;
}

/** One row of the table. */
export interface Mutation {
  name: string;
  /** What it does to a mail, and what is expected then if that is something else. */
  about: string;
  /** How many mails must come out right, in per cent. */
  floor: number;
  /** Null where it does not apply. */
  mutate(mail: Mail, chance: Chance, words: Words): Mail | null;
}

/** A mail that comes out wrong. */
export interface BrokenMail {
  /** File and name. */
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
