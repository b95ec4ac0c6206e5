import { MAX_SUBJECT_LENGTH } from './bounds.js';
import type { ReceivedEmail } from './email.js';

/** A line for each email, as a terminal shows it. */
export function linesOf(emails: readonly ReceivedEmail[]): string[] {
  return emails.map(({ receivedAt, subject, from, otp, magicLink }) => {
    const time = receivedAt.toISOString().slice(11, 19);
    return `${time} '${shown(subject ?? '')}' from ${shown(from ?? '')}: code ${otp ?? 'none'}, link ${magicLink ?? 'none'}`;
  });
}

/** Control characters of a hostile text must not reach a terminal. */
export function shown(text: string, most = MAX_SUBJECT_LENGTH): string {
  const line = text.slice(0, 4 * most).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
