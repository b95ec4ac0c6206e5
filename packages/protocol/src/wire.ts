// `tools/wire-schemas.js` makes the schemas of the API document from the files `wire*`: types, comments and their tags.

/** One email of an inbox (interface section 2.1). Every field is always present. */
export interface Email {
  /** Message-ID header value, angle brackets included. Two emails may share one. */
  id: string;
  /** Sender's address without display name, from the From header, or else from the envelope; `""` if both lack it. */
  from: string;
  /** The address of the disposable inbox, in lower case. */
  to: string;
  /** Decoded subject line; `""` if missing. */
  subject: string;
  /** Readable text, at most the first 5,000 characters. */
  body: string;
  /** The whole message as received over SMTP. */
  rawBody: string;
  /**
   * When the whole message had arrived, in UTC with milliseconds. Strictly increases within an inbox; its cursor.
   * @format date-time
   */
  receivedAt: string;
  /** One-time code of 4 to 8 digits, or null. @pattern ^[0-9]{4,8}$ */
  otp: string | null;
  /** Verification or reset link, or null. */
  magicLink: string | null;
}

/** Answer of `GET /api/inbox/{name}` (interface section 2.2). */
export interface InboxResponse {
  /** Newest first. */
  emails: Email[];
  /** Number of emails in `emails`. @minimum 0 */
  count: number;
}

/**
 * A summary of one email: at most 1,000 bytes of JSON for any mail. Every field is always present. A field that is too
 * long is cut or left out, and named in `cut`; the Email has it in full.
 */
export interface EmailSummary extends Pick<Email, 'to' | 'receivedAt' | 'otp'> {
  /** As in the Email; null if `cut` names it. */
  id: string | null;
  /** As in the Email; null if `cut` names it. */
  from: string | null;
  /** Decoded display name of the From header; `""` if missing. Ends in `…` if `cut` names it. */
  fromName: string;
  /** As in the Email. Ends in `…` if `cut` names it. */
  subject: string;
  /** As in the Email. Null if it has none, or if `cut` names it. */
  magicLink: string | null;
  /** Size of the whole message in bytes, as received. @minimum 0 */
  size: number;
  /** Number of attachments. @minimum 0 */
  attachments: number;
  /** The beginning of `body`: its first 200 characters, or fewer if non-ASCII characters leave no room. */
  text: string;
  /** The names of the fields that are cut. Usually empty. */
  cut: SummaryCut[];
  /** The code to type: `otp`; without `otp` and `magicLink` the best code with letters, as in `codes` of its parts. */
  code: string | null;
  /** Whether it asks its reader to follow a link: its `magicLink`, or without any code one of other wording. */
  action: boolean;
}

/** A field that a summary may cut. */
export type SummaryCut = 'id' | 'from' | 'fromName' | 'subject' | 'magicLink';

/** Answer of `GET /api/inbox/{name}/summary`. */
export interface SummaryResponse {
  /** Newest first. */
  emails: EmailSummary[];
  /** Number of emails in `emails`. If it is less than `limit`, there are no more. @minimum 0 */
  count: number;
}

/** The summary of an email in a list of all inboxes. */
export interface ListedEmail extends EmailSummary {
  /** The inbox, as in `/api/inbox/{name}`. */
  inbox: string;
}

/** Answer of `GET /api/emails`. */
export interface AllEmailsResponse {
  /** Newest first. */
  emails: ListedEmail[];
  /** Number of emails in `emails`. @minimum 0 */
  count: number;
  /** The `cursor` of the next page, which may be empty; null if there is none. */
  next: string | null;
}

/** Body of every error (interface section 2.3). */
export interface ErrorResponse {
  /** A sentence that says what was wrong. */
  error: string;
}

/** Body of `POST /api/waitlist` (interface section 2.4). */
export interface WaitlistRequest {
  /** The address to add. @format email @maxLength 254 */
  email: string;
}

/** Answer of `POST /api/waitlist` (interface section 2.4). */
export interface WaitlistResponse {
  /** `true` when the address is on the waitlist. */
  success: boolean;
}

/** Answer of `POST /api/inbox/{name}/release`. */
export interface ReleaseResponse {
  /** Number of emails that the inbox shows now. @minimum 0 */
  released: number;
  /** Number of emails that it still holds back. @minimum 0 */
  held: number;
}

