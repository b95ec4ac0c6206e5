import type { Email, EmailParts, EmailSummary } from 'mayfly-protocol/wire';
import type { ReceivedEmail } from './email.js';
import { MayflyOptionError } from './errors.js';
import type { SelectionQuery } from './inbox-api.js';
import { contains, type Pattern, shownPattern } from './text.js';

export interface EmailFilter {
  /** Part of the sender's address, ignoring case, or a pattern. */
  readonly from?: string | RegExp | undefined;
  /** Part of the subject, ignoring case, or a pattern. */
  readonly subject?: string | RegExp | undefined;
  /** Part of the text, ignoring case, or a pattern. Only the first 5,000 characters are searched. */
  readonly body?: string | RegExp | undefined;
  readonly hasOtp?: boolean | undefined;
  readonly hasMagicLink?: boolean | undefined;
  readonly where?: ((email: ReceivedEmail) => boolean) | undefined;
}

export const TEXTS = ['from', 'subject', 'body'] as const;

/** Each flag, with the field that it requires and the noun for messages. */
export const FLAGS = [
  ['hasOtp', 'otp', 'code'],
  ['hasMagicLink', 'magicLink', 'link'],
] as const;

/** Whether the server applies the whole filter, so that every email in its list matches. */
export function isAllServers(filter: EmailFilter): boolean {
  return Object.values(filter).every(isServers);
}

/** The server supports texts and flags but no patterns (D9). */
function isServers(value: unknown): boolean {
  return typeof value !== 'function' && !(value instanceof RegExp);
}

/** An email, or its summary. A truncated field of a summary cannot prove a mismatch. */
export type KnownEmail = Pick<EmailSummary, 'from' | 'subject' | 'otp' | 'magicLink'> &
  Partial<{ cut: readonly string[] } & Pick<ReceivedEmail, 'body'>>;

/** Why an email does not match, as far as the known fields show; empty if it may match. */
export function knownMismatches(filter: EmailFilter, { cut = [], ...email }: KnownEmail): string[] {
  const reasons: string[] = [];
  for (const name of TEXTS) {
    const text = cut.includes(name) ? null : email[name];
    if (typeof text === 'string' && !contains(text, filter[name])) reasons.push(`${name} does not match`);
  }
  for (const [name, field, word] of FLAGS) {
    const has = email[field] !== null;
    if (filter[name] === !has && !cut.includes(field)) reasons.push(has ? `has a ${word}` : `no ${word}`);
  }
  return reasons;
}

/** Why an email does not match; empty if it does. Throws `MayflyOptionError` if `where` returns no boolean. */
export function mismatches(filter: EmailFilter, email: ReceivedEmail): string[] {
  const reasons = knownMismatches(filter, email);
  // Calls `where` last, so that `where` may rely on the other conditions.
  if (reasons.length === 0 && filter.where && !isAccepted(filter.where, email)) reasons.push('where() refuses it');
  return reasons;
}

/** Throws if `where` is an async function, because its promise would be truthy. */
function isAccepted(where: (email: ReceivedEmail) => unknown, email: ReceivedEmail): boolean {
  const answer = where(email);
  if (typeof answer === 'boolean') return answer;
  const isPromise = answer instanceof Promise;
  if (isPromise) answer.catch(() => {});
  throw new MayflyOptionError(`where() must return true or false, not ${isPromise ? 'a promise' : String(answer)}.`);
}

export type Findable = Pick<EmailParts, 'codes' | 'links'>;

/** A further condition, which needs the parsed contents of the message. */
export interface Condition {
  readonly what: string;
  pick(contents: Findable, email: Pick<Email, 'subject' | 'body'>): string | undefined;
}

export interface Wanted {
  readonly address: string;
  readonly filter: EmailFilter;
  readonly after: Date | undefined;
  readonly condition: Condition | undefined;
}

export function queryOf({ filter, after }: Wanted, cursor = after): SelectionQuery {
  const applied = Object.entries(filter).filter(([, value]) => isServers(value));
  return { ...Object.fromEntries(applied), after: cursor?.toISOString() };
}

export function isLater({ receivedAt }: { readonly receivedAt: Date | string }, after: Date | undefined): boolean {
  return after === undefined || new Date(receivedAt) > after;
}

/** Selects the best code that matches `pattern`, if given. If an email has no code, searches its subject and body. */
export function codeCondition(pattern: Pattern | undefined): Condition {
  return {
    what: `code${told('that matches', pattern)}`,
    pick({ codes }, { subject, body }) {
      if (codes.length > 0 || pattern === undefined) return codes.find(({ value }) => contains(value, pattern))?.value;
      return matchIn(subject, pattern) ?? matchIn(body, pattern);
    },
  };
}

/** Selects the action link. With a text or pattern, selects the action link if it matches, or else the first match. */
export function linkCondition(text: Pattern | undefined, pattern: Pattern | undefined): Condition {
  return {
    what: `link${told('with the text', text)}${told('to', pattern)}`,
    pick({ links }) {
      const matching = links.filter((link) => contains(link.text, text) && contains(link.url, pattern));
      return (matching.find(({ action }) => action) ?? (text || pattern ? matching[0] : undefined))?.url;
    },
  };
}

const WORD = /[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu;
const CODE_LIKE = /\p{N}|^[^\p{Ll}]{4,}$/u;

/** The first word that matches and looks like a code, or else the match of a RegExp if it looks like a code. */
function matchIn(text: string, pattern: Pattern): string | undefined {
  const words = text.match(WORD) ?? [];
  const word = words.find((one) => CODE_LIKE.test(one) && contains(one, pattern));
  if (word !== undefined || typeof pattern === 'string') return word;
  const [match = ''] = text.match(pattern) ?? [];
  return CODE_LIKE.test(match) ? match : undefined;
}

function told(how: string, pattern: Pattern | undefined): string {
  return pattern === undefined ? '' : ` ${how} ${shownPattern(pattern)}`;
}

export function describeFilter(filter: EmailFilter): string[] {
  const flags = FLAGS.filter(([name]) => filter[name] !== undefined);
  const texts = TEXTS.flatMap((name) => (filter[name] === undefined ? [] : `${name} ${shownPattern(filter[name])}`));
  return [
    ...flags.map(([name, , word]) => `with${filter[name] ? '' : 'out'} a ${word}`),
    ...texts,
    ...(filter.where ? ['that where() accepts'] : []),
  ];
}
