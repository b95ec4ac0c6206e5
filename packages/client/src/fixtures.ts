import './in-node.js';
import { LEFT_PART, MAX_LEFT_MS, MAX_SERVICES, MAX_WAIT_MS } from './bounds.js';
import { Calls } from './calls.js';
import type { Mayfly } from './client.js';
import { environment } from './environment.js';
import { MayflyNetworkError } from './errors.js';
import type { Inbox } from './inbox.js';
import { now } from './real-time.js';
import { type MayflyOptions, readSettings } from './settings.js';
import { Transport } from './transport.js';
import { SILENT } from './unreached.js';

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

/**
 * The rules by which fixtures wait, the same for every runner and language:
 *
 * - A call takes its own timeout, 20 s by default, and never more than its test leaves it when the call begins. That is
 *   the rest of the test's time, less a reserve: a fifth of that time, 5 s at most, and never more than half of the
 *   rest. The test's time is the runner's, as it is now, from when the runner counts it. So the test ends with the
 *   explanation of the wait and not with the timeout of the runner.
 * - Before its first call, a test asks whether Mayfly answers. A success is kept for the process, a failure never.
 *   If no connection can be opened, that is told after `connectTimeout`, by default 3 s. What takes the connection,
 *   and a service that this run has started, are waited for as long as a call may take.
 */
export function testTime(timeoutMs: () => number, startedAt = now()): TestTime {
  const leftMs = () => (timeoutMs() > 0 ? startedAt + timeoutMs() - now() : Number.POSITIVE_INFINITY);
  return {
    leftMs,
    callMs() {
      const left = leftMs();
      const most = Math.max(left - Math.min(timeoutMs() * LEFT_PART, MAX_LEFT_MS), left / 2, LEAST_CALL_MS);
      // A message shows it in seconds.
      return Math.ceil(most / SHOWN_MS) * SHOWN_MS;
    },
  };
}

/** The time of a test, in milliseconds; infinite where it has no bound. */
export interface TestTime {
  /** What is left of it. */
  leftMs(): number;
  /** How much of that a call may take. */
  callMs(): number;
}

/** A call of a test whose time is over has a moment, to say so. */
const LEAST_CALL_MS = 200;
const SHOWN_MS = 100;

/** The variable that names the address of the service that this run has started. No setting has such a name. */
export const STARTED_VARIABLE = 'STARTED_MAYFLY';

/** Where a Mayfly has answered this process. */
const answered = new Set<string>();

/**
 * Resolves when Mayfly answers. So a test fails before it has begun and not at its first wait. `remedy` ends the
 * sentence of the `MayflyNetworkError` where nothing is there.
 */
export async function reached(options: MayflyOptions, remedy: string, time?: TestTime): Promise<void> {
  const settings = readSettings(options);
  const { baseUrl, connectTimeoutMs } = settings;
  if (answered.has(baseUrl)) return;
  const calls = new Calls(new Transport(settings, () => import('./error-answer.js')), settings);
  const isStarted = environment[STARTED_VARIABLE] === baseUrl;
  const timeoutMs = Math.max(settings.timeoutMs, connectTimeoutMs);
  const leftMs = time?.callMs() ?? timeoutMs;
  const mostMs = isStarted && leftMs < MAX_WAIT_MS ? leftMs : Math.min(timeoutMs, leftMs);
  try {
    await calls.ready(mostMs, undefined, isStarted ? mostMs : connectTimeoutMs);
    if (answered.size >= MAX_SERVICES) answered.clear();
    answered.add(baseUrl);
  } catch (cause) {
    if (!(cause instanceof MayflyNetworkError) || cause.message.includes(SILENT)) throw cause;
    const message = isStarted
      ? `Mayfly, which this run started at ${baseUrl}, answers no more. What it said at its end stands above.`
      : `Nothing answers at ${baseUrl}. Start Mayfly ("npx mayfly-inbox serve"), ${remedy}.`;
    throw new MayflyNetworkError(message, { baseUrl }, { cause });
  }
}
