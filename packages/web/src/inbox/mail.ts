import type { EmailSummary } from 'mayfly-client';

/** An email as the list of the page keeps it: its summary, under 1 KB. */
export interface Mail extends Omit<EmailSummary, 'receivedAt' | 'from' | 'id'> {
  /** What names it in its inbox: its `receivedAt`, ISO 8601. */
  readonly key: string;
  /** The same, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Sender's address; `""` without one, and where it is too long for a summary. */
  readonly from: string;
}

/** What the page keeps of a summary. */
export function mailOf({ receivedAt, from, id: _, ...summary }: EmailSummary): Mail {
  return { ...summary, key: receivedAt, receivedAt: Date.parse(receivedAt), from: from ?? '' };
}

/** Whom a list names as the sender. */
export function senderOf({ fromName, from }: Pick<EmailSummary, 'fromName' | 'from'>): string {
  // Where there was no room for any of the name, nothing but this is left of it.
  return (fromName === '…' ? '' : fromName) || from || 'No sender';
}

export function subjectOf({ subject }: Mail): string {
  return subject || 'No subject';
}
