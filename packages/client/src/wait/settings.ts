import { mailDomain } from 'mayfly-protocol/inbox-name';
import { MAX_COUNT, MAX_WAIT_MS, STANDARD_CONNECT_TIMEOUT_MS, STANDARD_TIMEOUT_MS } from './bounds.js';
import { MayflyOptionError, platform } from './errors.js';

const MAX_LISTED = 12;

export interface Rule {
  readonly text: string;
  readonly allows: (value: unknown) => boolean;
}

export const aText = ofType('string', 'a string');
export const aPattern = rule('a string or a RegExp', (value) => aText.allows(value) || value instanceof RegExp);
/** Checks the type without instanceof, because a runner may replace the `Date` class. */
export const aDate = rule('a Date, such as receivedAt', (value) =>
  Number.isInteger((value as Date | null)?.getTime?.()),
);
/** Checks without instanceof, because signals of another realm have a different class. */
export const aSignal = rule('an AbortSignal', (value) => aFlag.allows((value as AbortSignal | null)?.aborted));
/** The service's syntax for keys (RFC 6750 section 2.1). */
export const aSecret = rule('16 to 512 letters, digits and -._~+/', (value) =>
  /^(?=.{16,512}$)[\w.~+/-]+=*$/.test(value as string),
);
export const aList = rule('an array', Array.isArray);
export const aListOfTexts = rule('an array of strings', (value) => Array.isArray(value) && value.every(aText.allows));
export const aSetting = rule('a string, a number, a boolean or an array of strings', (value) =>
  Array.isArray(value)
    ? value.length > 0 && value.every(aText.allows)
    : ['string', 'number', 'boolean'].includes(typeof value),
);
export const aFlag = ofType('boolean', 'true or false');
export const aFunction = ofType('function', 'a function');
export const aTime = wholeNumber(1, MAX_WAIT_MS, ' of milliseconds');
export const aPause = wholeNumber(0, MAX_WAIT_MS, ' of milliseconds');
export const aCount = wholeNumber(1, MAX_COUNT, ' of emails');

/** Throws `MayflyOptionError` for anything but an object, and for an unknown or invalid option. */
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

/** Whether two names differ by one letter or by two swapped letters. */
function isOneSlip(known: string, given: string): boolean {
  const shorter = (name: string) => [name, ...[...name].map((_, i) => name.slice(0, i) + name.slice(i + 1))];
  const cut = shorter(given.toLowerCase());
  return shorter(known.toLowerCase()).some((one) => cut.includes(one));
}

