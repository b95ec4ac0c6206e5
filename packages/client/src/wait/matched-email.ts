import type { BoundedField, EmailParts } from 'mayfly-protocol/wire';
import { MAX_SHOWN_LENGTH, MAX_SUBJECT_LENGTH } from './bounds.js';
import type { ReceivedEmail } from './email.js';
import { MayflyError, MayflyOptionError } from './errors.js';
import type { LoadableEmail } from './received-email.js';

/** As much of an email as matchers of its data read. */
export interface MatchedEmail {
  readonly subject: string;
  readonly body: string;
  readonly rawBody: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
}

/** What a matcher returns to its runner. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Returns the email that a test passes to `expect`. Throws `MayflyOptionError` for any other value. */
export function emailFor<T extends MatchedEmail>(matcher: string, email: T): T {
  const { subject, body, rawBody } = Object(email) as Partial<T>;
  if (typeof subject === 'string' && typeof body === 'string' && typeof rawBody === 'string') return email;
  const isPromise = typeof (email as Partial<Promise<unknown>> | null | undefined)?.then === 'function';
  const advice = isPromise ? 'await the promise first' : `got ${kindOf(email)}`;
  throw new MayflyOptionError(`${matcher}() needs an email, such as that of inbox.waitForEmail(): ${advice}.`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return `${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The contents of an email. Throws `MayflyError` if Mayfly lists less of the needed fields than the message has. */
export async function contentsFor(
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
    `${matcher}() cannot judge ${shownSubject(email)}: it has more ${missing.join(' and ')} than Mayfly reads.`,
  );
}

/** What was expected, and what was found instead, each as the end of a sentence. */
interface Verdict {
  readonly pass: boolean;
  /** Follows "to" or "not to". */
  readonly expected: string;
  /** Follows "but". */
  readonly found: string;
}

export function resultFor({ subject }: MatchedEmail, { pass, expected, found }: Verdict): MatcherResult {
  const to = pass ? 'not to' : 'to';
  return { pass, message: () => `Expected ${shownSubject({ subject })} ${to} ${expected}, but ${found}.` };
}

function shownSubject({ subject }: Pick<MatchedEmail, 'subject'>): string {
  const shown = shownText(subject, MAX_SUBJECT_LENGTH);
  return shown === '' ? 'the email without a subject' : `'${shown}'`;
}

/** In one line: the control and direction characters of a hostile email must not reach a terminal. */
export function shownText(text: string, most = MAX_SHOWN_LENGTH): string {
  // One blank may stand for many characters.
  const beginning = text.slice(0, most * 4);
  const line = beginning.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > most || beginning.length < text.length ? `${line.slice(0, most)}…` : line;
}
