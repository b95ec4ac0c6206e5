/**
 * The shapes that travel between Mayfly and its clients (interface section 2). They are declared here and nowhere else.
 */

/** One email of an inbox (interface section 2.1). Every field is always present. */
export interface Email {
  /** Message-ID header value, angle brackets included. Two emails may share one. */
  id: string;
  /**
   * Sender's address alone, without a display name; from the From header, or else the envelope; `""` when neither has
   * one.
   */
  from: string;
  /** The address of the disposable inbox, in lower case. */
  to: string;
  /** Decoded subject line; `""` when there is none. */
  subject: string;
  /** Readable text, at most its first 5,000 characters. */
  body: string;
  /** The whole message as it came over SMTP. */
  rawBody: string;
  /** When the message had arrived: ISO 8601, UTC, milliseconds. Orders an inbox and is its cursor. */
  receivedAt: string;
  /** One-time code of 4 to 8 digits, or null. */
  otp: string | null;
  /** Verification or reset link, or null. */
  magicLink: string | null;
}

/** Answer of `GET /api/inbox/{name}` (interface section 2.2). */
export interface InboxResponse {
  /** Newest first. */
  emails: Email[];
  /** How many emails `emails` holds. */
  count: number;
}

/**
 * What a list shows of one email: at most 1,000 bytes of JSON, whatever the mail. Every field is always present. What
 * is too long for that is cut or left out here, and named in `cut`; the Email has it whole.
 */
export interface EmailSummary extends Pick<Email, 'receivedAt' | 'to' | 'otp'> {
  /** As in the Email; null where it is named in `cut`. */
  id: string | null;
  /** As in the Email; null where it is named in `cut`. */
  from: string | null;
  /** Display name of the From header, decoded; `""` when there is none. Ends in `…` where it is named in `cut`. */
  fromName: string;
  /** As in the Email. Ends in `…` where it is named in `cut`. */
  subject: string;
  /** As in the Email. Null where it has none, and where it is named in `cut`. */
  magicLink: string | null;
  /** How many bytes the whole message has, as it came. */
  size: number;
  /** How many attachments it has. */
  attachments: number;
  /**
   * The beginning of `body`: its first 200 characters, or fewer where others than those of ASCII leave no room for
   * them.
   */
  text: string;
  /** The names of the fields that are not whole here. Mostly empty. */
  cut: SummaryCut[];
}

/** A field of a summary that may be too long for it. */
export type SummaryCut = 'id' | 'from' | 'fromName' | 'subject' | 'magicLink';

/** Answer of `GET /api/inbox/{name}/summary`. */
export interface SummaryResponse {
  /** Newest first. */
  emails: EmailSummary[];
  /** How many emails `emails` holds. */
  count: number;
}

/** Body of every error (interface section 2.3). */
export interface ErrorResponse {
  error: string;
}

/** Body of `POST /api/waitlist` (interface section 2.4). */
export interface WaitlistRequest {
  email: string;
}

/** Answer of `POST /api/waitlist` (interface section 2.4). */
export interface WaitlistResponse {
  success: boolean;
}

/** Answer of `GET /api/settings`: what anybody may know of how the service is set up. */
export interface ServiceSettings {
  /** Domains that mail is accepted for; `*` stands for any. */
  domains: readonly string[];
  /** Where SMTP listens. The host `0.0.0.0` or `::` stands for every address of the machine. */
  smtp: SmtpAddress;
  /** How long an email is kept, in milliseconds. */
  retentionMs: number;
  /** Inbox fetches of one client address; null for no limit. */
  fetchLimit: RateLimit | null;
  /** All other requests of one client address to inboxes, except streams; null for no limit. */
  lookLimit: RateLimit | null;
  /** Whether the page offers the waitlist for Workspaces. */
  waitlist: boolean;
  /** The server's time, ISO 8601: it tells how long an email is still kept. */
  now: string;
}

/** Where SMTP listens. */
export interface SmtpAddress {
  host: string;
  port: number;
}

/** At most `count` in any `windowMs`. */
export interface RateLimit {
  count: number;
  windowMs: number;
}

/** Answer of `GET /api/inbox/{name}/{receivedAt}/explain`: how extraction came to its result. */
export interface Explanation {
  otp: string | null;
  magicLink: string | null;
  /** The points that a code needs. */
  otpThreshold: number;
  /** Numbers that were considered, the best first. */
  otpCandidates: readonly ExplainedCandidate[];
  /** Letters, with or without digits, that were considered as a code, the best first. None of them is the `otp`. */
  letterCandidates: readonly ExplainedCandidate[];
  /** The points that a link needs. */
  magicLinkThreshold: number;
  /** Links that were considered, the best first. */
  magicLinkCandidates: readonly ExplainedCandidate[];
}

/** One number, code with letters or link that extraction considered. */
export interface ExplainedCandidate {
  value: string;
  verdict: Verdict;
  /** Sum of the reasons' points; 0 when it is excluded. */
  score: number;
  /** What spoke for it and against it; of an excluded one, why it is. */
  reasons: readonly ExplainedReason[];
  /**
   * Of a number, where it stands: `subject`, `text` or `html`. Of a link, its text; of an address that is written out,
   * where it stands.
   */
  where: string;
}

