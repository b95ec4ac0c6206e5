import type { ReceivedEmail } from './email.js';
import { MayflyOptionError } from './errors.js';
import type { OptionName } from './options.js';
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

const TEXTS = ['from', 'subject', 'body'] as const;
const FLAGS = { hasOtp: ['otp', 'code'], hasMagicLink: ['magicLink', 'link'] } as const;
const FLAG_NAMES = ['hasOtp', 'hasMagicLink'] as const;

/** The options that a filter is made of. */
export const FILTER_OPTIONS: readonly OptionName[] = [...TEXTS, ...FLAG_NAMES, 'where'];

/** The part of a filter that the server applies (D9), as query parameters. */
export function serverFilter(filter: EmailFilter): Record<string, string> {
  const asked = [...TEXTS, ...FLAG_NAMES].flatMap((name) => {
    const value = filter[name];
    return value === undefined || value instanceof RegExp ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(asked);
}

/** Whether the server applies all of a filter, so that whatever it lists is meant. */
export function isServers(filter: EmailFilter): boolean {
  return filter.where === undefined && !TEXTS.some((name) => filter[name] instanceof RegExp);
}

/** What is known of an email: all of it, or what its summary tells. */
export type KnownEmail = Partial<Pick<ReceivedEmail, 'from' | 'subject' | 'body' | 'otp' | 'magicLink'>>;

/** Why an email is not one that the filter means, as far as that is known; nothing when it may be one. */
export function knownMismatches(filter: EmailFilter, email: KnownEmail): string[] {
  const reasons: string[] = [];
  for (const name of TEXTS) {
    const [wanted, text] = [filter[name], email[name]];
    if (wanted !== undefined && text !== undefined && !contains(text, wanted)) reasons.push(`${name} does not match`);
  }
  for (const name of FLAG_NAMES) {
    const [field, word] = FLAGS[name];
    const value = email[field];
    if (filter[name] === undefined || value === undefined) continue;
    const has = value !== null;
    if (filter[name] !== has) reasons.push(has ? `has a ${word}` : `no ${word}`);
  }
  return reasons;
}

/** Why an email is not one that the filter means; nothing when it is. Throws `MayflyOptionError` when `where` does not say. */
export function mismatches(filter: EmailFilter, email: ReceivedEmail): string[] {
  const reasons = knownMismatches(filter, email);
  // The condition of the caller may rely on the others, so it is asked last.
  if (reasons.length === 0 && filter.where && !isAccepted(filter.where, email)) reasons.push('where() refuses it');
  return reasons;
}

export function isMatch(filter: EmailFilter, email: ReceivedEmail): boolean {
  return mismatches(filter, email).length === 0;
}

/** A filter in words, such as `with a code, subject "Welcome"`; empty for a filter that lets everything through. */
export function describeFilter(filter: EmailFilter): string {
  const parts: string[] = [];
  for (const name of FLAG_NAMES) {
    if (filter[name] !== undefined) parts.push(`with${filter[name] ? ' a' : 'out a'} ${FLAGS[name][1]}`);
  }
  for (const name of TEXTS) {
    const wanted = filter[name];
    if (wanted !== undefined) parts.push(`${name} ${wanted instanceof RegExp ? wanted : `"${wanted}"`}`);
  }
  if (filter.where) parts.push('that where() accepts');
  return parts.join(', ');
}

/** What an async function gives is an object, and would pass for true. */
function isAccepted(where: (email: ReceivedEmail) => unknown, email: ReceivedEmail): boolean {
  const answer = where(email);
  if (typeof answer === 'boolean') return answer;
  const isPromise = answer instanceof Promise;
  // Nobody else hears of what it may reject with.
  if (isPromise) answer.catch(() => {});
  throw new MayflyOptionError(
    `where() must return true or false, and returned ${isPromise ? 'a promise' : `${answer}`}.`,
  );
}
