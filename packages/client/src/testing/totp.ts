import { MayflyError, MayflyOptionError } from '../wait/errors.js';
import { aSignal, checkOptions } from '../wait/settings.js';
import {
  checkCounter,
  codeFor,
  givenOf,
  readSecondFactor,
  type SecondFactor,
  type SecondFactorAlgorithm,
  type SecondFactorOptions,
} from './second-factor.js';

export type { SecondFactorAlgorithm, SecondFactorOptions };

/** What `totp` takes beside a bare secret. */
export interface TotpOptions extends SecondFactorOptions {
  /** How long one code counts, in seconds; by default 30. */
  readonly period?: number | undefined;
  /** Where time comes from, for an application whose clock the test moves; by default this machine's. */
  readonly clock?: TotpClock | undefined;
}

/** A source of time. */
export interface TotpClock {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number;
  /** Resolves after a time on this clock, or rejects with the reason of an aborted signal. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The codes of a second factor that change with time (RFC 6238). */
export interface Totp {
  /**
   * A code that the application accepts: it counts for 5 s more, and no call in this process got it before. Waits for
   * the next one where there is none, usually up to 30 s.
   */
  next(options?: { readonly signal?: AbortSignal | undefined }): Promise<string>;
  /** The code of a moment, by default now, whether it was used or not. */
  code(at?: Date): Promise<string>;
}

/** The codes of a second factor that change with each use (RFC 4226). */
export interface Hotp {
  /** The code of the next value of the counter. The first call has the counter of the address or the options. */
  next(): Promise<string>;
  /** The code of a value of the counter. */
  code(counter: number): Promise<string>;
}

/** A code that counts for less is not given: until the form is sent, another one may be due. */
const LEAST_LEFT_MS = 5_000;

/** How many periods ahead the calls of a process may wait, each for a code of its own. */
const MAX_PERIODS_AHEAD = 10;

/** How often a call takes a later period because the clock jumped or the process was busy. */
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

/** The codes of an `otpauth://totp/` address, or of a secret in base32, in any case and with spaces. */
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
        throw new MayflyOptionError('code() takes a Date, not before 1970.');
      }
      return codeFor(factor, Math.floor(at.getTime() / periodMs));
    },
  };
}

/** The codes of an `otpauth://hotp/` address, or of a secret in base32 and a counter, which is 0 by default. */
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

/** Takes a period whose code was not given yet, and resolves while that code counts. */
async function freshPeriod(factor: SecondFactor, clock: TotpClock, signal: AbortSignal | undefined): Promise<number> {
  signal?.throwIfAborted();
  const periodMs = factor.period * 1_000;
  const leastLeftMs = Math.min(LEAST_LEFT_MS, periodMs / 2);
  /** The first period whose code still counts for long enough. */
  const usable = () => Math.ceil((clock.now() + leastLeftMs) / periodMs) - 1;
  const given = givenOf(factor, clock === machineClock ? null : clock);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const previous = given.period;
    // No call waits for a later one: the clock went back, and so did the application's.
    const isBack = previous > usable() + MAX_PERIODS_AHEAD;
    const taken = isBack ? usable() : Math.max(usable(), previous + 1);
    if (taken - usable() > MAX_PERIODS_AHEAD) {
      throw new MayflyError(
        `${MAX_PERIODS_AHEAD} calls already wait for a code of this secret, and each code is given once. Give parallel tests an account each.`,
      );
    }
    given.period = taken;
    try {
      await until(taken * periodMs, (MAX_PERIODS_AHEAD + 1) * periodMs, clock, signal);
    } catch (error) {
      if (given.period === taken) given.period = previous;
      throw error;
    }
    if (taken === usable()) return taken;
  }
  throw new MayflyError('No code counted for long enough: this process was too busy, or its clock jumped.');
}

/**
 * Waits for a time, but not for one further off than any that a call waits for: then the clock went back. A timer may
 * end a millisecond early, or long after its time.
 */
async function until(time: number, mostMs: number, clock: TotpClock, signal: AbortSignal | undefined): Promise<void> {
  const left = () => time - clock.now();
  while (left() > 0 && left() <= mostMs) await clock.wait(left(), signal);
}
