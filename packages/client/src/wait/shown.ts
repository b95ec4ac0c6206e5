import { MAX_NAMED, MAX_SUBJECT_LENGTH } from './bounds.js';
import type { ReceivedEmail } from './email.js';
import { type EmailFilter, FLAGS, TEXTS } from './filter.js';
import { shownPattern } from './text.js';

const MAX_SHOWN_LENGTH = 200;

export function linesOf(emails: readonly ReceivedEmail[]): string[] {
  return emails.map(({ receivedAt, subject, from, otp, magicLink }) => {
    const time = receivedAt.toISOString().slice(11, 19);
    return `${time} '${shown(subject ?? '')}' from ${shown(from ?? '')}: code ${otp ?? 'none'}, link ${magicLink ?? 'none'}`;
  });
}

/** Control and direction characters of a hostile text must not reach a terminal. */
export function shown(text: string, most = MAX_SUBJECT_LENGTH): string {
  const line = text.slice(0, 4 * most).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** The same in one line, with single blanks. */
export function shownText(text: string, most = MAX_SHOWN_LENGTH): string {
  // One blank may stand for many characters.
  const beginning = text.slice(0, most * 4);
  const line = beginning.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > most || beginning.length < text.length ? `${line.slice(0, most)}…` : line;
}

export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

export function listed(texts: readonly string[]): string {
  const more = texts.length - MAX_NAMED;
  return texts.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A filter in words, such as `with a code` and `subject "Welcome"`. */
export function describeFilter(filter: EmailFilter): string[] {
  const flags = FLAGS.filter(([name]) => filter[name] !== undefined);
  const texts = TEXTS.flatMap((name) => (filter[name] === undefined ? [] : `${name} ${shownPattern(filter[name])}`));
  return [
    ...flags.map(([name, , word]) => `with${filter[name] ? '' : 'out'} a ${word}`),
    ...texts,
    ...(filter.where ? ['that where() accepts'] : []),
  ];
}
