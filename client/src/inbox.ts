import { STANDARD_QUIET_MS } from './bounds.js';
import type { Calls } from './calls.js';
import { codeCondition, linkCondition } from './conditions.js';
import type { ReceivedEmail } from './email.js';
import type { EmailFilter } from './filter.js';
import type { InboxApi } from './inbox-api.js';
import { aCount, aDate, aFlag, aFunction, aPattern, aPause, aSignal, aTime, checkOptions } from './options.js';
import { nullIfGone, Search } from './search.js';
import type { Condition, Wanted } from './wanted.js';
import { Watch } from './watch.js';

/** Which emails of an inbox. */
export interface EmailsOptions extends EmailFilter {
  /** Only emails that were received later: the `receivedAt` of an email, or what `mark()` gave. */
  readonly after?: Date | undefined;
  /** Ends the call, which rejects then with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface WaitOptions extends EmailsOptions {
  /** How long to wait at most, in milliseconds; 20 s unless `new Mayfly` was told otherwise. */
  readonly timeout?: number | undefined;
}

export interface WaitForCodeOptions extends WaitOptions {
  /**
   * Part of the code, whatever the case, or a pattern. In an email without any code it is looked for in the subject and
   * the body.
   */
  readonly pattern?: string | RegExp | undefined;
}

export interface WaitForLinkOptions extends WaitOptions {
  /** Part of what a reader sees of the link, whatever the case, or a pattern. */
  readonly text?: string | RegExp | undefined;
  /** Part of its address, whatever the case, or a pattern. */
  readonly pattern?: string | RegExp | undefined;
}

export interface WaitForEmailsOptions extends WaitOptions {
  /** How many to wait for. */
  readonly count: number;
  /** How long to watch afterwards that no further one comes, in milliseconds; 1 s when left out. */
  readonly settle?: number | undefined;
}

export interface ExpectNoEmailOptions extends EmailsOptions {
  /** How long to watch, in milliseconds; 1 s when left out. */
  readonly within?: number | undefined;
}

/**
 * What every call for emails takes, except the flags, of which some calls take one; then with both, and with the time
 * of a wait.
 */
const FLAGLESS = { from: aPattern, subject: aPattern, body: aPattern, where: aFunction, after: aDate, signal: aSignal };
const SELECTION = { ...FLAGLESS, hasOtp: aFlag, hasMagicLink: aFlag };
const WAITING = { ...SELECTION, timeout: aTime };

/**
 * One inbox. Any name is one; nothing creates or closes it. Emails are newest first everywhere.
 *
 * A server that is away, or limits the rate of requests, is tried until the time of a call is over; one that has never
 * answered, for `connectTimeout`. Every method rejects with `MayflyNetworkError` where nobody is there, and at once
 * with `MayflyOptionError`, `MayflyAuthError` or `MayflyResponseError`; what else it rejects with stands at the method.
 */
export class Inbox {
  /** The part of the address before the domain. */
  readonly name: string;
  /** The whole address. */
  readonly address: string;
  /** Where a browser shows the inbox. */
  readonly pageUrl: string;
  readonly #api: InboxApi;
  readonly #calls: Calls;

  /** Inboxes are made by `Mayfly`. */
  constructor(name: string, domain: string, baseUrl: string, api: InboxApi, calls: Calls) {
    this.name = name;
    this.address = `${name}@${domain}`;
    this.pageUrl = `${baseUrl}/inbox/${name}`;
    this.#api = api;
    this.#calls = calls;
  }

  /** The address, so that an inbox can stand in a text. */
  toString(): string {
    return this.address;
  }

  /**
   * The emails that are there. Rejects with `MayflyNetworkError` or `MayflyRateLimitError` when they cannot be read in
   * time.
   */
  async emails(options: EmailsOptions = {}): Promise<ReceivedEmail[]> {
    checkOptions('emails', options, SELECTION);
    return this.#watch(options).all();
  }