/** Answer of `GET /api/settings`: the public settings of the service. */
export interface ServiceSettings {
  /** Accepted mail domains; `*` stands for any. */
  domains: readonly string[];
  smtp: SmtpAddress;
  /** The same of the listener for TLS from the first byte; null for none. */
  smtps: SmtpAddress | null;
  /** How long an email is kept, in milliseconds. */
  retentionMs: number;
  /** Limit of inbox fetches for one client address; null for no limit. */
  fetchLimit: RateLimit | null;
  /** Limit of all other inbox requests for one client address, except streams; null for no limit. */
  lookLimit: RateLimit | null;
  /** Whether the page offers the waitlist for Workspaces. */
  waitlist: boolean;
  /** Whether the caller may list the mail of all inboxes without a key. */
  allMail: boolean;
  /**
   * The providers whose send API is served, each with the environment variables of an application that uses it.
   * `{origin}` stands for the address of the service, `{host}` for its host and port.
   */
  sendApis: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The server's time, for computing how long an email will still be kept. @format date-time */
  now: string;
}

/** Where SMTP listens. */
export interface SmtpAddress {
  /** The address of the listener. `0.0.0.0` or `::` stands for every address of the machine. */
  host: string;
  /** The port of the listener. */
  port: number;
}

/** At most `count` in any `windowMs`. */
export interface RateLimit {
  /** Number of requests that one window allows. */
  count: number;
  /** Length of the window in milliseconds. */
  windowMs: number;
}

/** Answer of `GET /api/inbox/{name}/{receivedAt}/explain`: how extraction reached its result. */
export interface Explanation {
  /** As in the Email. @pattern ^[0-9]{4,8}$ */
  otp: string | null;
  /** As in the Email. */
  magicLink: string | null;
  /** The points that a code needs. */
  otpThreshold: number;
  /** The numbers that were considered, best first; 20 at most. */
  otpCandidates: readonly ExplainedCandidate[];
  /** The codes with letters that were considered, best first; 20 at most. None of them is the `otp`. */
  letterCandidates: readonly ExplainedCandidate[];
  /** The points that a link needs. */
  magicLinkThreshold: number;
  /** The links that were considered, best first; 20 at most. */
  magicLinkCandidates: readonly ExplainedCandidate[];
}

/** One number, code with letters or link that extraction considered. */
export interface ExplainedCandidate {
  /** The number, the code or the link itself. */
  value: string;
  verdict: Verdict;
  /** Sum of the reasons' points; 0 if excluded. */
  score: number;
  /** The reasons for and against it; if excluded, the reason for that. */
  reasons: readonly ExplainedReason[];
  /**
   * For a number, its place: `subject`, `text` or `html`. For a link, its text; for a written-out address, its place.
   */
  where: string;
}

/** The verdict on a considered number or link. */
export type Verdict = 'chosen' | 'another has more points' | 'too few points' | 'excluded';

/** A reason for a number or a link, or, with negative points, against it. */
export interface ExplainedReason {
  /** The rule's name, which stays the same if its points or text change. */
  rule: string;
  /** What the reason adds to the score. */
  points: number;
  /** The reason in words. */
  text: string;
}

/**
 * Answer of `GET /api/inbox/{name}/{receivedAt}/parts`: the contents of a message beyond the nine fields of its email.
 * Every list is bounded; if the message has more, `incomplete` names the field.
 */
export interface EmailParts {
  envelope: Envelope;
  /** The request that sent it, for mail that an application sent through a provider's send API; null for SMTP. */
  sendApi: SendApiRequest | null;
  /** Mailboxes of the From header, with groups expanded; 500 at most. */
  from: readonly Mailbox[];
  /** Mailboxes of the To header; 500 at most. */
  to: readonly Mailbox[];
  /** Mailboxes of the Cc header; 500 at most. */
  cc: readonly Mailbox[];
  /** Mailboxes of the Reply-To header; 500 at most. */
  replyTo: readonly Mailbox[];
  /** Fields of the message's own header, in order, with repetitions; 1,000 at most, of its first 256 KiB. */
  headers: readonly HeaderField[];
  /**
   * The parts in the order of the message, each multipart before its own parts: those of `1` have the paths `1.1`,
   * `1.2` and so on, and follow it. 1,000 at most.
   */
  parts: readonly MimePart[];
  /** Decoded text of the body, up to 1 MiB of it, with LF line endings; null if missing. */
  text: string | null;
  /** Decoded HTML of the body, up to 1 MiB of it, unmodified and therefore unsafe to display; null if missing. */
  html: string | null;
  /**
   * Every link that a reader can follow, once, in the order of the message: first those of the HTML, then those of the
   * text; 500 at most.
   */
  links: readonly EmailLink[];
  /**
   * Every code that a reader could be asked for, best first; digits as in `otp`, codes with letters as written. 20 at
   * most.
   */
  codes: readonly EmailCode[];
  /** The fields of this answer that hold less than the message has, because they reached a bound. */
  incomplete: readonly BoundedField[];
}

