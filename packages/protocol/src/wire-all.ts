import type { EmailSummary } from './wire.js';

/** A summary with its inbox. */
export interface ListedEmail extends EmailSummary {
  /** Name or address of the inbox, to use as `{name}` in paths. */
  inbox: string;
}

/** A page of all mail. */
export interface AllEmailsResponse {
  /** Newest first. */
  emails: ListedEmail[];
  /** Number of emails in `emails`. @minimum 0 */
  count: number;
  /** The `cursor` of the next page; null on the last one. The next page may be empty. */
  next: string | null;
}

/** A page of all mail, without its emails. */
export interface OutlinePage {
  /** The `cursor` of a list that begins with the page; null for the first page. */
  cursor: string | null;
  /** Number of emails on the page, usually 500. @minimum 1 */
  count: number;
  /** The `receivedAt` of the last email on the page. @format date-time */
  oldest: string;
}

/** The sizes of consecutive pages of all mail. */
export interface OutlineResponse {
  /** Newest first. */
  pages: OutlinePage[];
  /** The `cursor` of further pages; null after the last one. */
  next: string | null;
}
