import { nameIn } from 'mayfly-protocol/inbox-name';
import type { Attempt } from 'mayfly-protocol/wire-attempts';
import type { Calls } from './calls.js';
import type { ReceivedEmail } from './email.js';
import { type Condition, codeCondition, type EmailFilter, linkCondition, type Wanted } from './filter.js';
import type { InboxApi } from './inbox-api.js';
import type { LoadableEmail } from './received-email.js';
import { nullIfGone, Search } from './search.js';
import { aCount, aDate, aFlag, aFunction, aList, aPattern, aPause, aSignal, aTime, checkOptions } from './settings.js';
import { Watch } from './watch.js';

const STANDARD_QUIET_MS = 1_000;

export interface EmailsOptions extends EmailFilter {
  /** Only emails received after this time: the `receivedAt` of an email, or the result of `mark()`. */
  readonly after?: Date | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface WaitOptions extends EmailsOptions {
  /** Maximum wait in milliseconds; by default the `timeout` of `new Mayfly`, or else 20 s. */
  readonly timeout?: number | undefined;
}

export interface WaitForCodeOptions extends WaitOptions {
  /** Part of the code, ignoring case, or a pattern. If an email has no code, its subject and body are searched. */
  readonly pattern?: string | RegExp | undefined;
}

export interface WaitForLinkOptions extends WaitOptions {
  /** Part of the link's visible text, ignoring case, or a pattern. */
  readonly text?: string | RegExp | undefined;
  /** Part of the link's address, ignoring case, or a pattern. */
  readonly pattern?: string | RegExp | undefined;
}

export interface WaitForEmailsOptions extends WaitOptions {
  readonly count: number;
  /** How long to watch for further emails after the expected ones, in milliseconds; 1 s by default. */
  readonly settle?: number | undefined;
}

export interface ExpectNoEmailOptions extends EmailsOptions {
  /** How long to watch, in milliseconds; 1 s by default. */
  readonly within?: number | undefined;
}

/** Options without `hasOtp` and `hasMagicLink`, which only some calls accept. */
const FLAGLESS = { from: aPattern, subject: aPattern, body: aPattern, where: aFunction, after: aDate, signal: aSignal };
const SELECTION = { ...FLAGLESS, hasOtp: aFlag, hasMagicLink: aFlag };
const WAITING = { ...SELECTION, timeout: aTime };

/**
 * One inbox. Any name is an inbox; you neither create nor close it. Lists of emails are newest first.
 *
 * If the server is unreachable or limits requests, a call retries until its timeout; if the server has never answered,
 * until `connectTimeout`. Every method rejects with `MayflyNetworkError` if no server answers, and immediately with
 * `MayflyOptionError`, `MayflyAuthError` or `MayflyResponseError`. Each method documents its other errors.
 */
export class Inbox {
  /** The part of the address before the domain. */
  readonly name: string;
  readonly address: string;
  /** URL of the inbox in the web UI. The URL of a private inbox ends with `#` and the secret. */
  readonly pageUrl: string;
  /** The secret of a private inbox, for `mayfly.inbox(name, { secret })`; null for any other. */
  readonly secret: string | null;
  readonly #api: InboxApi;
  readonly #calls: Calls;

  /** Use `Mayfly` to get an inbox. */
  constructor(address: string, pageUrl: string, api: InboxApi, calls: Calls) {
    this.name = nameIn(address);
    this.address = address;
    this.secret = api.secret;
    this.pageUrl = api.secret ? `${pageUrl}#${api.secret}` : pageUrl;
    this.#api = api;
    this.#calls = calls;
  }

  /** The address, so an inbox can be used in a template string. */
  toString(): string {
    return this.address;
  }

  /** The current emails. Rejects with `MayflyNetworkError` or `MayflyRateLimitError` if they cannot be read in time. */
  async emails(options: EmailsOptions = {}): Promise<ReceivedEmail[]> {
    checkOptions('emails', options, SELECTION);
    return this.#watch(options).all();
  }

