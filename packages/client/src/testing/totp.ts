import { BASE32 } from 'mayfly-protocol/made-name';
import { MayflyError, MayflyOptionError } from '../wait/errors.js';
import { aSignal, checkOptions, oneOf, rule, wholeNumber } from '../wait/settings.js';

export interface TotpOptions extends SecondFactorOptions {
  /** Seconds for which a code is valid; by default 30. */
  readonly period?: number | undefined;
  /** The source of time, if the test controls the application's clock; by default this machine's clock. */
  readonly clock?: TotpClock | undefined;
}

export interface TotpClock {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number;
  /** Resolves after this time on this clock, or rejects with the signal's reason. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Time-based codes of a second factor (RFC 6238). */
export interface Totp {
  /** A code that stays valid for at least 5 s and that no call in this process has returned. May wait up to 30 s. */
  next(options?: { readonly signal?: AbortSignal | undefined }): Promise<string>;
  /** The code for the given time, by default the current time, even if it was used before. */
  code(at?: Date): Promise<string>;
}

export interface Hotp {
  /** The code for the next counter value. The first call uses the counter of the address or of the options. */
  next(): Promise<string>;
  code(counter: number): Promise<string>;
}

/** If a code has less time left, `next` waits, because the code could expire before the form is sent. */
const LEAST_LEFT_MS = 5_000;

/** How many periods ahead parallel calls of a process may reserve. Each reserves one, so no two get the same code. */
const MAX_PERIODS_AHEAD = 10;
/** Maximum number of attempts to reserve a period, as the clock may jump and the process may be busy. */
const MAX_TRIES = 10;

const machineClock: TotpClock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** The codes of an `otpauth://totp/` address, or of a base32 secret, which may be in any case and contain spaces. */
export function totp(uriOrSecret: string, options: TotpOptions = {}): Totp {
  const factor = readSecondFactor('totp', uriOrSecret, options);
  const clock = options.clock ?? machineClock;
  const periodMs = factor.period * 1_000;
  return {
    next: async (nextOptions = {}) => {
      checkOptions('next()', nextOptions, { signal: aSignal });
      return codeFor(factor, await freshPeriod(factor, clock, nextOptions.signal));
    },
    code: async (at = new Date(clock.now())) => {
      if (!(at instanceof Date) || !(at.getTime() >= 0)) {
        throw new MayflyOptionError('code() requires a Date of 1970 or later.');
      }
      return codeFor(factor, Math.floor(at.getTime() / periodMs));
    },
  };
}

/** The codes of an `otpauth://hotp/` address, or of a base32 secret and a counter (0 by default). */
export function hotp(
  uriOrSecret: string,
  options: SecondFactorOptions & { readonly counter?: number | undefined } = {},
): Hotp {
  const factor = readSecondFactor('hotp', uriOrSecret, options);
  let { counter } = factor;
  return {
    next: async () => {
      const value = checkCounter(counter);
      counter += 1;
      return codeFor(factor, value);
    },
    code: async (value) => codeFor(factor, checkCounter(value)),
  };
}

/** Reserves a period whose code was not returned before, and resolves while that code is valid. */
async function freshPeriod(factor: SecondFactor, clock: TotpClock, signal: AbortSignal | undefined): Promise<number> {
  signal?.throwIfAborted();
  const periodMs = factor.period * 1_000;
  const leastLeftMs = Math.min(LEAST_LEFT_MS, periodMs / 2);
  // The first period whose code remains valid for long enough.
  const usable = () => Math.ceil((clock.now() + leastLeftMs) / periodMs) - 1;
  const given = givenOf(factor, clock === machineClock ? null : clock);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const previous = given.period;
    // If the reserved period is further ahead than a call may wait for, the clock was set back.
    const isBack = previous > usable() + MAX_PERIODS_AHEAD;
    const taken = isBack ? usable() : Math.max(usable(), previous + 1);
    if (taken - usable() > MAX_PERIODS_AHEAD) {
      throw new MayflyError(
        `${MAX_PERIODS_AHEAD} calls already wait for a code of this secret, and no two calls get the same code. Use a separate account for each parallel test.`,
      );
    }
    given.period = taken;
    try {
      // Repeats, because timers may fire early. Stops once more time is left than a call needs: the clock was set back.
      const left = () => taken * periodMs - clock.now();
      while (left() > 0 && left() <= (MAX_PERIODS_AHEAD + 1) * periodMs) await clock.wait(left(), signal);
    } catch (error) {
      if (given.period === taken) given.period = previous;
      throw error;
    }
    if (taken === usable()) return taken;
  }
  throw new MayflyError('No code stayed valid for long enough: this process was too busy, or its clock jumped.');
}