/** What became of a number or a link that extraction considered. */
export type Verdict = 'chosen' | 'another has more points' | 'too few points' | 'excluded';

/** What speaks for a number or a link, or with points below zero against it. */
export interface ExplainedReason {
  /** The rule's name, which stays the same when its points or its text change. */
  rule: string;
  points: number;
  text: string;
}

/**
 * Answer of `GET /api/inbox/{name}/{receivedAt}/parts`: what a message holds beyond the nine fields of its email. Every
 * list is bounded; where the message has more, the name of the field is in `incomplete`.
 */
export interface EmailParts {
  envelope: Envelope;
  /** Mailboxes of the From header; groups are taken apart. Likewise the next three. */
  from: readonly Mailbox[];
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  replyTo: readonly Mailbox[];
  /** Fields of the message's own header, in its order; repeated ones as often as they are there. */
  headers: readonly HeaderField[];
  /**
   * The parts in the order of the message, a multipart before what it holds. So the parts of `1` have the paths `1.1`,
   * `1.2` and so on, and stand behind it.
   */
  parts: readonly MimePart[];
  /** Decoded text of the body, lines ending in LF; null where it has none. Longer than an email's `body` may be. */
  text: string | null;
  /** Decoded HTML of the body as its sender wrote it: not safe to show; null where it has none. */
  html: string | null;
  /**
   * Every link that a reader can follow, once, in the order of the message: first those of the HTML, then those of the
   * text.
   */
  links: readonly EmailLink[];
  /**
   * Every code that extraction would defend, letters included, the best first; digits as in `otp`, letters as they are
   * written.
   */
  codes: readonly EmailCode[];
  /** The fields of this answer that hold less than the message has, since a bound was reached. */
  incomplete: readonly BoundedField[];
}

/** A field of `EmailParts` that may hold less than the message has. */
export type BoundedField = 'from' | 'to' | 'cc' | 'replyTo' | 'headers' | 'parts' | 'text' | 'html' | 'links' | 'codes';

/** Who sent a message to whom by SMTP (RFC 5321), whatever its header says. */
export interface Envelope {
  /** Address of MAIL FROM; `""` for the null sender. */
  from: string;
  /** The accepted recipient that this email was stored for, in lower case. */
  to: string;
}

/** Somebody in an address field (RFC 5322 section 3.4). */
export interface Mailbox {
  /** Decoded display name; `""` without one. */
  name: string;
  address: string;
}

/** One field of a header. */
export interface HeaderField {
  /** As it is written, such as `Reply-To`. */
  name: string;
  /** Unfolded, encoded words decoded (RFC 2047). */
  value: string;
  /** As it stands in the message behind the colon, line breaks included. */
  raw: string;
}

/** One part of a message (RFC 2045, RFC 2046). */
export interface MimePart {
  /**
   * Its number as in IMAP (RFC 9051 section 6.4.5): `1.2` is the second part in the first one of the message. A message
   * of one part has that as `1`; the outermost multipart has no number, its path is `""`.
   */
  path: string;
  /** Media type in lower case, such as `text/html`. */
  type: string;
  /** The charset that its sender named, in lower case; null without one. */
  charset: string | null;
  /** Content-Disposition in lower case, mostly `inline` or `attachment`; null without one. */
  disposition: string | null;
  /**
   * Decoded file name (RFC 2231, RFC 2047), made safe to be one: without folders, control and direction characters, at
   * most 255 bytes of UTF-8; null without one.
   */
  filename: string | null;
  /** Content-ID without its angle brackets: what `cid:` addresses of the HTML name; null without one. */
  contentId: string | null;
  /** Decoded size in bytes: what `…/parts/{path}` sends; null of a multipart, which has no content of its own. */
  size: number | null;
  /** Whether it counts as an attachment, as in the number of a summary. */
  attachment: boolean;
}

/** One link of a message. */
export interface EmailLink {
  /** As it is written: an `http:`, `https:`, `mailto:` or `tel:` address. */
  url: string;
  /**
   * What its reader sees of it, or else its title; the address where that is written out; `""` where it has neither.
   */
  text: string;
  /** Where it stands first. */
  place: EmailPlace;
  /**
   * The link that the mail asks its reader to follow: of all links at most one. It is the `magicLink` where there is
   * one.
   */
  action: boolean;
  /** Sum of the reasons' points; 0 for what is excluded. */
  score: number;
  reasons: readonly ExplainedReason[];
}

/** One code of a message. */
export interface EmailCode {
  /** Such as `482913`, `A7K-2QX` or `vM8xw`. */
  value: string;
  /** Where it stands, at its best place. */
  place: EmailPlace;
  /** Sum of the reasons' points. */
  score: number;
  reasons: readonly ExplainedReason[];
}

/** A text of a message that is read for links and codes. */
export type EmailPlace = 'subject' | 'text' | 'html';

/** Answer of `GET /healthz` and `GET /livez`. */
export interface Health {
  status: 'ok';
}

/** Answer of `GET /readyz`. */
export interface Readiness {
  status: 'ready';
}
