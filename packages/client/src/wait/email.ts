import type { Email, EmailCode, EmailLink, Explanation, HeaderField } from 'mayfly-protocol/wire';

/** The fields of an email, with `receivedAt` as a Date, plus the sender's name. */
export interface EmailData extends Omit<Email, 'receivedAt'> {
  /** When the message arrived, by the server's clock. Strictly increases within an inbox. */
  readonly receivedAt: Date;
  /** Decoded display name of the sender; `""` if missing. */
  readonly fromName: string;
}

export interface EmailLinks extends Array<EmailLink> {
  /** The first link whose text or address contains this text, ignoring case, or matches this pattern. */
  find(wanted: string | RegExp): EmailLink | undefined;
  find(wanted: (link: EmailLink, index: number, links: EmailLink[]) => unknown): EmailLink | undefined;
  /** The action link of the email. */
  readonly action: EmailLink | undefined;
}

/** A file attached to an email. Its content is fetched on demand. */
export interface EmailAttachment {
  /** Decoded, safe file name. Without a name, `part-` and the number of the part. */
  readonly name: string;
  readonly type: string;
  /** Decoded size in bytes. */
  readonly size: number;
  bytes(): Promise<Uint8Array>;
  /** The content as text, decoded from the charset that the sender declared. */
  text(): Promise<string>;
}

/**
 * An email. Its methods fetch their results on first use. They reject with `MayflyGoneError` if the email has expired
 * or was deleted before that, and otherwise as `Inbox.emails` does.
 */
export interface ReceivedEmail extends EmailData {
  /** The HTML of the body, unmodified; null if the email has none. */
  html(): Promise<string | null>;
  /** Every link that a reader can follow, in the order of the message. */
  links(): Promise<EmailLinks>;
  /** Every code that could be a one-time code, including codes with letters, best first. */
  codes(): Promise<readonly EmailCode[]>;
  attachments(): Promise<EmailAttachment[]>;
  headers(): Promise<readonly HeaderField[]>;
  explain(): Promise<Explanation>;
}
