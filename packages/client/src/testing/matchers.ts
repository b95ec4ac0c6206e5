import type { BoundedField, Email, EmailParts } from 'mayfly-protocol/wire';
import { MAX_SUBJECT_LENGTH } from '../wait/bounds.js';
import { isAbout } from '../wait/contents.js';
import type { ReceivedEmail } from '../wait/email.js';
import { MayflyError, MayflyOptionError } from '../wait/errors.js';
import type { LoadableEmail } from '../wait/received-email.js';
import { aListOfTexts, aPattern, checkOptions, oneOf, rule } from '../wait/settings.js';
import { contains, listed, type Pattern, shownPattern, shownText } from '../wait/text.js';
import { isHost, isHostAndPort, linkFault, oneClickFault } from './faults.js';
import { shownUrl } from './link-visit.js';
import { maskedEmail } from './masked-email.js';
import { TRACKED, type Tracked, trackingFaults, uncheckable } from './tracking.js';

/** Maximum characters of text and HTML in a snapshot: more than twice what Gmail shows. */
const MAX_SNAPSHOT_LENGTH = 2 ** 18;

export interface SafeLinksOptions {
  /** Excludes links whose text or address contains this text or matches this pattern. */
  readonly except?: string | RegExp | undefined;
  /** Hosts that no link may lead to, including their subdomains, such as `click.example.net`. */
  readonly trackers?: readonly string[] | undefined;
}

export interface TrackingOffOptions {
  /** Checks only clicks, or only opens; both by default. */
  readonly only?: Tracked | undefined;
  /** Configuration sets of Amazon SES that do not track. */
  readonly configurationSets?: readonly string[] | undefined;
}

export interface EmailSnapshotOptions {
  /** Texts and patterns to mask, in addition to codes, tokens, dates, times and the inbox's address. */
  readonly mask?: readonly (string | RegExp)[] | undefined;
}

/** The matchers added to `expect`. `Result` is the return type of a synchronous matcher. */
export interface EmailMatchers<Result = void> {
  /** The email has a one-time code; with `code`, the one-time code equals this text or matches this pattern. */
  toHaveOtp(code?: string | RegExp): Result;
  /** The email has a magic link; with `host`, one that leads there, such as to `app.test` or `127.0.0.1:3000`. */
  toHaveMagicLink(host?: string): Result;
  toHaveTextPart(): Promise<void>;
  /** The email has the headers of one-click unsubscription, and its signature covers them (RFC 8058). */
  toHaveOneClickUnsubscribe(): Result;
  /** Every link uses https and leads to a public host that is not a tracker. */
  toHaveSafeLinks(options?: SafeLinksOptions): Promise<void>;
  /** The request to the send API turned off the provider's tracking of clicks and opens. */
  toHaveTrackingOff(options?: TrackingOffOptions): Promise<void>;
  /** Sender, subject, attachments, text and HTML match the snapshot, except for masked parts. */
  toMatchEmailSnapshot(options?: EmailSnapshotOptions): Promise<void>;
}

interface MatcherContext {
  readonly isNot?: boolean;
  readonly task?: { readonly context?: { readonly expect?: SnapshotExpect } };
}

export type EmailMatcherFunctions = ReturnType<typeof emailMatchers>;

const hosts = rule('an array of hosts such as click.example.net', (value) => {
  return Array.isArray(value) && value.every(isHost);
});
const patterns = rule('an array of non-empty strings and RegExps', (value) => {
  return Array.isArray(value) && value.every((one) => aPattern.allows(one) && one !== '');
});

