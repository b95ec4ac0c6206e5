import type { EmailSummary } from 'mayfly-protocol/wire';
import type { ReceivedEmail } from './email.js';
import { MayflyOptionError } from './errors.js';
import type { SelectionQuery } from './inbox-api.js';
import { contains } from './text.js';

/** Which emails are meant. All that is given must hold. */
export interface EmailFilter {
  /** Part of the sender's address, whatever the case, or a pattern. */
  readonly from?: string | RegExp | undefined;
  /** Part of the subject, whatever the case, or a pattern. */
  readonly subject?: string | RegExp | undefined;
  /** Part of the text, whatever the case, or a pattern. The text has 5,000 characters at most. */
  readonly body?: string | RegExp | undefined;
  /** Whether there is a one-time code. */
  readonly hasOtp?: boolean | undefined;
  /** Whether there is a verification or reset link. */
  readonly hasMagicLink?: boolean | undefined;
  /** Any other condition. */
  readonly where?: ((email: ReceivedEmail) => boolean) | undefined;
}

export const TEXTS = ['from', 'subject', 'body'] as const;

/** What each flag asks for: a field, and the word for it. */
export const FLAGS = [
  ['hasOtp', 'otp', 'code'],
  ['hasMagicLink', 'magicLink', 'link'],
] as const;

/** The part of a filter that the server applies (D9): texts and flags. */
export function serverFilter(filter: EmailFilter): SelectionQuery {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => isServers(value)));
}

/** Whether the server applies all of a filter, so that whatever it lists is meant. */
export function isAllServers(filter: EmailFilter): boolean {
  return Object.values(filter).every(isServers);
}

function isServers(value: unknown): boolean {
  return typeof value !== 'function' && !(value instanceof RegExp);
}

/** An email, or only its summary, in which a field that is cut tells nothing. */
export type KnownEmail = Pick<EmailSummary, 'from' | 'subject' | 'otp' | 'magicLink'> &
  Partial<{ cut: readonly string[] } & Pick<ReceivedEmail, 'body'>>;

/** Why an email is not one that the filter means, as far as that is known; nothing when it may be one. */
export function knownMismatches(filter: EmailFilter, { cut = [], ...email }: KnownEmail): string[] {
  const reasons: string[] = [];
  for (const name of TEXTS) {
    const wanted = filter[name];
    const text = cut.includes(name) ? null : email[name];
    if (wanted !== undefined && typeof text === 'string' && !contains(text, wanted))
      reasons.push(`${name} does not match`);
  }
  for (const [name, field, word] of FLAGS) {
    const has = email[field] !== null;
    if (filter[name] === !has && !cut.includes(field)) reasons.push(has ? `has a ${word}` : `no ${word}`);
  }
  return reasons;
}

/**
 * Why an email is not one that the filter means; nothing when it is. Throws `MayflyOptionError` when `where` does not
 * say.
 */
export function mismatches(filter: EmailFilter, email: ReceivedEmail): string[] {
  const reasons = knownMismatches(filter, email);
  // The condition of the caller may rely on the others, so it is asked last.
  if (reasons.length === 0 && filter.where && !isAccepted(filter.where, email)) reasons.push('where() refuses it');
  return reasons;
}

/** What an async function gives is an object, and would pass for true. */
function isAccepted(where: (email: ReceivedEmail) => unknown, email: ReceivedEmail): boolean {
  const answer = where(email);
  if (typeof answer === 'boolean') return answer;
  const isPromise = answer instanceof Promise;
  // No other listener handles its rejection.
  if (isPromise) answer.catch(() => {});
  const returned = isPromise ? 'a promise' : String(answer);
  throw new MayflyOptionError(`where() must return true or false, and returned ${returned}.`);
}
