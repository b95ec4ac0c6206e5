import { FAILED_REPORT_MS, MAX_REPORTED_INBOXES, MAX_REPORTED_WAITS, MAX_TITLE_LENGTH } from './bounds.js';
import type { CreateInboxOptions, OpenInboxOptions } from './client.js';
import { MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError } from './errors.js';
import type { TestTime } from './fixtures.js';
import type { Inbox } from './inbox.js';
import type { RunReports } from './run-reports.js';
import { randomText } from './run-secret.js';
import type { MayflyOptions } from './settings.js';
import { TestMayfly } from './test-mayfly.js';
import type { ReportedTest as Report, RunOutcome, RunWait } from './wire-runs.js';

/** Enough that two tests of a run have never the same. */
const ID_LENGTH = 12;

/** What comes between the characters of colours of a terminal, and other control characters but line breaks. */
const COLOURS = /\p{Cc}\[[\d;]*m/gu;
const CONTROLS = /[^\P{Cc}\n]/gu;

/** One attempt of one test, as its run has it. It is reported from its first inbox on, or when it has failed. */
export class ReportedTest {
  readonly id = randomText(ID_LENGTH);
  readonly #reports: RunReports;
  readonly #title: string;
  readonly #pageUrl: string;
  readonly #inboxes = new Map<string, Inbox>();
  readonly #waits: RunWait[] = [];
  /** What waits now, as in `waitForOtp() of a@inbox.example.com`. */
  readonly #waiting = new Map<Promise<unknown>, string>();
  readonly #over = new AbortController();
  #outcome: RunOutcome = 'running';
  #error: string | null = null;

  /** `pageUrl` is where the page shows the run. */
  constructor(reports: RunReports, title: string, pageUrl: string) {
    this.#reports = reports;
    this.#title = title;
    this.#pageUrl = pageUrl;
  }

  get inboxes(): readonly Inbox[] {
    return [...this.#inboxes.values()];
  }

  get outcome(): RunOutcome {
    return this.#outcome;
  }

  /** The test uses an inbox. */
  uses(inbox: Inbox): void {
    const name = inboxIn(inbox.pageUrl);
    if (this.#inboxes.size >= MAX_REPORTED_INBOXES || this.#inboxes.has(name)) return;
    this.#inboxes.set(name, inbox);
    this.#reports.changed(this);
  }

  /** Runs a wait with a signal that is aborted when the test ends. */
  waits<T>(what: string, wait: (over: AbortSignal) => Promise<T>): Promise<T> {
    const running = wait(this.#over.signal).finally(() => this.#waiting.delete(running));
    this.#waiting.set(running, what);
    return running;
  }

  /**
   * Ends the waits that are left, and returns a sentence that names them, or null. Nobody may be waiting for them: then
   * the runner reports their errors, except after a failure, which may be why.
   */
  leftWaiting(outcome: RunOutcome): string | null {
    const left = [...this.#waiting];
    if (left.length === 0) return null;
    const calls = left.map(([, what]) => what).join(', ');
    const sentence = `"${this.#title}" ended before ${calls}: write "await" before the call, and give the test more time than the wait.`;
    if (outcome === 'failed') for (const [wait] of left) wait.catch(() => {});
    this.#over.abort(new MayflyError(sentence));
    return sentence;
  }

  /** A wait was in vain. */
  waited(to: string, text: string): void {
    // The last ones are those that the test failed with.
    if (this.#waits.length >= MAX_REPORTED_WAITS) this.#waits.shift();
    this.#waits.push({ to, text });
  }

  /** The test has ended. Never rejects, and resolves to where the page shows it if it has failed. */
  async ended(outcome: RunOutcome, error: unknown): Promise<string | null> {
    this.#outcome = outcome;
    if (outcome === 'failed') this.#error = errorText(error);
    if (this.#inboxes.size === 0 && outcome !== 'failed') return null;
    this.#reports.changed(this);
    if (outcome !== 'failed') return null;
    await this.#reports.reported(FAILED_REPORT_MS);
    return this.#reports.isHeard ? `${this.#pageUrl}#${this.id}` : null;
  }

  report(maxTextChars: number): Report {
    return {
      id: this.id,
      title: cut(this.#title, MAX_TITLE_LENGTH),
      outcome: this.#outcome,
      inboxes: [...this.#inboxes.keys()],
      error: this.#error === null ? null : cut(this.#error, maxTextChars),
      waits: this.#waits.map(({ to, text }) => ({ to, text: cut(text, maxTextChars) })),
    };
  }
}

/** A Mayfly whose inboxes belong to a test of a run: it reports them, and their waits that were in vain. */
export class ReportedMayfly extends TestMayfly {
  readonly #test: ReportedTest;

  constructor(options: MayflyOptions, test: ReportedTest, time: TestTime) {
    super(options, time);
    this.calls.isOfTest = true;
    this.#test = test;
  }

  override createInbox(options: CreateInboxOptions = {}): Inbox {
    return reported(super.createInbox(options), this.#test);
  }

  override inbox(nameOrAddress: string, options: OpenInboxOptions = {}): Inbox {
    return reported(super.inbox(nameOrAddress, options), this.#test);
  }
}

/** The methods that wait. */
const WAITS = [
  ...(['waitForEmail', 'waitForEmails', 'waitForOtp', 'waitForMagicLink', 'waitForCode', 'waitForLink'] as const),
  'expectNoEmail',
] as const;

type Wait = (...options: readonly unknown[]) => Promise<unknown>;

function reported(inbox: Inbox, test: ReportedTest): Inbox {
  test.uses(inbox);
  for (const name of WAITS) {
    const wait = inbox[name].bind(inbox) as Wait;
    const waited: Wait = async (...options) => {
      try {
        return await wait(...options);
      } catch (error) {
        if (error instanceof MayflyTimeoutError || error instanceof MayflyUnexpectedEmailError)
          test.waited(inbox.address, error.message);
        throw error;
      }
    };
    const value: Wait = (...options) =>
      test.waits(`${name}() of ${inbox.address}`, (over) => waited(...untilOver(options, over)));
    Object.defineProperty(inbox, name, { value });
  }
  return inbox;
}

/** The options of a wait that ends with its test. Others than an object are for the wait to refuse. */
function untilOver([options = {}, ...rest]: readonly unknown[], over: AbortSignal): readonly unknown[] {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return [options, ...rest];
  const { signal } = options as { signal?: unknown };
  if (signal === undefined) return [{ ...options, signal: over }, ...rest];
  return [signal instanceof AbortSignal ? { ...options, signal: AbortSignal.any([signal, over]) } : options, ...rest];
}

/** What names an inbox to the service: an address whose domain nobody chose may be of another one there. */
function inboxIn(pageUrl: string): string {
  const [path = ''] = pageUrl.split('#', 1);
  return decodeURI(path.slice(path.lastIndexOf('/') + 1));
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message } = error as Partial<Error>;
  if (message === undefined) return String(error);
  // Some runners have put the name into the message.
  return name === undefined || message.startsWith(name) ? message : `${name}: ${message}`;
}

/** In plain text: what a terminal shows in colours is read on a page. */
function cut(text: string, maxChars: number): string {
  const plain = text.replace(COLOURS, '').replace(CONTROLS, ' ');
  return plain.length > maxChars ? `${plain.slice(0, Math.max(maxChars - 1, 0))}…`.slice(0, maxChars) : plain;
}