/** A field of `EmailParts` that may hold less than the message has. */
export type BoundedField = 'from' | 'to' | 'cc' | 'replyTo' | 'headers' | 'parts' | 'text' | 'html' | 'links' | 'codes';

/** Sender and recipient by SMTP (RFC 5321), independent of the header. */
export interface Envelope {
  /** Address of MAIL FROM; `""` for the null sender. */
  from: string;
  /** The accepted recipient of this email, in lower case. */
  to: string;
}

/** A request to the send API of a provider, as far as it is kept: without keys, headers and the content of files. */
export interface SendApiRequest {
  /** `resend`, `sendgrid`, `postmark`, `ses` or `mailgun`. */
  provider: string;
  /** The message id that the application got. */
  id: string;
  /** Such as `POST /emails`. */
  request: string;
  /**
   * The body's fields, with long texts cut. Null, or without texts that hold an `@`, if the request names inboxes that
   * not every reader of this message may open.
   */
  body: unknown;
  /** What the service did otherwise than the provider would, a sentence each. */
  notes: readonly string[];
}

/** A mailbox in an address field (RFC 5322 section 3.4). */
export interface Mailbox {
  /** Decoded display name; `""` if missing. */
  name: string;
  /** Address without display name. */
  address: string;
}

/** One field of a header. */
export interface HeaderField {
  /** As written, such as `Reply-To`. */
  name: string;
  /** Unfolded, encoded words decoded (RFC 2047). */
  value: string;
  /** The text after the colon, unmodified, including line breaks. */
  raw: string;
}

/** One part of a message (RFC 2045, RFC 2046). */
export interface MimePart {
  /**
   * Its number as in IMAP (RFC 9051 section 6.4.5): `1.2` is the second part in the first one of the message. The part
   * of a single-part message is `1`; the outermost multipart has no number, its path is `""`.
   */
  path: string;
  /** Media type in lower case, such as `text/html`. */
  type: string;
  /** The declared charset, in lower case; null if missing. */
  charset: string | null;
  /** Content-Disposition in lower case, usually `inline` or `attachment`; null if missing. */
  disposition: string | null;
  /**
   * Decoded, safe file name (RFC 2231, RFC 2047): without folders, control and direction characters, at most 255 bytes
   * of UTF-8; null if missing.
   */
  filename: string | null;
  /** Content-ID without angle brackets, the target of `cid:` addresses in the HTML; null if missing. */
  contentId: string | null;
  /** Decoded size in bytes, as `…/parts/{path}` sends it; null for a multipart, which has no content of its own. */
  size: number | null;
  /** Whether it counts as an attachment, as in `attachments` of a summary. */
  attachment: boolean;
  /**
   * The links of an attached message (`message/rfc822`). They are not links of the message around it. Mayfly lists
   * links and codes of the first 10 attached messages, as far as they are within 1 MiB together.
   */
  links?: readonly EmailLink[];
  /** The codes of an attached message. */
  codes?: readonly EmailCode[];
}

/** One link of a message. */
export interface EmailLink {
  /**
   * An `http:`, `https:`, `mailto:` or `tel:` address, or one that opens an application such as
   * `com.acme.app://auth?token=…`, as written.
   */
  url: string;
  /** Its visible text, or else its title; the address itself if written out; `""` if it has neither. */
  text: string;
  /** Its first place. */
  place: EmailPlace;
  /**
   * Whether the mail asks its reader to follow this link: at most one has this. It is the `magicLink` if there is one.
   */
  action: boolean;
  /** Sum of the reasons' points; 0 if excluded. */
  score: number;
  /** The reasons for and against it; if excluded, the reason for that. */
  reasons: readonly ExplainedReason[];
}

/** One code of a message. */
export interface EmailCode {
  /** Such as `482913`, `A7K-2QX` or `vM8xw`. */
  value: string;
  /** The best place where it occurs. */
  place: EmailPlace;
  /** Sum of the reasons' points. */
  score: number;
  /** The reasons for and against it. */
  reasons: readonly ExplainedReason[];
}

/** A text of a message in which links and codes are found. */
export type EmailPlace = 'subject' | 'text' | 'html';

/** Answer of `GET /healthz` and `GET /livez`. */
export interface Health {
  /** Always `ok`. */
  status: 'ok';
}

/** Answer of `GET /readyz`. */
export interface Readiness {
  /** Always `ready`; a service that is not ready answers with an error. */
  status: 'ready';
}
