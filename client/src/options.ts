import { MayflyOptionError } from './errors.js';

/** Longest time that may be waited: a day. Timers count milliseconds in 31 bits, and whatever is longer is a mistake. */
const MAX_WAIT_MS = 86_400_000;

/** Most emails that may be waited for: as many as an inbox takes by default. */
const MAX_COUNT = 1_000;

interface Rule {
  readonly text: string;
  allows(value: unknown): boolean;
}

const pattern: Rule = {
  text: 'a text or a RegExp',
  allows: (value) => typeof value === 'string' || value instanceof RegExp,
};
const date: Rule = {
  text: 'a Date, such as the receivedAt of an email or what mark() gave',
  allows: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
};
const text = ofType('string', 'a text');
const flag = ofType('boolean', 'true or false');
const callback = ofType('function', 'a function');
const time = wholeNumber(1, MAX_WAIT_MS, 'milliseconds');
const pause = wholeNumber(0, MAX_WAIT_MS, 'milliseconds');

/** Every option of every call, once. */
const RULES = {
  baseUrl: text,
  domain: text,
  apiKey: text,
  fetch: callback,
  prefix: text,
  nameOrAddress: text,
  from: pattern,
  subject: pattern,
  body: pattern,
  hasOtp: flag,
  hasMagicLink: flag,
  where: callback,
  after: date,
  receivedAt: date,
  signal: { text: 'an AbortSignal', allows: (value) => value instanceof AbortSignal },
  text: pattern,
  pattern,
  timeout: time,
  connectTimeout: time,
  within: pause,
  settle: pause,
  count: wholeNumber(1, MAX_COUNT, 'emails'),
} as const satisfies Readonly<Record<string, Rule>>;

export type OptionName = keyof typeof RULES;

/** Throws `MayflyOptionError` for options that are no object, for one that a call does not take, and for a value that breaks the option's rule. */
export function checkOptions(call: string, options: object, names: readonly OptionName[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new MayflyOptionError(`${call}: the options must be an object.`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!names.some((one) => one === name)) {
      throw new MayflyOptionError(`${call}: "${name}" is not an option. It takes ${names.join(', ')}.`);
    }
    const rule: Rule = RULES[name as OptionName];
    if (value !== undefined && !rule.allows(value)) {
      throw new MayflyOptionError(`${call}: ${name} must be ${rule.text}.`);
    }
  }
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
