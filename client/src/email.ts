import type { Email, EmailCode, EmailLink, Explanation, HeaderField } from './wire.js';

/** What is at hand of an email: that of the wire with its time as a Date, and the sender's name. */
export interface EmailData extends Omit<Email, 'receivedAt'> {
  /** When the message had arrived, by the server's clock. Strictly increases within an inbox. */
  readonly receivedAt: Date;
  /** Display name of the sender, decoded; `""` when there is none. */
  readonly fromName: string;
}

/** The links of an email, in the order of its message. */
export interface EmailLinks extends Array<EmailLink> {
  /**
   * The first link whose text or address matches: a part of it, whatever the case, or a pattern. Or as of any array.
   */
  find(wanted: string | RegExp): EmailLink | undefined;
  find(wanted: (link: EmailLink, index: number, links: EmailLink[]) => unknown): EmailLink | undefined;
  /** The link that the mail asks its reader to follow. */
  readonly action: EmailLink | undefined;
}

/** A file that is attached to an email. Its content is fetched when it is asked for. */
export interface EmailAttachment {
  /** Decoded and safe file name; without one, `part-` and where it stands in the message. */
  readonly name: string;
  /** Media type in lower case, such as `application/pdf`. */
  readonly type: string;
  /** Decoded size in bytes. */
  readonly size: number;
  /** Its content. */
  bytes(): Promise<Uint8Array>;
  /** The same as text, in the charset that its sender named. */
  text(): Promise<string>;
}

/**
 * An email as this client gives it. What its methods tell is fetched when it is first asked for. They reject with
 * `MayflyGoneError` when the email has expired by then, or was deleted, and else as `Inbox.emails` does.
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