export function oneOf(names: readonly string[]): Rule {
  return rule(`${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, (value) => names.includes(value as string));
}

/** @__NO_SIDE_EFFECTS__ so that bundlers leave out the rules that nothing uses. */
export function rule(text: string, allows: Rule['allows']): Rule {
  return { text, allows };
}

/** @__NO_SIDE_EFFECTS__ */
function ofType(type: string, text: string): Rule {
  return { text, allows: (value) => typeof value === type };
}

/** @__NO_SIDE_EFFECTS__ */
export function wholeNumber(least: number, most: number, unit = ''): Rule {
  return rule(`a whole number${unit} from ${least} to ${most}`, (value) => {
    return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  });
}

/** How to reach Mayfly. Missing options come from the environment, or else from the defaults of `mayfly serve`. */
export interface MayflyOptions {
  /** Base URL of the service. Defaults to `MAYFLY_URL`, or else `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined;
  /** Domain of the inboxes. Defaults to the first domain in `MAYFLY_DOMAIN`, or else `inbox.example.com`. */
  readonly domain?: string | undefined;
  /** Workspace key, `NAME=KEY` as for `mayfly serve --workspace`. Defaults to `MAYFLY_API_KEY`, or else none. */
  readonly apiKey?: string | undefined;
  /** `USER:PASSWORD` of an ad-hoc workspace; needs `--ad-hoc-workspaces`. Defaults to `MAYFLY_CREDENTIALS`, or else none. */
  readonly credentials?: string | undefined;
  /** @deprecated Use `credentials`. */
  readonly space?: string | undefined;
  /** A `fetch` to use instead of the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Default timeout of a call, in milliseconds; 20 s by default. */
  readonly timeout?: number | undefined;
  /**
   * How long a call waits for a connection to a service that has never answered, in milliseconds; 3 s by default. Once
   * a connection is open, or the service has answered before, a call waits until its own timeout.
   */
  readonly connectTimeout?: number | undefined;
}

export interface Settings {
  readonly baseUrl: string;
  readonly domain: string;
  /** Whether the caller chose the domain. If not, inboxes without a domain are in the service's first domain. */
  readonly isDomainChosen: boolean;
  readonly workspace: Workspace | null;
  readonly auth: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
}

export interface Workspace {
  /** The names of the workspace's inboxes begin with this name and a hyphen (D15). */
  readonly name: string;
  readonly key: string;
}

const STANDARD_URL = 'http://127.0.0.1:8080';
export const STANDARD_DOMAIN = 'inbox.example.com';
const BASE_URL = /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i;

/** The server's rule for `--workspace`: a name, and a key of 16 to 512 characters. */
const API_KEY = /^(?<name>[a-z0-9](?:-?[a-z0-9]){0,31})=(?=.{16,512}$)(?<key>[\w.~+/-]+=*)$/;

const RULES = {
  baseUrl: aText,
  domain: aText,
  apiKey: aText,
  credentials: aText,
  space: aText,
  fetch: aFunction,
  timeout: aTime,
  connectTimeout: aTime,
};

/** Throws `MayflyOptionError` for an invalid value in the options or the environment. */
export function readSettings(options: MayflyOptions): Settings {
  checkOptions('Mayfly', options, RULES);
  // Browsers have no process.
  const env = globalThis.process?.env ?? {};
  const chosen = options.domain ?? domainOfServer(env.MAYFLY_DOMAIN);
  return {
    baseUrl: baseUrlOf(options.baseUrl ?? (env.MAYFLY_URL || STANDARD_URL)),
    domain: checkedDomain(chosen ?? STANDARD_DOMAIN),
    isDomainChosen: chosen !== undefined,
    workspace: workspaceOf(options.apiKey ?? env.MAYFLY_API_KEY),
    auth: checkedCredentials(options.credentials ?? options.space ?? (env.MAYFLY_CREDENTIALS || env.MAYFLY_SPACE)),
    fetch: options.fetch ?? platform.fetch?.() ?? globalThis.fetch,
    // A getter, because fixtures reduce the timeout during a test (fixtures.ts).
    get timeoutMs() {
      return options.timeout ?? STANDARD_TIMEOUT_MS;
    },
    connectTimeoutMs: options.connectTimeout ?? STANDARD_CONNECT_TIMEOUT_MS,
  };
}

function baseUrlOf(text: string): string {
  if (BASE_URL.test(text) && URL.canParse(text)) return new URL(text).href.replace(/\/$/, '');
  throw new MayflyOptionError(`"${text}" is not a base URL. Set baseUrl or MAYFLY_URL to one such as ${STANDARD_URL}.`);
}

/** The first domain in `MAYFLY_DOMAIN`. The server also reads it, so it may be a list, or `*` for any domain. */
export function domainOfServer(variable = ''): string | undefined {
  const domains = variable.split(',').map((domain) => domain.trim());
  return domains.find((domain) => domain !== '' && domain !== '*');
}

/** Normalizes a domain. Throws `MayflyOptionError`, with `start` and `remedy` in its message, if it is invalid. */
export function checkedDomain(text: string, start = '', remedy = 'Set domain or MAYFLY_DOMAIN to'): string {
  const domain = mailDomain(text);
  if (domain !== null) return domain;
  throw new MayflyOptionError(`${start}"${text}" is not a domain. ${remedy} one such as ${STANDARD_DOMAIN}.`);
}

function workspaceOf(text: string | undefined): Workspace | null {
  if (!text) return null;
  const parts = API_KEY.exec(text);
  if (parts) return parts.groups as unknown as Workspace;
  // Does not repeat the value, because it may be a key and other people read logs.
  throw new MayflyOptionError(
    'apiKey or MAYFLY_API_KEY is not valid. Write it as NAME=KEY; a key has 16 to 512 characters.',
  );
}

/** Accepts visible ASCII, because a header carries the credentials. The service checks user and password itself. */
function checkedCredentials(text: string | undefined): string | undefined {
  if (!text || /^[!-9;-~]+:[!-~]+$/.test(text)) return text;
  throw new MayflyOptionError('credentials or MAYFLY_CREDENTIALS is not valid. Write it as USER:PASSWORD.');
}
