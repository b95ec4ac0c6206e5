import { MAX_NAMED, MAX_SUBJECT_LENGTH } from './bounds.js';
import type { ReceivedEmail } from './email.js';
import { type MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError } from './errors.js';
import { describeFilter, knownMismatches, mismatches } from './filter.js';
import { isLater, type Wanted } from './wanted.js';
import type { EmailSummary } from './wire.js';

/** What is in an inbox when a wait is about to end in vain. Whatever was read by then counts. */
export interface LastLook {
  /** All that is there, newest first; undefined where it could not be listed. */
  summaries?: readonly EmailSummary[];
  /** The newest of it, as far as it was read. */
  emails: readonly ReceivedEmail[];
  /** Those that are wanted. */
  found: ReceivedEmail[];
  /** The domains that this Mayfly takes mail for; undefined where that is not known. */
  domains?: readonly string[];
  /** What kept it from being listed. */
  trouble?: MayflyError;
}

/** What was asked for. */
export interface Asked extends Wanted {
  readonly count: number;
}

/** What to say when an email did not come in time. `trouble` is what went wrong before the last look. */
export function timeoutError(
  asked: Asked,
  timeoutMs: number,
  look: LastLook,
  trouble: MayflyError | undefined,
): MayflyTimeoutError {
  const { address, count } = asked;
  const what = count === 1 ? 'an email' : number(count);
  const came = whatCame(asked, look);
  const cause = trouble ?? look.trouble;
  const meanwhile = cause ? ` Meanwhile: ${cause.message}` : '';
  const message = `Waited ${timeoutMs / 1000} s for ${phrase(what, asked)}. ${came}${hint(asked, came)}${meanwhile}`;
  return new MayflyTimeoutError(message, { address, timeoutMs, emails: look.emails }, { cause });
}

function whatCame(asked: Asked, look: LastLook): string {
  const { summaries, emails } = look;
  const { address } = asked;
  if (!summaries) return `What came to ${address} could not be read in time.`;
  if (summaries.length === 0) return `No email came to ${address}: ${reason(asked, look)}`;
  const named = list(summaries, (one) => ` (${verdict(asked, one, emails)})`);
  return `${number(summaries.length)} came to ${address}: ${named}.`;
}

/** What to say when more came than was expected. */
export function unexpectedError(asked: Asked, emails: readonly ReceivedEmail[]): MayflyUnexpectedEmailError {
  const { address, count } = asked;
  const expected = count === 0 ? 'no email' : `exactly ${number(count)}`;
  const came = `${number(emails.length)} came to ${address}: ${list(emails, () => '')}`;
  const message = `Expected ${phrase(expected, asked)}, but ${came}.`;
  return new MayflyUnexpectedEmailError(message, { address, expected: count, emails });
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
function reason({ address }: Asked, { domains }: LastLook): string {
  if (domains?.every((domain) => domain !== '*' && !address.endsWith(`@${domain}`))) {
    return `this Mayfly takes mail for ${domains.join(', ')} only. See domain and MAYFLY_DOMAIN.`;
  }
  return 'was it sent, and to the right address and domain?';
}

/** What is no otp may be a code with letters, and what is no magicLink another link to follow. */
function hint({ filter }: Asked, came: string): string {
  if (filter.hasOtp && came.includes('(no code)')) return ' waitForCode (wait --code) takes letters, too.';
  if (filter.hasMagicLink && came.includes('(no link)')) return ' waitForLink (wait --link) takes others, too.';
  return '';
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
