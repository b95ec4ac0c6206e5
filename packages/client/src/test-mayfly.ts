import { EXPLAINED_MS, STANDARD_TIMEOUT_MS } from './bounds.js';
import { type CreateInboxOptions, Mayfly, type OpenInboxOptions } from './client.js';
import { MayflyOptionError, MayflyTimeoutError } from './errors.js';
import type { TestTime } from './fixtures.js';
import type { Inbox } from './inbox.js';
import type { MayflyOptions } from './settings.js';

/** A Mayfly whose calls end before its test does: see fixtures.ts. */
export class TestMayfly extends Mayfly {
  readonly #time: TestTime;

  constructor(options: MayflyOptions, time: TestTime) {
    super({
      ...options,
      get timeout() {
        return Math.min(options.timeout ?? STANDARD_TIMEOUT_MS, time.callMs());
      },
    });
    this.calls.spareMs = (timeoutMs) => Math.min(EXPLAINED_MS, (time.leftMs() - timeoutMs) / 2);
    this.#time = time;
  }

  override createInbox(options: CreateInboxOptions = {}): Inbox {
    return inTime(super.createInbox(options), this.#time);
  }

  override inbox(nameOrAddress: string, options: OpenInboxOptions = {}): Inbox {
    return inTime(super.inbox(nameOrAddress, options), this.#time);
  }
}

/** The methods that take a time, and the options that have it: one that is cut, or one that must be seen whole. */
const TIMED = [
  ...(['waitForEmail', 'waitForOtp', 'waitForMagicLink', 'waitForCode', 'waitForLink'] as const).map(
    (name) => [name, 'timeout', undefined] as const,
  ),
  ['waitForEmails', 'timeout', 'settle'] as const,
  ['expectNoEmail', undefined, 'within'] as const,
];

type Call = (options?: unknown) => Promise<unknown>;
type Times = Readonly<Record<string, unknown>>;

function inTime(inbox: Inbox, time: TestTime): Inbox {
  for (const [name, cut, quiet] of TIMED) {
    const call = inbox[name].bind(inbox) as Call;
    const value: Call = async (options) => {
      const given = (options ?? {}) as Times;
      const timeoutMs = cut && given[cut];
      const quietMs = quiet && given[quiet];
      if (typeof quietMs === 'number' && quietMs > time.leftMs()) throw tooLong(`${name}: ${quiet}`, quietMs, time);
      if (typeof timeoutMs !== 'number' || timeoutMs <= time.callMs()) return call(options);
      try {
        return await call({ ...given, timeout: time.callMs() });
      } catch (error) {
        if (error instanceof MayflyTimeoutError) error.message += ` ${cutSentence(timeoutMs)}`;
        throw error;
      }
    };
    // What reports the waits of a test wraps them again.
    Object.defineProperty(inbox, name, { value, configurable: true });
  }
  return inbox;
}

function cutSentence(timeoutMs: number): string {
  return `The wait was to take ${timeoutMs / 1000} s, but its test ends before that: give the test more time.`;
}

function tooLong(option: string, quietMs: number, time: TestTime): MayflyOptionError {
  const left = Math.max(Math.round(time.leftMs()), 0);
  return new MayflyOptionError(
    `${option} is ${quietMs} ms, but the test ends in ${left} ms. Watch for less, or give the test more time.`,
  );
}