/** The hash functions of RFC 6238 section 1.2. */
const ALGORITHMS = ['SHA-1', 'SHA-256', 'SHA-512'] as const;

export type SecondFactorAlgorithm = (typeof ALGORITHMS)[number];

/** The parameters of an `otpauth:` URI other than its secret, with the defaults of the RFCs and authenticator apps. */
export interface SecondFactorOptions {
  /** Hash function; by default SHA-1. */
  readonly algorithm?: SecondFactorAlgorithm | undefined;
  /** Number of digits: 6, 7 or 8; by default 6. */
  readonly digits?: number | undefined;
}

interface SecondFactor {
  readonly secret: Uint8Array;
  readonly algorithm: SecondFactorAlgorithm;
  readonly digits: number;
  readonly period: number;
  readonly counter: number;
}

type Setting = 'algorithm' | 'digits' | 'period' | 'counter';
type Given = Partial<Record<Setting | 'clock', unknown>>;

/** Maximum lengths of an address and a secret. HMAC hashes long secrets (RFC 2104 section 2), so none needs more. */
const MAX_URI_LENGTH = 4_096;
const MAX_SECRET_LENGTH = 1_024;
const MAX_PERIOD = 3_600;

const RULES = {
  algorithm: oneOf(ALGORITHMS),
  digits: wholeNumber(6, 8),
  period: wholeNumber(1, MAX_PERIOD),
  counter: wholeNumber(0, Number.MAX_SAFE_INTEGER),
};

const aClock = rule('an object with now() and wait()', (value) => {
  return ['now', 'wait'].every((name) => typeof Object(value)[name] === 'function');
});

const DEFAULTS = { algorithm: 'SHA-1', digits: 6, period: 30, counter: 0 } as const;

const OWN_SETTING = { totp: 'period', hotp: 'counter' } as const;

/** Reads an `otpauth:` address or a secret in base32. Throws `MayflyOptionError`, which never repeats the secret. */
function readSecondFactor(kind: 'totp' | 'hotp', source: string, options: Given): SecondFactor {
  const own = OWN_SETTING[kind];
  const { algorithm, digits, [own]: ownRule } = RULES;
  const clock = kind === 'totp' ? { clock: aClock } : {};
  checkOptions<Given>(`${kind}()`, options, { algorithm, digits, [own]: ownRule, ...clock } as never);
  if (typeof source !== 'string' || source.trim() === '') {
    throw new MayflyOptionError(`${kind}() needs a secret in base32, or the otpauth: address of a QR code.`);
  }
  const { clock: _clock, ...settings } = options;
  const isAddress = /^\s*otpauth/i.test(source) && source.includes(':');
  const { secret, ...said } = isAddress ? fromAddress(kind, source.trim(), settings) : { secret: source, ...settings };
  return { ...DEFAULTS, ...present(said), secret: decoded(kind, secret) } as SecondFactor;
}

