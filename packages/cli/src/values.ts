import { UsageError } from './command.js';

export interface Rule<T> {
  /** The end of the sentence "--name: TEXT is not valid: …". */
  readonly rule: string;
  /** Returns undefined for an invalid text. */
  parse(text: string): T | undefined;
}

const HOUR_MS = 3_600_000;

/** The client's limits for the duration of a wait and the number of emails that a wait returns. */
const MAX_WAIT_MS = 24 * HOUR_MS;
const MAX_COUNT = 1_000;

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: HOUR_MS };

/** A duration in milliseconds: a number with its unit, or a number of seconds. */
export const waitingTime: Rule<number> = {
  rule: `use a whole number, in seconds or with a unit (ms, s, m or h), such as 500ms; at most ${MAX_WAIT_MS / HOUR_MS}h`,
  parse(text) {
    const [, digits, unit = 's'] = /^(\d{1,12})(ms|s|m|h)?$/.exec(text) ?? [];
    const ms = Number(digits) * (UNITS_MS[unit] ?? Number.NaN);
    return ms >= 1 && ms <= MAX_WAIT_MS ? ms : undefined;
  },
};

export const moment: Rule<Date> = {
  rule: 'use a time such as 2026-01-31T09:30:00.000Z',
  parse(text) {
    const after = new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
    return Number.isNaN(after.getTime()) ? undefined : after;
  },
};

export const countOfEmails: Rule<number> = {
  rule: `use a whole number from 1 to ${MAX_COUNT}`,
  parse(text) {
    const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    return count >= 1 && count <= MAX_COUNT ? count : undefined;
  },
};

/** Parses the value of an option; undefined if the option is not set. Throws `UsageError` for an invalid value. */
export function parsed<T>(name: string, text: string | undefined, { parse, rule }: Rule<T>): T | undefined {
  const value = text === undefined ? undefined : parse(text);
  if (value === undefined && text !== undefined) throw new UsageError(`--${name}: "${text}" is not valid: ${rule}.`);
  return value;
}
