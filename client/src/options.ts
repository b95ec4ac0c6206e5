import { MayflyOptionError } from './errors.js';

/** Longest time that may be waited: a day. Timers count milliseconds in 31 bits, and whatever is longer is a mistake. */
const MAX_WAIT_MS = 86_400_000;

/** Most emails that may be waited for: as many as an inbox takes by default. */
const MAX_COUNT = 1_000;

interface Rule {
  readonly text: string;
  allows(value: unknown): boolean;
}

const number = (least: number, most: number, unit: string): Rule => ({
  text: `a whole number of ${unit} from ${least} to ${most}`,
  allows: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
});
const pattern: Rule = {
  text: 'a text or a RegExp',
  allows: (value) => typeof value === 'string' || value instanceof RegExp,
};
const text: Rule = { text: 'a text', allows: (value) => typeof value === 'string' };
const flag: Rule = { text: 'true or false', allows: (value) => typeof value === 'boolean' };
const callback: Rule = { text: 'a function', allows: (value) => typeof value === 'function' };

/** Every option of every call, once. */
const RULES = {
  baseUrl: text,
  domain: text,
  apiKey: text,
  fetch: callback,
  prefix: text,
  from: pattern,
  subject: pattern,
  body: pattern,
  hasOtp: flag,
  hasMagicLink: flag,
  where: callback,
  after: {
    text: 'a Date, such as the receivedAt of an email or what mark() gave',
    allows: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  },
  signal: { text: 'an AbortSignal', allows: (value) => value instanceof AbortSignal },
  text: pattern,
  pattern,
  timeout: number(1, MAX_WAIT_MS, 'milliseconds'),
  connectTimeout: number(1, MAX_WAIT_MS, 'milliseconds'),
  within: number(0, MAX_WAIT_MS, 'milliseconds'),
  settle: number(0, MAX_WAIT_MS, 'milliseconds'),
  count: number(1, MAX_COUNT, 'emails'),
} as const satisfies Readonly<Record<string, Rule>>;

export type OptionName = keyof typeof RULES;

/** Throws `MayflyOptionError` for options that are no object, for one that a call does not take, and for a value that breaks the option's rule. */
export function checkOptions(call: string, options: object, names: readonly OptionName[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new MayflyOptionError(`${call}: the options must be an object, or be left out.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const known = names.find((one) => one === name);
    if (known === undefined) {
      throw new MayflyOptionError(`${call}: "${name}" is not an option. It takes ${names.join(', ')}.`);
    }
    if (value !== undefined && !RULES[known].allows(value)) {
      throw new MayflyOptionError(`${call}: ${name} must be ${RULES[known].text}.`);
    }
  }
}