const present = (given: Given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** The settings in a URI, read as authenticator apps read it: `otpauth://totp/Label?secret=…&digits=6`. */
function fromAddress(kind: 'totp' | 'hotp', source: string, options: Given): Given & { secret: string } {
  const wrong = (what: string) => new MayflyOptionError(`${kind}(): ${what}`);
  if (source.length > MAX_URI_LENGTH) throw wrong(`the address has more than ${MAX_URI_LENGTH} characters.`);
  if (/^otpauth-migration:/i.test(source)) {
    throw wrong('an otpauth-migration: address contains several secrets in another format. Pass one secret.');
  }
  if (!URL.canParse(source)) throw wrong('the address is not a valid otpauth: URI.');
  const { hostname, searchParams } = new URL(source);
  const type = hostname.toLowerCase();
  if (type !== kind) {
    const other = type === 'totp' || type === 'hotp' ? ` Use ${type}().` : '';
    throw wrong(`the address is of the type "${type}", not "${kind}".${other}`);
  }
  const [doubled] = Object.keys(present(options));
  if (doubled !== undefined) throw wrong(`the otpauth: URI has its own settings: omit the option ${doubled}.`);
  const read = (name: string) => {
    const values = searchParams.getAll(name);
    if (values.length > 1) throw wrong(`the address contains ${name} ${values.length} times.`);
    return values[0];
  };
  if ([...searchParams.keys()].some((name) => name.startsWith('amp;'))) {
    throw wrong('the address was copied from HTML source: replace "&amp;" with "&".');
  }
  // With an encoder, codes contain letters, as Steam's do, or are computed differently.
  if (searchParams.has('encoder')) throw wrong('the address names an encoder, so its codes are not plain digits.');
  const secret = read('secret');
  if (!secret) throw wrong('the address has no secret.');
  const number = (name: 'digits' | 'period' | 'counter') => {
    const text = read(name);
    const value = text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
    if (value !== undefined && !RULES[name].allows(value)) {
      throw wrong(`${name} in the address must be ${RULES[name].text}.`);
    }
    return value;
  };
  const algorithm = read('algorithm')
    ?.toUpperCase()
    .replace(/^SHA-?/, 'SHA-');
  if (algorithm !== undefined && !RULES.algorithm.allows(algorithm)) {
    throw wrong('algorithm in the address must be SHA1, SHA256 or SHA512.');
  }
  const own = OWN_SETTING[kind];
  const value = number(own);
  if (kind === 'hotp' && value === undefined) throw wrong('the address has no counter, which an hotp address needs.');
  return { secret, algorithm, digits: number('digits'), [own]: value };
}

/** The bytes of a secret. Like authenticator apps, ignores trailing bits that do not fill a byte. */
function decoded(kind: string, secret: string): Uint8Array {
  const wrong = (what: string) => new MayflyOptionError(`${kind}(): ${what}`);
  if (secret.length > MAX_SECRET_LENGTH) throw wrong(`the secret has more than ${MAX_SECRET_LENGTH} characters.`);
  // toLowerCase() would turn the Kelvin sign into a valid base32 letter.
  let letters = secret.replace(/[A-Z]+/g, (upper) => upper.toLowerCase()).replace(/[\s-]/g, '');
  while (letters.endsWith('=')) letters = letters.slice(0, -1);
  const strange = [...letters].find((letter) => !BASE32.includes(letter));
  if (strange !== undefined) {
    throw wrong(`the secret is not in base32: it has the character "${strange}", and base32 has A to Z and 2 to 7.`);
  }
  const bits = [...letters].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g);
  if (bytes === null) throw wrong('the secret is empty.');
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

const NO_WEB_CRYPTO =
  "This environment has no WebCrypto. A browser has it only in a secure context; under Jest, use the environment 'node'.";

/** Computes a code (RFC 4226 section 5.3). */
async function codeFor({ secret, algorithm, digits }: SecondFactor, counter: number): Promise<string> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) throw new MayflyError(NO_WEB_CRYPTO);
  const hmac = { name: 'HMAC', hash: algorithm };
  const key = await subtle.importKey('raw', Uint8Array.from(secret), hmac, false, ['sign']);
  const message = new DataView(new ArrayBuffer(8));
  message.setBigUint64(0, BigInt(counter));
  const mac = new DataView(await subtle.sign('HMAC', key, message.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf;
  const truncated = mac.getUint32(offset) & 0x7fffffff;
  return `${truncated % 10 ** digits}`.padStart(digits, '0');
}

function checkCounter(counter: number): number {
  if (RULES.counter.allows(counter)) return counter;
  throw new MayflyOptionError(`hotp(): the counter must be ${RULES.counter.text}.`);
}

/** Maximum number of remembered secrets. The least recently used is dropped first. */
const MAX_SECRETS = 1_000;
const BOOK = Symbol.for('mayfly-client/given-codes');

/** For each clock and each secret with its settings: the last period whose code this process returned or reserved. */
type Book = WeakMap<object, Map<string, { period: number }>>;

function givenOf({ secret, algorithm, digits, period }: SecondFactor, clock: object | null): { period: number } {
  const books = book();
  const given = books.get(clock ?? books) ?? new Map<string, { period: number }>();
  books.set(clock ?? books, given);
  const key = [secret, algorithm, digits, period].join();
  const one = given.get(key) ?? { period: -1 };
  given.delete(key);
  given.set(key, one);
  const [oldest] = given.keys();
  if (given.size > MAX_SECRETS && oldest !== undefined) given.delete(oldest);
  return one;
}

// One book per process, not per copy of this module: runners load a copy for each test file, and a project may use
// both ESM and CommonJS. Each test file has its own `globalThis` in Jest, but all share `crypto`.
function book(): Book {
  const holder = (globalThis.crypto ?? globalThis) as { [BOOK]?: Book };
  if (holder[BOOK] === undefined) Object.defineProperty(holder, BOOK, { value: new WeakMap() });
  return holder[BOOK] as Book;
}
