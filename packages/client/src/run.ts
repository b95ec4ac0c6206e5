import { LAST_REPORTS_MS, LISTED_MS, MAX_NAMED, MAX_SERVICES, STANDARD_TIMEOUT_MS } from './bounds.js';
import type { Mayfly } from './client.js';
import { linesOf } from './email-line.js';
import { environment, say, setEnvironment } from './environment.js';
import { MayflyOptionError } from './errors.js';
import { STARTED_VARIABLE, testTime } from './fixtures.js';
import type { Inbox } from './inbox.js';
import { ReportedMayfly, ReportedTest } from './reported-test.js';
import { RunReports } from './run-reports.js';
import { isRunSecret, newRunSecret } from './run-secret.js';
import { type MayflyOptions, readSettings } from './settings.js';
import { TestMayfly } from './test-mayfly.js';
import type { RunOutcome } from './wire-runs.js';

/** What `MAYFLY_RUN` says if nothing of the run is to be reported. */
const OFF = 'off';

/**
 * The variable that names the address of a service that this run has started and that goes on while tests are run again
 * and again. The page of any other one is gone by the time that its address is read. No setting has such a name.
 */
export const STAYING_VARIABLE = 'STAYING_MAYFLY';

/** The reports of this process, by the page of the run and the key. */
const reports = new Map<string, RunReports>();

/** How a test ended, and with what. */
export interface TestEnd {
  readonly outcome: RunOutcome;
  readonly error?: unknown;
}

/** The Mayfly of one test, and what tells its run that the test has ended. */
export interface MayflyOfTest {
  readonly mayfly: Mayfly;
  /**
   * Ends the waits of the test. Never rejects. If the test has failed, resolves to what to print: waits that were left,
   * and where the page has the test; or else to null.
   */
  ended(end: TestEnd): Promise<string | null>;
  /** The same, with the emails of the test's inboxes, a line each. */
  endedWithEmails(end: TestEnd): Promise<string | null>;
}

/**
 * The secret of the run, from `MAYFLY_RUN`. Without one it is made, for this process and those that it starts; null if
 * it is `off`. Throws `MayflyOptionError` for anything else.
 */
export function runSecret(): string | null {
  const given = environment.MAYFLY_RUN;
  if (given === OFF) return null;
  if (!given) {
    environment.MAYFLY_RUN = newRunSecret();
    return environment.MAYFLY_RUN;
  }
  if (isRunSecret(given)) return given;
  // The text is not repeated: it may be a secret with a slip, and logs are read by others.
  throw new MayflyOptionError(
    'MAYFLY_RUN is not the secret of a run. Write 26 random characters of a-z and 2-7, or off to report no run.',
  );
}

/** The Mayfly of a test, which reports what the test does with it. Throws `MayflyOptionError` as `new Mayfly` does. */
export function mayflyOfTest(options: MayflyOptions, title: string, time = testTime(() => 0)): MayflyOfTest {
  const secret = runSecret();
  if (secret === null) {
    const ended = async () => null;
    return { mayfly: new TestMayfly(options, time), ended, endedWithEmails: ended };
  }
  const settings = readSettings(options);
  const pageUrl = `${settings.baseUrl}/run/${secret}`;
  const test = new ReportedTest(reportsTo(pageUrl, settings, secret), title, pageUrl);
  const ended = async ({ outcome, error }: TestEnd) => {
    const left = test.leftWaiting(outcome);
    const link = await test.ended(outcome, error);
    const { [STARTED_VARIABLE]: started, [STAYING_VARIABLE]: staying } = environment;
    const isDead = started === settings.baseUrl && staying !== started;
    const shown = link === null || isDead ? null : `Mayfly shows what came to "${title}": ${link}`;
    return outcome === 'failed' ? [left, shown].filter(Boolean).join('\n') || null : shown;
  };
  return {
    mayfly: new ReportedMayfly(options, test, time),
    ended,
    async endedWithEmails(end) {
      const came = end.outcome === 'failed' ? Promise.all(test.inboxes.map(whatCame)) : [];
      const shown = await ended(end);
      return [...(await came), shown].filter(Boolean).join('\n') || null;
    },
  };
}

/** The newest emails of an inbox, a line each. Never rejects. */
async function whatCame(inbox: Inbox): Promise<string> {
  try {
    const emails = await inbox.emails({ signal: AbortSignal.timeout(LISTED_MS) });
    if (emails.length === 0) return `No email came to ${inbox}.`;
    const more = emails.length > MAX_NAMED ? ` The newest ${MAX_NAMED}:` : '';
    const count = emails.length === 1 ? '1 email' : `${emails.length} emails`;
    return [`${count} came to ${inbox}.${more}`, ...linesOf(emails.slice(0, MAX_NAMED))].join('\n  ');
  } catch (error) {
    return `What came to ${inbox} could not be read: ${(error as Error).message}`;
  }
}

/** Waits, within a bound, until what this process has to report is reported: before the end of a file or a worker. */
export async function runReported(): Promise<void> {
  const ends = [...reports.values()].map(async (one) => {
    if (!(await one.reported(LAST_REPORTS_MS))) one.end();
  });
  await Promise.all(ends);
}

/**
 * Sees to it that all processes of a run report to the same one, and says where the page has it, unless `MAYFLY_RUN`
 * has named it or nothing is to be shown. Returns what undoes that. Throws `MayflyOptionError` as `runSecret` does.
 */
export async function provideRun(baseUrl: string, isShown = true): Promise<() => void> {
  if (environment.MAYFLY_RUN) {
    runSecret();
    return () => {};
  }
  const secret = newRunSecret();
  const restore = setEnvironment({ MAYFLY_RUN: secret });
  if (!isShown) return restore;
  // An older service has no such path.
  const signal = AbortSignal.timeout(STANDARD_TIMEOUT_MS);
  const isThere = await fetch(`${baseUrl}/api/run/${secret}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) say(runSentence(`${baseUrl}/run/${secret}`));
  return restore;
}

export function runSentence(url: string): string {
  return `Mayfly shows this run at ${url}`;
}

function reportsTo(pageUrl: string, settings: ReturnType<typeof readSettings>, secret: string): RunReports {
  const key = `${pageUrl} ${settings.space || settings.workspace?.key}`;
  const known = reports.get(key);
  if (known !== undefined) return known;
  if (reports.size >= MAX_SERVICES) reports.clear();
  const own = new RunReports(settings, secret);
  reports.set(key, own);
  return own;
}
