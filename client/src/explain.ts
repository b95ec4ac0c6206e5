import type { ReceivedEmail } from './email.js';
import { type MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError } from './errors.js';
import { describeFilter, type EmailFilter, mismatches } from './filter.js';

/** How many emails a message names, the newest ones. */
const MAX_NAMED = 10;

/** How much of a subject a message shows. */
const MAX_SUBJECT_LENGTH = 60;

/** What was asked for. */
export interface Asked {
  readonly address: string;
  readonly filter: EmailFilter;
  readonly after: Date | undefined;
  readonly count: number;
}

/** What to say when an email did not come in time. `emails` is the whole inbox, or the error that keeps it from being read. */
export function timeoutError(
  asked: Asked,
  timeoutMs: number,
  emails: readonly ReceivedEmail[] | MayflyError,
  trouble: MayflyError | null,
): MayflyTimeoutError {
  const { address, count } = asked;
  const what = count === 1 ? 'an email' : number(count);
  const waited = `Waited ${timeoutMs / 1000} s for ${phrase(what, asked)}`;
  if (emails instanceof Error) {
    const message = `${waited}. What came to ${address} could not be read. ${emails.message}`;
    return new MayflyTimeoutError(message, timeoutMs, { address, emails: [] }, { cause: emails });
  }
  const came =
    emails.length === 0
      ? `No email came to ${address}: was it sent, and to the right address and domain?`
      : `${number(emails.length)} came to ${address}: ${list(emails, (email) => ` (${verdict(asked, email)})`)}.`;
  return new MayflyTimeoutError(
    `${waited}. ${came}${trouble ? ` Meanwhile: ${trouble.message}` : ''}`,
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

function phrase(what: string, { filter }: Asked): string {
  return [what, describeFilter(filter)].filter(Boolean).join(' ');
}

function number(count: number): string {
  return count === 1 ? '1 email' : `${count} emails`;
}

function list(emails: readonly ReceivedEmail[], remark: (email: ReceivedEmail) => string): string {
  const named = emails.slice(0, MAX_NAMED).map((email) => `'${shown(email.subject)}'${remark(email)}`);
  const others = emails.length - named.length;
  return named.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

function verdict({ filter, after }: Asked, email: ReceivedEmail): string {
  const reasons = mismatches(filter, email);
  if (after && email.receivedAt <= after) reasons.unshift('too early');
  return reasons.join(', ') || 'matches';
}

/** Control characters of a hostile subject must not reach a terminal. */
function shown(subject: string): string {
  const line = subject.replace(/\p{Cc}+/gu, ' ');
  return line.length > MAX_SUBJECT_LENGTH ? `${line.slice(0, MAX_SUBJECT_LENGTH)}…` : line;
}