/** The matchers for `expect.extend()`. They take snapshots with this `expect`. */
export function emailMatchers(expect: SnapshotExpect) {
  return {
    toHaveOtp,
    toHaveMagicLink,
    toHaveTextPart,
    toHaveOneClickUnsubscribe,
    toHaveSafeLinks,
    toHaveTrackingOff,
    async toMatchEmailSnapshot(
      this: MatcherContext,
      email: ReceivedEmail,
      options: EmailSnapshotOptions = {},
    ): Promise<MatcherResult> {
      checkOptions('toMatchEmailSnapshot()', options, { mask: patterns });
      emailFor('toMatchEmailSnapshot', email);
      if (this.isNot) throw new MayflyOptionError('toMatchEmailSnapshot() has no .not: it would save the wrong email.');
      const contents = await contentsFor('toMatchEmailSnapshot', email, ['parts', 'text', 'html']);
      const length = (contents.text?.length ?? 0) + (contents.html?.length ?? 0);
      if (length > MAX_SNAPSHOT_LENGTH) {
        throw new MayflyError(
          `toMatchEmailSnapshot() takes at most ${MAX_SNAPSHOT_LENGTH} characters of text and HTML, but the email has ${length}.`,
        );
      }
      // Concurrent Vitest tests must use the `expect` of their context, because only that `expect` identifies the test.
      return snapshotResult(this.task?.context?.expect ?? expect, maskedEmail(email, contents, options.mask));
    },
  };
}

function toHaveOtp(email: MatchedEmail, code?: Pattern): MatcherResult {
  const { otp, body } = emailFor('toHaveOtp', email);
  if (code !== undefined && !aPattern.allows(code)) {
    throw new MayflyOptionError(`toHaveOtp(): the code must be ${aPattern.text}; a number would lose leading zeros.`);
  }
  const isWanted = (found: string) => (code instanceof RegExp ? contains(found, code) : (code ?? found) === found);
  const expected = code === undefined ? 'have a code' : `have the code ${shownPattern(code)}`;
  const found = otp === null ? `it has none: ${quoted(body)}` : `it has "${otp}"`;
  return resultFor(email, { pass: otp !== null && isWanted(otp), expected, found });
}

function toHaveMagicLink(email: MatchedEmail, host?: string): MatcherResult {
  const { magicLink, body } = emailFor('toHaveMagicLink', email);
  if (host !== undefined && !isHostAndPort(host)) {
    throw new MayflyOptionError(
      'toHaveMagicLink(): pass a host such as app.example.com or 127.0.0.1:3000, without https:// and path.',
    );
  }
  const pass = magicLink !== null && (host === undefined || leadsTo(magicLink, host));
  const expected = host === undefined ? 'have a magic link' : `have a magic link to ${host}`;
  const found = magicLink === null ? `it has none: ${quoted(body)}` : `it has ${shownText(shownUrl(magicLink))}`;
  return resultFor(email, { pass, expected, found });
}

async function toHaveTextPart(email: ReceivedEmail): Promise<MatcherResult> {
  const { text, parts } = await contentsFor('toHaveTextPart', email, ['parts']);
  const pass = text !== null && text.trim() !== '';
  const types = parts.filter(({ size }) => size !== null).map(({ type }) => type);
  const missing = text === null ? `it has only ${shownText(listed(types))}` : 'its text part is empty';
  const found = pass ? `it has "${shownText(text)}"` : missing;
  return resultFor(email, { pass, expected: 'have a text part', found });
}

function toHaveOneClickUnsubscribe(email: MatchedEmail): MatcherResult {
  const fault = oneClickFault(emailFor('toHaveOneClickUnsubscribe', email).rawBody);
  const expected = 'have one-click unsubscription (RFC 8058)';
  return resultFor(email, { pass: fault === null, expected, found: fault ?? 'it does' });
}

async function toHaveSafeLinks(email: ReceivedEmail, options: SafeLinksOptions = {}): Promise<MatcherResult> {
  checkOptions('toHaveSafeLinks()', options, { except: aPattern, trackers: hosts });
  const { except, trackers = [] } = options;
  const { links } = await contentsFor('toHaveSafeLinks', email, ['links', 'text', 'html']);
  const ofWeb = links.filter(({ url }) => /^https?:/i.test(url));
  const judged = ofWeb.filter((link) => except === undefined || !isAbout(link, except));
  const faults = judged.map(({ url }) => linkFault(url, trackers)).filter((fault) => fault !== null);
  const expected = 'have only safe links';
  // Fails if there is no link to check, because the assertion would prove nothing.
  if (judged.length === 0) {
    const found = ofWeb.length === 0 ? 'it has none' : 'except excludes all of them';
    return resultFor(email, { pass: false, expected, found });
  }
  const safe = judged.length === 1 ? 'its link is safe' : `all ${judged.length} are safe`;
  return resultFor(email, { pass: faults.length === 0, expected, found: listed(faults) || safe });
}

