import { STANDARD_CONNECT_TIMEOUT_MS, STANDARD_TIMEOUT_MS } from './bounds.js';
import type { Mayfly } from './client.js';
import { MayflyNetworkError } from './errors.js';
import type { Inbox } from './inbox.js';
import type { MayflyOptions } from './settings.js';

/** The fixtures of each test. */
export interface MayflyFixtures {
  /** The Mayfly that `mayflyOptions` configure. */
  readonly mayfly: Mayfly;
  /** A new inbox for this run of the test; retries get another. */
  readonly inbox: Inbox;
}

/** Options of the fixtures. */
export interface MayflyTestOptions {
  /** Where Mayfly is. Missing options come from the environment. */
  readonly mayflyOptions: MayflyOptions;
}

/** The part of a test's time that a wait leaves, so that the test fails with the wait's explanation. */
const LEFT_PART = 0.2;

/**
 * How long a wait that is not told takes in a test that may take so long, both in milliseconds; 0 and Infinity are no
 * bound.
 */
export function waitTimeoutMs(testTimeoutMs: number): number {
  if (!(testTimeoutMs > 0)) return STANDARD_TIMEOUT_MS;
  return Math.min(STANDARD_TIMEOUT_MS, Math.ceil(testTimeoutMs * (1 - LEFT_PART)));
}

/** The services that this process has asked for, by their addresses. */
const asked = new Map<string, Promise<void>>();

/**
 * Resolves when Mayfly answers. So a test fails before it has begun and not at its first wait; every later test of the
 * process gets the same answer at once. `remedy` ends the sentence of the `MayflyNetworkError` where nothing is there.
 */
export function reached(mayfly: Mayfly, remedy: string): Promise<void> {
  const known = asked.get(mayfly.baseUrl);
  if (known !== undefined) return known;
  const answer = ask(mayfly, remedy);
  asked.set(mayfly.baseUrl, answer);
  return answer;
}

async function ask(mayfly: Mayfly, remedy: string): Promise<void> {
  const { baseUrl } = mayfly;
  try {
    await mayfly.ready({ timeout: STANDARD_CONNECT_TIMEOUT_MS });
  } catch (cause) {
    if (!(cause instanceof MayflyNetworkError)) throw cause;
    const message = `Nothing answers at ${baseUrl}. Start Mayfly ("npx mayfly-inbox serve"), ${remedy}.`;
    throw new MayflyNetworkError(message, { baseUrl }, { cause });
  }
}
