import { MAX_NAMED, MAX_SNAPSHOT_LENGTH } from '../wait/bounds.js';
import type { ReceivedEmail } from '../wait/email.js';
import { MayflyError, MayflyOptionError } from '../wait/errors.js';
import { isAbout } from '../wait/found-links.js';
import {
  contentsFor,
  emailFor,
  type MatchedEmail,
  type MatcherResult,
  resultFor,
  shownText,
} from '../wait/matched-email.js';
import { aPattern, checkOptions } from '../wait/options.js';
import { contains, type Pattern, shownPattern } from '../wait/text.js';
import { shownUrl } from './link-report.js';
import { isHost, isHostAndPort, linkFault } from './link-safety.js';
import { maskedEmail } from './masked-email.js';
import { type SnapshotExpect, snapshotResult } from './snapshot.js';
import { oneClickFault } from './unsubscribe.js';

export type { MatchedEmail };

/** Which links are safe. */
export interface SafeLinksOptions {
  /** Links whose text or address contains this text, or matches this pattern, are left out. */
  readonly except?: string | RegExp | undefined;
  /** Hosts that no link may lead to, nor to a host below one of them, such as `click.example.net`. */
  readonly trackers?: readonly string[] | undefined;
}

/** What a snapshot of an email leaves out. */
export interface EmailSnapshotOptions {
  /** Texts and patterns that differ each time, besides codes, tokens, dates, times and the address of the inbox. */
  readonly mask?: readonly (string | RegExp)[] | undefined;
}

/** The matchers as `expect` has them. `Result` is what a matcher returns that needs no promise. */
export interface EmailMatchers<Result = void> {
  /** The email has a one-time code: this one, or one that matches. */
  toHaveOtp(code?: string | RegExp): Result;
  /** The email has a magic link, to this host: `app.example.com`, or with its port as `127.0.0.1:3000`. */
  toHaveMagicLink(host?: string): Result;
  /** The email has a text part that is not empty, for readers without HTML. */
  toHaveTextPart(): Promise<void>;
  /** The email has the headers of one-click unsubscription, and its signature covers them (RFC 8058). */
  toHaveOneClickUnsubscribe(): Result;
  /** Each link is https, leads to a public host, and to no tracker. */
  toHaveSafeLinks(options?: SafeLinksOptions): Promise<void>;
  /** Sender, subject, attachments, text and HTML match the snapshot, but for what differs each time. */
  toMatchEmailSnapshot(options?: EmailSnapshotOptions): Promise<void>;
}

/** As much as is used of what a runner gives a matcher. */
interface MatcherContext {
  readonly isNot?: boolean;
  readonly task?: { readonly context?: { readonly expect?: SnapshotExpect } };
}

/** The matchers as the `extend` of a runner takes them. */
export type EmailMatcherFunctions = {
  toHaveOtp(email: MatchedEmail, code?: string | RegExp): MatcherResult;
  toHaveMagicLink(email: MatchedEmail, host?: string): MatcherResult;
  toHaveTextPart(email: ReceivedEmail): Promise<MatcherResult>;
  toHaveOneClickUnsubscribe(email: MatchedEmail): MatcherResult;
  toHaveSafeLinks(email: ReceivedEmail, options?: SafeLinksOptions): Promise<MatcherResult>;
  toMatchEmailSnapshot(
    this: MatcherContext,
    email: ReceivedEmail,
    options?: EmailSnapshotOptions,
  ): Promise<MatcherResult>;
};

const hosts = {
  text: 'an array of hosts such as click.example.net',
  allows: (value: unknown) => Array.isArray(value) && value.every(isHost),
};
const patterns = {
  text: 'an array of texts and RegExps, none of them empty',
  allows: (value: unknown) => Array.isArray(value) && value.every((one) => aPattern.allows(one) && one !== ''),
};

/** The matchers, to be given to the `extend` of this `expect`, which takes the snapshots. */
export function emailMatchers(expect: SnapshotExpect): EmailMatcherFunctions {
  return {
    toHaveOtp,
    toHaveMagicLink,
    toHaveTextPart,
    toHaveOneClickUnsubscribe,
    toHaveSafeLinks,
    async toMatchEmailSnapshot(email, options = {}) {
      checkOptions('toMatchEmailSnapshot()', options, { mask: patterns });
      emailFor('toMatchEmailSnapshot', email);
      if (this.isNot) throw new MayflyOptionError('toMatchEmailSnapshot() has no .not: a snapshot has to be taken.');
      const contents = await contentsFor('toMatchEmailSnapshot', email, ['parts', 'text', 'html']);
      const length = (contents.text?.length ?? 0) + (contents.html?.length ?? 0);
      if (length > MAX_SNAPSHOT_LENGTH) {
        throw new MayflyError(
          `toMatchEmailSnapshot() takes at most ${MAX_SNAPSHOT_LENGTH} characters of text and HTML, and the email has ${length}.`,
        );
      }
      // Where several tests of Vitest run at once, only the expect of the test itself knows which of them asks.
      return snapshotResult(this.task?.context?.expect ?? expect, maskedEmail(email, contents, options.mask));
    },
  };
}

