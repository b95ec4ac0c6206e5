import type { EmailSummary } from 'mayfly-client';

/** The summary of an email, under 1 KB. */
export interface Mail extends Omit<EmailSummary, 'receivedAt' | 'from' | 'id'> {
  /** The `receivedAt` of the API, which identifies the email within its inbox. In all mail, `RECEIVED-AT/INBOX`. */
  readonly key: string;
  /** In milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Empty if there is no sender, or if the address is too long for a summary. */
  readonly from: string;
}

/** What rows show of a summary. A service of another version may omit some of it. */
const MISSING = { otp: null, magicLink: null, action: false, attachments: 0 };

/** A server other than Mayfly may send anything, and values of other types would freeze the page. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

export function mailOf({ receivedAt, from, to, fromName, text, code, id: _, ...summary }: EmailSummary): Mail {
  return {
    ...MISSING,
    ...summary,
    key: receivedAt,
    receivedAt: Date.parse(receivedAt),
    from: textOf(from),
    to: textOf(to),
    fromName: textOf(fromName),
    text: textOf(text),
    code: textOf(code) || null,
  };
}

/** The length of `receivedAt`. */
const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** Where the API finds the email of a key. `inbox` completes a key without an inbox. */
export function placeOf(key: string, inbox: string): { readonly receivedAt: string; readonly inbox: string } {
  return { receivedAt: key.slice(0, TIME_LENGTH), inbox: key.slice(TIME_LENGTH + 1) || inbox };
}

export function senderOf({ fromName, from }: Pick<EmailSummary, 'fromName' | 'from'>): string {
  // An ellipsis alone means that the summary had no room for any of the name.
  return (fromName === '…' ? '' : fromName) || from || 'No sender';
}

/** Whether a message is a text message, which has no HTML, and whose addresses are phone numbers. */
export function isText({ source }: Pick<EmailSummary, 'source'>): boolean {
  return source === 'sms';
}

export function subjectOf(mail: Pick<EmailSummary, 'subject' | 'source'>): string {
  return mail.subject || (isText(mail) ? 'Text message' : 'No subject');
}