  /** The newest current email, or null. Rejects as `emails` does. */
  async latest(options: EmailsOptions = {}): Promise<ReceivedEmail | null> {
    checkOptions('latest', options, SELECTION);
    return (await this.#watch(options).newest(1))[0] ?? null;
  }

  /** A time to pass as `after`, which separates current emails from later ones. Rejects as `emails` does. */
  async mark(): Promise<Date> {
    const [newest] = await this.#calls.tried((signal) => this.#api.summaries({ limit: 1 }, signal));
    return new Date(newest?.receivedAt ?? 0);
  }

  /** The newest 100 delivery attempts to this inbox, accepted or rejected, oldest first. Rejects as `emails` does. */
  async attempts(): Promise<Attempt[]> {
    return (await this.#calls.tried((signal) => this.#api.attempts(signal))).attempts.toReversed();
  }

  /** Deletes the current emails. Rejects as `emails` does. */
  async clear(): Promise<void> {
    await this.#calls.tried((signal) => this.#api.clear(signal));
  }

  /**
   * Shows emails that the fault `hold` holds back, and resolves to their number. Without `order`, shows all held
   * emails, and later ones immediately. With `order`, shows the emails at these positions, in this order; position 1 is
   * the oldest. Rejects with `MayflyResponseError` for a position without a held email, and as `emails` does.
   */
  async release(order?: readonly number[]): Promise<number> {
    checkOptions('release', { order }, { order: aList });
    // Positions shift after each release, so a release that may have succeeded is not retried.
    const release = async (signal: AbortSignal) => (await this.#api.release(order?.join(), signal)).released;
    return order ? this.#calls.within(this.#calls.timeoutMs, undefined, release) : this.#calls.tried(release);
  }

  /** Deletes one email; succeeds if it is already gone. Rejects as `emails` does. */
  async delete({ receivedAt }: Pick<ReceivedEmail, 'receivedAt'>): Promise<void> {
    checkOptions('delete', { receivedAt: receivedAt ?? null }, { receivedAt: aDate });
    await nullIfGone(this.#calls.tried((signal) => this.#api.delete(receivedAt.toISOString(), signal)));
  }

  /** The newest matching email, or the next to arrive. Rejects with `MayflyTimeoutError` if none arrives in time. */
  async waitForEmail(options: WaitOptions = {}): Promise<ReceivedEmail> {
    checkOptions('waitForEmail', options, WAITING);
    return this.#waitForOne(options);
  }

  /** The code of the newest matching email that has a code. Waits and rejects as `waitForEmail` does. */
  async waitForOtp(options: Omit<WaitOptions, 'hasOtp'> = {}): Promise<string> {
    checkOptions('waitForOtp', options, { ...FLAGLESS, hasMagicLink: aFlag, timeout: aTime });
    return (await this.#waitForOne({ ...options, hasOtp: true })).otp as string;
  }

  /** The link of the newest matching email that has a link. Waits and rejects as `waitForEmail` does. */
  async waitForMagicLink(options: Omit<WaitOptions, 'hasMagicLink'> = {}): Promise<string> {
    checkOptions('waitForMagicLink', options, { ...FLAGLESS, hasOtp: aFlag, timeout: aTime });
    return (await this.#waitForOne({ ...options, hasMagicLink: true })).magicLink as string;
  }

  /**
   * The best code, which may contain letters, in the newest matching email that has a code. With `pattern`, the best
   * code that matches; if an email has no code, its subject and body are searched for a match. Waits and rejects as
   * `waitForEmail` does.
   */
  async waitForCode(options: WaitForCodeOptions = {}): Promise<string> {
    checkOptions('waitForCode', options, { ...WAITING, pattern: aPattern });
    const { pattern, ...rest } = options;
    return this.#waitForPicked(rest, codeCondition(pattern));
  }

  /**
   * The address of a link in the newest matching email that has such a link: the action link or, with `text` or
   * `pattern`, the first link that matches them. Waits and rejects as `waitForEmail` does.
   */
  async waitForLink(options: WaitForLinkOptions = {}): Promise<string> {
    checkOptions('waitForLink', options, { ...WAITING, text: aPattern, pattern: aPattern });
    const { text, pattern, ...rest } = options;
    return this.#waitForPicked(rest, linkCondition(text, pattern));
  }

  /**
   * Waits for exactly this number of matching emails, then watches for further ones for `settle` milliseconds. Rejects
   * with `MayflyTimeoutError` if too few arrive in time, with `MayflyUnexpectedEmailError` if too many arrive, and as
   * `emails` does if the inbox cannot be read.
   */
  async waitForEmails(options: WaitForEmailsOptions): Promise<ReceivedEmail[]> {
    const given = { ...options, count: options?.count ?? null };
    checkOptions('waitForEmails', given, { ...WAITING, count: aCount, settle: aPause });
    const { count, settle = STANDARD_QUIET_MS, timeout, ...rest } = options;
    const watch = this.#watch(rest);
    await watch.forCount(count, timeout);
    return watch.forNoMoreThan(count, settle);
  }

  /** Resolves if no email matches within the time. Rejects with `MayflyUnexpectedEmailError` as soon as one does. */
  async expectNoEmail(options: ExpectNoEmailOptions = {}): Promise<void> {
    checkOptions('expectNoEmail', options, { ...SELECTION, within: aPause });
    const { within = STANDARD_QUIET_MS, ...rest } = options;
    await this.#watch(rest).forNoMoreThan(0, within);
  }

  async #waitForPicked(options: WaitOptions, condition: Condition): Promise<string> {
    const email = await this.#waitForOne(options, condition);
    return condition.pick(await email.parts(), email) as string;
  }

  async #waitForOne({ timeout, ...options }: WaitOptions, condition?: Condition): Promise<LoadableEmail> {
    return (await this.#watch(options, condition).forCount(1, timeout))[0] as LoadableEmail;
  }

  #watch({ after, signal, ...filter }: EmailsOptions, condition?: Condition): Watch {
    const wanted: Wanted = { address: this.address, filter, after, condition };
    return new Watch(new Search(this.#api, this.#calls, wanted), this.#calls, wanted, signal);
  }
}
