import { MAX_NAMED, MAX_SUBJECT_LENGTH, MOST_LIKELY_SECONDS } from './bounds.js';
import type { ReceivedEmail } from './email.js';
import type { MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError } from './errors.js';
import { knownMismatches, mismatches } from './filter.js';
import { describeFilter } from './filter-words.js';
import { type Findable, isLater, type Wanted } from './wanted.js';
import type { EmailSummary } from './wire.js';

/** The content of an inbox shortly before a timeout, as far as it was read by then. */
export interface LastLook {
  /** All that is there, newest first; undefined where it could not be listed. */
  summaries?: readonly EmailSummary[];
  /** The newest of it, as far as it was read. */
  emails: readonly ReceivedEmail[];
  /** Those that are wanted. */
  found: ReceivedEmail[];
  /** What those hold that only lack an otp or a magicLink. */
  contents?: readonly Findable[];
  /** The domains that this Mayfly takes mail for; undefined where that is not known. */
  domains?: readonly string[];
  /** What the service saw of attempts to send mail, in sentences; undefined or empty where that says nothing. */
  attempts?: string;
  /** What kept it from being listed. */
  trouble?: MayflyError;
}

/** What was asked for. */
export interface Asked extends Wanted {
  readonly count: number;
}

/** The error of a timeout. `trouble` is the last failure before the last look. */
export function timeoutError(
  asked: Asked,
  timeoutMs: number,
  look: LastLook,
  trouble: MayflyError | undefined,
  Kind: typeof MayflyTimeoutError,
): MayflyTimeoutError {
  const { address, count } = asked;
  const what = count === 1 ? 'an email' : number(count);
  const waited = `Waited ${time(timeoutMs)} for ${phrase(what, asked)}.`;
  const seen = { address, timeoutMs, emails: look.emails };
  // What went wrong in so short a time says nothing of the service.
  if (!look.summaries && isLikelySeconds(timeoutMs)) {
    return new Kind(`${waited} That is too short for an answer.`, seen);
  }
  const cause = trouble ?? look.trouble;
  const meanwhile = cause ? ` Meanwhile: ${cause.message}` : '';
  const message = `${waited} ${whatCame(asked, look)}${hint(asked, look)}${meanwhile}`;
  return new Kind(message, seen, { cause });
}

function whatCame(asked: Asked, look: LastLook): string {
  const { summaries, emails } = look;
  const { address } = asked;
  if (!summaries) return `What came to ${address} could not be read in time.`;
  if (summaries.length === 0) return `No email came to ${address}${reason(asked, look)}`;
  const named = list(summaries, (one) => ` (${verdict(asked, one, emails)})`);
  return `${number(summaries.length)} came to ${address}: ${named}.${saw(look)}`;
}

/** What to say when more came than was expected. */
export function unexpectedError(
  asked: Asked,
  emails: readonly ReceivedEmail[],
  Kind: typeof MayflyUnexpectedEmailError,
): MayflyUnexpectedEmailError {
  const { address, count } = asked;
  const expected = count === 0 ? 'no email' : `exactly ${number(count)}`;
  const came = `${number(emails.length)} came to ${address}: ${list(emails, () => '')}`;
  const message = `Expected ${phrase(expected, asked)}, but ${came}.`;
  return new Kind(message, { address, expected: count, emails });
}

function phrase(what: string, { filter, condition }: Asked): string {
  const parts = describeFilter(filter);
  if (condition) parts.unshift(`with a ${condition.what}`);
  return `${what} ${parts.join(', ')}`.trim();
}

function number(count: number): string {
  return count === 1 ? '1 email' : `${count} emails`;
}

/** Why nothing may have come: mail for a domain that is not this Mayfly's has gone elsewhere, or was refused. */
function reason({ address }: Asked, look: LastLook): string {
  const { domains, attempts } = look;
  if (domains?.every((domain) => domain !== '*' && !address.endsWith(`@${domain}`))) {
    return `: this Mayfly takes mail for ${domains.join(', ')} only. See domain and MAYFLY_DOMAIN.${saw(look)}`;
  }
  if (attempts) return `.${saw(look)}`;
  return ": was it sent, and to the right address and domain? Mayfly's log says what it refused (docs/no-mail.md).";
}

function saw({ attempts }: LastLook): string {
  return attempts ? ` ${attempts}` : '';
}

/** A few milliseconds are hardly meant. */
function isLikelySeconds(timeoutMs: number): boolean {
  return timeoutMs <= MOST_LIKELY_SECONDS;
}

function time(timeoutMs: number): string {
  return isLikelySeconds(timeoutMs) ? `${timeoutMs} ms (did you mean ${timeoutMs * 1000}?)` : `${timeoutMs / 1000} s`;
}

/**
 * Names the call that would have found something: a code with letters is no otp, and a link to follow may be no
 * magicLink.
 */
function hint({ filter, condition }: Asked, { contents = [] }: LastLook): string {
  const code = filter.hasOtp && firstOf(contents, ({ codes }) => codes[0]?.value);
  if (code) return ` waitForCode (wait --code) finds '${code}' in it.`;
  if (!filter.hasMagicLink && !condition?.what.startsWith('link')) return '';
  const link = filter.hasMagicLink && firstOf(contents, ({ links }) => links.find(({ action }) => action)?.url);
  if (link) return ' waitForLink (wait --link) finds a link to follow in it.';
  const other = firstOf(contents, ({ links }) => links[0]?.url);
  return other ? ` It has another link, ${shown(other)}: waitForLink takes a pattern.` : '';
}

function firstOf(contents: readonly Findable[], pick: (found: Findable) => string | undefined): string | undefined {
  return contents.map(pick).find((found) => found !== undefined);
}

function list<T extends { subject: string }>(emails: readonly T[], remark: (email: T) => string): string {
  const named = emails.slice(0, MAX_NAMED).map((email) => `'${shown(email.subject)}'${remark(email)}`);
  const others = emails.length - named.length;
  return named.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

function verdict({ filter, after, condition }: Asked, summary: EmailSummary, emails: readonly ReceivedEmail[]): string {
  const email = emails.find(({ receivedAt }) => receivedAt.toISOString() === summary.receivedAt);
  const reasons = email ? mismatches(filter, email) : knownMismatches(filter, summary);
  if (reasons.length === 0 && condition) reasons.push(`no ${condition.what}`);
  if (!isLater(summary, after)) reasons.unshift('too early');
  return reasons.join(', ') || (email ? 'matches' : 'was not read');
}

/** Control characters of a hostile subject must not reach a terminal. */
function shown(subject: string): string {
  const line = subject.replace(/\p{Cc}+/gu, ' ');
  return line.length > MAX_SUBJECT_LENGTH ? `${line.slice(0, MAX_SUBJECT_LENGTH)}…` : line;
}
