import type { ReceivedEmail } from './email.js';
import { MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError } from './errors.js';
import { describeFilter, knownMismatches, mismatches } from './filter.js';
import { type LastLook, MAX_NAMED } from './last-look.js';
import { known } from './search.js';
import type { Wanted } from './wanted.js';
import type { EmailSummary } from './wire.js';

/** How much of a subject a message shows. */
const MAX_SUBJECT_LENGTH = 60;

/** What was asked for. */
export interface Asked extends Wanted {
  readonly count: number;
}

/** What to say when an email did not come in time. `trouble` is what went wrong before the last look. */
export function timeoutError(
  asked: Asked,
  timeoutMs: number,
  look: LastLook,
  trouble: MayflyError | null,
): MayflyTimeoutError {
  const { address, count } = asked;
  const what = count === 1 ? 'an email' : number(count);
  const waited = `Waited ${timeoutMs / 1000} s for ${phrase(what, asked)}`;
  const { summaries, emails } = look;
  if (summaries === null) {
    const cause = trouble ?? look.trouble ?? new MayflyError('There was no time for it.');
    const message = `${waited}. What came to ${address} could not be read. ${cause.message}`;
    return new MayflyTimeoutError(message, timeoutMs, { address, emails }, { cause });
  }
  const came =
    summaries.length === 0
      ? `No email came to ${address}: ${reason(asked, look)}`
      : `${number(summaries.length)} came to ${address}: ${list(summaries, (one) => ` (${verdict(asked, one, emails)})`)}.`;
  return new MayflyTimeoutError(
    `${waited}. ${came}${hint(asked, came)}${trouble ? ` Meanwhile: ${trouble.message}` : ''}`,
    timeoutMs,
    { address, emails },
    { cause: trouble ?? undefined },
  );
}

/** What to say when more came than was expected. */
export function unexpectedError(asked: Asked, emails: readonly ReceivedEmail[]): MayflyUnexpectedEmailError {
  const { address, count } = asked;
  const expected = count === 0 ? 'no email' : `exactly ${number(count)}`;
  const came = `${number(emails.length)} came to ${address}: ${list(emails, () => '')}`;
  const message = `Expected ${phrase(expected, asked)}, but ${came}.`;
  return new MayflyUnexpectedEmailError(message, count, { address, emails });
}

function phrase(what: string, { filter, condition }: Asked): string {
  return [what, [condition?.phrase, describeFilter(filter)].filter(Boolean).join(', ')].filter(Boolean).join(' ');
}

function number(count: number): string {
  return count === 1 ? '1 email' : `${count} emails`;
}

/** Why nothing may have come: mail for a domain that is not this Mayfly's has gone elsewhere, or was refused. */
function reason({ address }: Asked, { domains }: LastLook): string {
  const domain = address.slice(address.indexOf('@') + 1);
  if (domains === null || domains.includes('*') || domains.includes(domain)) {
    return 'was it sent, and to the right address and domain?';
  }
  return `this Mayfly takes mail for ${domains.join(', ')} only. See domain and MAYFLY_DOMAIN.`;
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
  const at = new Date(summary.receivedAt);
  const email = emails.find(({ receivedAt }) => +receivedAt === +at);
  const reasons = email === undefined ? knownMismatches(filter, known(summary)) : mismatches(filter, email);
  if (reasons.length === 0 && condition !== null) reasons.push(condition.lack);
  if (after && at <= after) reasons.unshift('too early');
  return reasons.join(', ') || (email === undefined ? 'was not read' : 'matches');
}

/** Control characters of a hostile subject must not reach a terminal. */
function shown(subject: string): string {
  const line = subject.replace(/\p{Cc}+/gu, ' ');
  return line.length > MAX_SUBJECT_LENGTH ? `${line.slice(0, MAX_SUBJECT_LENGTH)}…` : line;
}
