import { MAX_NAMED, MAX_SUBJECT_LENGTH } from './bounds.js';
import type { ReceivedEmail } from './email.js';

const MAX_SHOWN_LENGTH = 200;

export type Pattern = string | RegExp;

export function contains(text: string, wanted: Pattern = ''): boolean {
  // search() ignores the `lastIndex` that an earlier use of a global pattern left.
  return wanted instanceof RegExp ? text.search(wanted) >= 0 : seen(text).includes(seen(wanted));
}

/** Normalizes a text for a comparison that ignores case, as the service's filter does. */
function seen(text: string): string {
  return text
    .toLowerCase()
    .normalize()
    .replace(/\p{DI}/gu, '')
    .replace(/\s+/gu, ' ');
}

export function shownPattern(wanted: Pattern): string {
  return wanted instanceof RegExp ? `${wanted}` : `"${wanted}"`;
}

export function parsed<T>(text: string): T | null | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function linesOf(emails: readonly ReceivedEmail[]): string[] {
  return emails.map(({ receivedAt, subject, body, from, otp, magicLink }) => {
    const time = receivedAt.toISOString().slice(11, 19);
    return `${time} '${titleOf(subject, body)}' from ${shown(from ?? '')}: code ${otp ?? 'none'}, link ${magicLink ?? 'none'}`;
  });
}

/** The title of an email in messages: its subject or, as text messages have none, the beginning of its text. */
export function titleOf(subject = '', text = ''): string {
  return shown(subject) || shownText(text, MAX_SUBJECT_LENGTH);
}

/** Shortens a text and blanks control and text-direction characters, which could alter what a terminal displays. */
export function shown(text: string, most = MAX_SUBJECT_LENGTH): string {
  const line = text.slice(0, 4 * most).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

export function shownText(text: string, most = MAX_SHOWN_LENGTH): string {
  const beginning = text.slice(0, most * 4);
  const line = beginning.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > most || beginning.length < text.length ? `${line.slice(0, most)}…` : line;
}

export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The kind of message that an address receives: the address of a phone number receives text messages. */
export function kindAt(address: string): string {
  return /^\+\d+@/.test(address) ? 'text message' : 'email';
}

export function listed(texts: readonly string[]): string {
  const more = texts.length - MAX_NAMED;
  return texts.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