function toHaveOtp(email: MatchedEmail, code?: Pattern): MatcherResult {
  const { otp, body } = emailFor('toHaveOtp', email);
  if (code !== undefined && !aPattern.allows(code)) {
    throw new MayflyOptionError(`toHaveOtp(): the code must be ${aPattern.text}; a number has no leading zeros.`);
  }
  const isWanted = (found: string) => (code instanceof RegExp ? contains(found, code) : (code ?? found) === found);
  return resultFor(email, {
    pass: otp !== null && isWanted(otp),
    expected: code === undefined ? 'have a code' : `have the code ${shownPattern(code)}`,
    found: otp === null ? `it has none: ${quoted(body)}` : `it has "${otp}"`,
  });
}

function toHaveMagicLink(email: MatchedEmail, host?: string): MatcherResult {
  const { magicLink, body } = emailFor('toHaveMagicLink', email);
  if (host !== undefined && !isHostAndPort(host)) {
    throw new MayflyOptionError(
      'toHaveMagicLink(): the host must be a host such as app.example.com or 127.0.0.1:3000, without https:// and path.',
    );
  }
  return resultFor(email, {
    pass: magicLink !== null && (host === undefined || leadsTo(magicLink, host)),
    expected: host === undefined ? 'have a magic link' : `have a magic link to ${host}`,
    found: magicLink === null ? `it has none: ${quoted(body)}` : `it has ${shownText(shownUrl(magicLink))}`,
  });
}

async function toHaveTextPart(email: ReceivedEmail): Promise<MatcherResult> {
  const { text, parts } = await contentsFor('toHaveTextPart', email, ['parts']);
  const pass = text !== null && text.trim() !== '';
  const types = parts.filter(({ size }) => size !== null).map(({ type }) => type);
  const named = types.slice(0, MAX_NAMED).join(', ') + more(types.length - MAX_NAMED);
  const missing = text === null ? `it has only ${shownText(named)}` : 'its text part is empty';
  return resultFor(email, {
    pass,
    expected: 'have a text part',
    found: pass ? `it has "${shownText(text)}"` : missing,
  });
}

function toHaveOneClickUnsubscribe(email: MatchedEmail): MatcherResult {
  const fault = oneClickFault(emailFor('toHaveOneClickUnsubscribe', email).rawBody);
  return resultFor(email, {
    pass: fault === null,
    expected: 'have one-click unsubscription (RFC 8058)',
    found: fault ?? 'it has all of it',
  });
}

async function toHaveSafeLinks(email: ReceivedEmail, options: SafeLinksOptions = {}): Promise<MatcherResult> {
  checkOptions('toHaveSafeLinks()', options, { except: aPattern, trackers: hosts });
  const { except, trackers = [] } = options;
  const { links } = await contentsFor('toHaveSafeLinks', email, ['links', 'text', 'html']);
  const ofWeb = links.filter(({ url }) => /^https?:/i.test(url));
  const judged = ofWeb.filter((link) => except === undefined || !isAbout(link, except));
  const faults = judged.map(({ url }) => linkFault(url, trackers)).filter((fault) => fault !== null);
  const expected = 'have only safe links';
  // Nothing was judged, so nothing is safe.
  if (judged.length === 0) {
    return resultFor(email, {
      pass: false,
      expected,
      found: ofWeb.length === 0 ? 'it has none' : 'except leaves none to judge',
    });
  }
  const named = faults.slice(0, MAX_NAMED).join(', ') + more(faults.length - MAX_NAMED);
  const safe = judged.length === 1 ? 'its link is safe' : `all ${judged.length} are safe`;
  return resultFor(email, { pass: faults.length === 0, expected, found: faults.length === 0 ? safe : named });
}

function quoted(text: string): string {
  const shown = shownText(text);
  return shown === '' ? 'its text is empty' : `its text is "${shown}"`;
}

function more(count: number): string {
  return count > 0 ? ` and ${count} more` : '';
}

/** Whether a link leads to a host; without a port, to any of its ports. */
function leadsTo(link: string, host: string): boolean {
  if (!URL.canParse(link)) return false;
  const found = new URL(link);
  const wanted = new URL(`${found.protocol}//${host}`);
  return found.hostname === wanted.hostname && (!/:\d+$/.test(host) || found.port === wanted.port);
}
