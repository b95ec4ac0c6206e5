import type { SecondFactor } from '../testing/second-factor.js';

/** The codes of one secret that this process has given. */
export interface GivenCodes {
  /** The last period whose code was given, or is waited for. */
  period: number;
}

/** How many secrets are remembered. The one unused longest is forgotten first. */
const MAX_SECRETS = 1_000;

/** By clock, `null` for that of this machine; by secret and settings, so that two objects of one secret share it. */
interface Book {
  readonly byClock: WeakMap<object, Map<string, GivenCodes>>;
  readonly ofMachine: Map<string, GivenCodes>;
}

const BOOK = Symbol.for('mayfly-client/given-codes');

/** What was given of a secret until now. */
export function givenOf({ secret, algorithm, digits, period }: SecondFactor, clock: object | null): GivenCodes {
  const { byClock, ofMachine } = book();
  const given = clock === null ? ofMachine : (byClock.get(clock) ?? new Map<string, GivenCodes>());
  if (clock !== null) byClock.set(clock, given);
  const key = [secret, algorithm, digits, period].join();
  const one = given.get(key) ?? { period: -1 };
  given.delete(key);
  given.set(key, one);
  const [oldest] = given.keys();
  if (given.size > MAX_SECRETS && oldest !== undefined) given.delete(oldest);
  return one;
}

/**
 * One for the process, not for each copy of this module: test runners load one for each test file, and a project may
 * have it both as ES module and as CommonJS. Each file of Jest has a `globalThis` of its own, but `crypto` is the same.
 */
function book(): Book {
  const holder = (globalThis.crypto ?? globalThis) as { [BOOK]?: Book };
  if (holder[BOOK] === undefined) {
    const value: Book = { byClock: new WeakMap(), ofMachine: new Map() };
    Object.defineProperty(holder, BOOK, { value });
  }
  return holder[BOOK] as Book;
}
