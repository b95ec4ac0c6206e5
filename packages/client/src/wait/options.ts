import { MAX_COUNT, MAX_WAIT_MS } from './bounds.js';
import { MayflyOptionError } from './errors.js';

/** How many options an error lists: nobody reads the settings of a service there. */
const MAX_LISTED = 12;

/** What an option may be, in words and as a check. */
interface Rule {
  readonly text: string;
  readonly allows: (value: unknown) => boolean;
}

export const aPattern: Rule = {
  text: 'a text or a RegExp',
  allows: (value) => typeof value === 'string' || value instanceof RegExp,
};
/** By what it can: a runner may have put another class in the place of `Date`. */
export const aDate: Rule = {
  text: 'a Date, such as the receivedAt of an email or what mark() gave',
  allows: (value) => Number.isInteger((value as Date | null)?.getTime?.()),
};
/** By what it has: one of another realm is no instance of this one's class. */
export const aSignal: Rule = {
  text: 'an AbortSignal',
  allows: (value) => typeof (value as AbortSignal | null)?.aborted === 'boolean',
};
/** The service's rule for keys (RFC 6750 section 2.1). */
export const aSecret: Rule = {
  text: '16 to 512 letters, digits and -._~+/',
  allows: (value) => /^(?=.{16,512}$)[\w.~+/-]+=*$/.test(value as string),
};
export const aList: Rule = { text: 'an array', allows: Array.isArray };
export const aListOfTexts: Rule = {
  text: 'an array of texts',
  allows: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
export const aText = ofType('string', 'a text');
/** A setting of the service, whose own rule the service knows. */
export const aSetting: Rule = {
  text: 'a text, a number, true or false, or an array of texts',
  allows: (value) =>
    Array.isArray(value)
      ? value.length > 0 && value.every((one) => typeof one === 'string')
      : ['string', 'number', 'boolean'].includes(typeof value),
};
export const aFlag = ofType('boolean', 'true or false');
export const aFunction = ofType('function', 'a function');
export const aTime = wholeNumber(1, MAX_WAIT_MS, 'milliseconds');
export const aPause = wholeNumber(0, MAX_WAIT_MS, 'milliseconds');
export const aCount = wholeNumber(1, MAX_COUNT, 'emails');

/**
 * Throws `MayflyOptionError` for options that are no object, for one that a call does not take, and for a value that
 * breaks the option's rule.
 */
export function checkOptions<T extends object>(call: string, options: T, rules: Readonly<Record<keyof T, Rule>>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new MayflyOptionError(`${call}: the options must be an object.`);
  }
  const names = Object.keys(rules);
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) {
      const meant = names.find((known) => isOneSlip(known, name));
      const advice = meant ? `Did you mean ${meant}?` : `It takes ${names.slice(0, MAX_LISTED).join(', ')}.`;
      throw new MayflyOptionError(`${call}: "${name}" is not an option. ${advice}`);
    }
    const { text, allows } = rules[name as keyof T];
    if (value !== undefined && !allows(value)) throw new MayflyOptionError(`${call}: ${name} must be ${text}.`);
  }
}

/**
 * Whether two names in any case differ by one letter, or by two that are swapped: then they are alike without one
 * letter each.
 */
function isOneSlip(known: string, given: string): boolean {
  const shorter = (name: string) => [name, ...[...name].map((_, i) => name.slice(0, i) + name.slice(i + 1))];
  const cut = shorter(given.toLowerCase());
  return shorter(known.toLowerCase()).some((one) => cut.includes(one));
}

function ofType(type: string, text: string): Rule {
  return { text, allows: (value) => typeof value === type };
}

function wholeNumber(least: number, most: number, unit: string): Rule {
  return {
    text: `a whole number of ${unit} from ${least} to ${most}`,
    allows: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}
