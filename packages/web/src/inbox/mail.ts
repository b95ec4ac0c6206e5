import type { EmailSummary } from 'mayfly-client';

/** The summary of an email, under 1 KB. */
export interface Mail extends Omit<EmailSummary, 'receivedAt' | 'from' | 'id'> {
  /** The `receivedAt` of the API, a string that identifies the email within its inbox. */
  readonly key: string;
  /** In milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Empty if there is no sender, or if the address is too long for a summary. */
  readonly from: string;
}

export function mailOf({ receivedAt, from, id: _, ...summary }: EmailSummary): Mail {
  return { ...summary, key: receivedAt, receivedAt: Date.parse(receivedAt), from: from ?? '' };
}

export function senderOf({ fromName, from }: Pick<EmailSummary, 'fromName' | 'from'>): string {
  // An ellipsis alone means that the summary had no room for any of the name.
  return (fromName === '…' ? '' : fromName) || from || 'No sender';
}

export function subjectOf({ subject }: Pick<Mail, 'subject'>): string {
  return subject || 'No subject';
}