async function toHaveTrackingOff(email: ReceivedEmail, options: TrackingOffOptions = {}): Promise<MatcherResult> {
  checkOptions('toHaveTrackingOff()', options, { only: oneOf(TRACKED), configurationSets: aListOfTexts });
  const { only, configurationSets = [] } = options;
  const contents = await contentsFor('toHaveTrackingOff', email, []);
  const reason = uncheckable(contents);
  if (reason !== null) throw new MayflyError(`toHaveTrackingOff() cannot check ${shownSubject(email)}: ${reason}.`);
  const faults = trackingFaults(contents, only === undefined ? TRACKED : [only], configurationSets);
  const expected = `have tracking${only === undefined ? '' : ` of ${only}`} off`;
  return resultFor(email, { pass: faults.length === 0, expected, found: listed(faults) || 'it does' });
}

function quoted(text: string): string {
  const shown = shownText(text);
  return shown === '' ? 'its text is empty' : `its text is "${shown}"`;
}

function leadsTo(link: string, host: string): boolean {
  if (!URL.canParse(link)) return false;
  const found = new URL(link);
  const wanted = new URL(`${found.protocol}//${host}`);
  return found.hostname === wanted.hostname && (!/:\d+$/.test(host) || found.port === wanted.port);
}

export interface MatchedEmail extends Pick<Email, 'subject' | 'body' | 'rawBody' | 'otp' | 'magicLink'> {}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

function emailFor<T extends MatchedEmail>(matcher: string, email: T): T {
  const { subject, body, rawBody, then } = Object(email) as Partial<T & Promise<unknown>>;
  if ([subject, body, rawBody].every((text) => typeof text === 'string')) return email;
  const isPromise = typeof then === 'function';
  const advice = isPromise ? 'await the promise first' : `got ${kindOf(email)}`;
  throw new MayflyOptionError(`${matcher}() needs an email, such as the result of inbox.waitForEmail(): ${advice}.`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return `${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The contents of an email. Throws `MayflyError` if Mayfly truncated the fields that the matcher needs. */
async function contentsFor(
  matcher: string,
  email: ReceivedEmail,
  needed: readonly BoundedField[],
): Promise<EmailParts> {
  const { parts } = emailFor(matcher, email) as Partial<LoadableEmail>;
  if (parts === undefined) {
    throw new MayflyOptionError(`${matcher}() needs an email of an inbox, not a copy of its fields.`);
  }
  const contents = await parts();
  const missing = needed.filter((field) => contents.incomplete.includes(field));
  if (missing.length === 0) return contents;
  throw new MayflyError(
    `${matcher}() cannot check ${shownSubject(email)}: the email has more ${missing.join(' and ')} than Mayfly returns.`,
  );
}

type Verdict = Readonly<{ pass: boolean; expected: string; found: string }>;

function resultFor({ subject }: MatchedEmail, { pass, expected, found }: Verdict): MatcherResult {
  const to = pass ? 'not to' : 'to';
  return { pass, message: () => `Expected ${shownSubject({ subject })} ${to} ${expected}, but ${found}.` };
}

function shownSubject({ subject }: Pick<MatchedEmail, 'subject'>): string {
  const shown = shownText(subject, MAX_SUBJECT_LENGTH);
  return shown === '' ? 'the email without a subject' : `'${shown}'`;
}

interface SnapshotExpect {
  (text: string): { toMatchSnapshot(): void };
  getState?(): unknown;
  setState?(state: { assertionCalls: number }): void;
}

function snapshotResult(expect: SnapshotExpect, text: string): MatcherResult {
  const { assertionCalls } = (expect.getState?.() ?? {}) as { assertionCalls?: number };
  try {
    expect(text).toMatchSnapshot();
    return { pass: true, message: () => '' };
  } catch (error) {
    // Vitest shows a diff of `actual` and `expected`.
    const { message, actual, expected } = error as { message: string; actual?: unknown; expected?: unknown };
    return Object.assign({ pass: false, message: () => message }, { actual, expected });
  } finally {
    // Writing a snapshot must not change the count of `expect.assertions()`.
    if (assertionCalls !== undefined) expect.setState?.({ assertionCalls });
  }
}