  /** The newest email that is there, or null. Rejects as `emails` does. */
  async latest(options: EmailsOptions = {}): Promise<ReceivedEmail | null> {
    checkOptions('latest', options, SELECTION);
    return (await this.#watch(options).newest(1))[0] ?? null;
  }

  /**
   * A moment to give as `after`: all that is there by now came before it, and all that comes later after it. Rejects as
   * `emails` does.
   */
  async mark(): Promise<Date> {
    const [newest] = await this.#calls.tried((signal) => this.#api.summaries({ limit: 1 }, signal));
    return new Date(newest?.receivedAt ?? 0);
  }

  /** Deletes the emails that are there. Rejects as `emails` does. */
  async clear(): Promise<void> {
    await this.#calls.tried((signal) => this.#api.clear(signal));
  }

  /** Deletes one email; it may be gone already. Rejects as `emails` does. */
  async delete({ receivedAt }: Pick<ReceivedEmail, 'receivedAt'>): Promise<void> {
    checkOptions('delete', { receivedAt: receivedAt ?? null }, { receivedAt: aDate });
    await nullIfGone(this.#calls.tried((signal) => this.#api.delete(receivedAt.toISOString(), signal)));
  }

  /**
   * The newest email that matches, as soon as there is one; it may be there already.
   * Rejects with `MayflyTimeoutError` when none comes in time.
   */
  async waitForEmail(options: WaitOptions = {}): Promise<ReceivedEmail> {
    checkOptions('waitForEmail', options, WAITING);
    return this.#waitForOne(options);
  }

  /** The code of the newest email that matches and has one. Waits and rejects as `waitForEmail` does. */
  async waitForOtp(options: Omit<WaitOptions, 'hasOtp'> = {}): Promise<string> {
    checkOptions('waitForOtp', options, { ...FLAGLESS, hasMagicLink: aFlag, timeout: aTime });
    return (await this.#waitForOne({ ...options, hasOtp: true })).otp as string;
  }

  /** The link of the newest email that matches and has one. Waits and rejects as `waitForEmail` does. */
  async waitForMagicLink(options: Omit<WaitOptions, 'hasMagicLink'> = {}): Promise<string> {
    checkOptions('waitForMagicLink', options, { ...FLAGLESS, hasOtp: aFlag, timeout: aTime });
    return (await this.#waitForOne({ ...options, hasMagicLink: true })).magicLink as string;
  }

  /**
   * A code of the newest email that matches and has one, letters included: the best, or the best that `pattern`
   * matches. Of an email without any code it is what `pattern` matches in its subject and its body. Waits and rejects
   * as `waitForEmail` does.
   */
  async waitForCode(options: WaitForCodeOptions = {}): Promise<string> {
    checkOptions('waitForCode', options, { ...WAITING, pattern: aPattern });
    const { pattern, ...rest } = options;
    return this.#waitForPicked(rest, codeCondition(pattern));
  }

  /**
   * The address of a link of the newest email that matches and has one: the link that the mail asks its reader to
   * follow, or the one that `text` and `pattern` match. Waits and rejects as `waitForEmail` does.
   */
  async waitForLink(options: WaitForLinkOptions = {}): Promise<string> {
    checkOptions('waitForLink', options, { ...WAITING, text: aPattern, pattern: aPattern });
    const { text, pattern, ...rest } = options;
    return this.#waitForPicked(rest, linkCondition({ text, pattern }));
  }

  /**
   * Exactly so many emails that match: waits until they have come, and then for `settle` whether a further one does.
   * Rejects with `MayflyTimeoutError` when they do not come in time, with `MayflyUnexpectedEmailError` when more come,
   * and as `emails` does when that cannot be made sure of.
   */
  async waitForEmails(options: WaitForEmailsOptions): Promise<ReceivedEmail[]> {
    const given = { ...options, count: options?.count ?? null };
    checkOptions('waitForEmails', given, { ...WAITING, count: aCount, settle: aPause });
    const { count, settle = STANDARD_QUIET_MS, timeout, ...rest } = options;
    const watch = this.#watch(rest);
    await watch.forCount(count, timeout);
    return watch.forNoMoreThan(count, settle);
  }

  /**
   * Resolves when no email that matches has come: none is there, and none came while it watched.
   * Rejects with `MayflyUnexpectedEmailError` as soon as there is one, otherwise as `waitForEmails` does.
   */
  async expectNoEmail(options: ExpectNoEmailOptions = {}): Promise<void> {
    checkOptions('expectNoEmail', options, { ...SELECTION, within: aPause });
    const { within = STANDARD_QUIET_MS, ...rest } = options;
    await this.#watch(rest).forNoMoreThan(0, within);
  }

  async #waitForPicked(options: WaitOptions, condition: Condition): Promise<string> {
    const email = await this.#waitForOne(options, condition);
    return condition.pick({ codes: await email.codes(), links: await email.links() }, email) as string;
  }

  async #waitForOne({ timeout, ...options }: WaitOptions, condition?: Condition): Promise<ReceivedEmail> {
    return (await this.#watch(options, condition).forCount(1, timeout))[0] as ReceivedEmail;
  }

  #watch({ after, signal, ...filter }: EmailsOptions, condition?: Condition): Watch {
    const wanted: Wanted = { address: this.address, filter, after, condition };
    return new Watch(new Search(this.#api, this.#calls, wanted), this.#calls, wanted, signal);
  }
}
