import type { Contents, EmailAttachment, EmailLinks } from './contents.js';
import { fromName } from './from-name.js';
import type { Email, EmailCode, Explanation, HeaderField } from './wire.js';

/** What is at hand of an email: that of the wire with its time as a Date, and the sender's name. */
export interface EmailData extends Omit<Email, 'receivedAt'> {
  /** When the message had arrived, by the server's clock. Strictly increases within an inbox. */
  readonly receivedAt: Date;
  /** Display name of the sender, decoded; `""` when there is none. */
  readonly fromName: string;
}

/**
 * An email as this client gives it. What its methods tell is fetched when it is first asked for. They reject with `MayflyGoneError`
 * when the email has expired by then, or was deleted, and else as `Inbox.emails` does.
 */
export interface ReceivedEmail extends EmailData {
  /** The HTML of the body, as its sender wrote it; null where there is none. */
  html(): Promise<string | null>;
  /** Every link that a reader can follow, in the order of the message. */
  links(): Promise<EmailLinks>;
  /** Every code that could be a one-time code, letters included, the best first. */
  codes(): Promise<readonly EmailCode[]>;
  /** What is attached. */
  attachments(): Promise<EmailAttachment[]>;
  /** The fields of the header, decoded. */
  headers(): Promise<readonly HeaderField[]>;
  /** How the code and the link were chosen. */
  explain(): Promise<Explanation>;
}

/** The data of an email of the wire. */
export function emailData(email: Email): EmailData {
  return { ...email, receivedAt: new Date(email.receivedAt), fromName: fromName(email.rawBody) };
}

/** An email of the wire, and what can be asked for of it. */
export function receivedEmail(email: Email, contents: Contents): ReceivedEmail {
  const data = emailData(email);
  // Methods that are no data: whoever prints an email, compares it or makes JSON of it sees what came.
  for (const name of ['html', 'links', 'codes', 'attachments', 'headers', 'explain'] as const) {
    Object.defineProperty(data, name, { value: () => contents[name]() });
  }
  return data as ReceivedEmail;
}
