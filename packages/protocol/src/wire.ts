// `tools/operations.js` generates the schemas of the OpenAPI document from the types, comments and tags in `wire*`.

/** An email. Every field is always present (interface section 2.1). */
export interface Email {
  /** Message-ID with angle brackets. Two emails may have the same Message-ID. */
  id: string;
  /** Sender's address from the From header, or else from the envelope; `""` if neither has one. */
  from: string;
  /** Address of the inbox, in lower case; for a text message, its phone number. */
  to: string;
  /** `sms` for a text message; missing for an email. */
  source?: 'sms';
  /** Decoded subject; `""` if missing. */
  subject: string;
  /** The first 5,000 characters of the readable text. */
  body: string;
  /** The whole message as received. */
  rawBody: string;
  /** When the whole message had arrived, in UTC. Unique and increasing within an inbox. @format date-time */
  receivedAt: string;
  /** One-time code of 4 to 8 digits, or null. @pattern ^[0-9]{4,8}$ */
  otp: string | null;
  /** Verification or reset link, or null. */
  magicLink: string | null;
}

/** The emails of an inbox (interface section 2.2). */
export interface InboxResponse {
  /** Newest first. */
  emails: Email[];
  /** Number of emails in `emails`. @minimum 0 */
  count: number;
}

/** A summary of an email, at most 1,000 bytes of JSON. A field that is too long is cut or null, and listed in `cut`. */
export interface EmailSummary extends Pick<Email, 'to' | 'source' | 'receivedAt' | 'otp'> {
  /** Message-ID of the email; null if cut. */
  id: string | null;
  /** Sender's address; null if cut. */
  from: string | null;
  /** Sender's decoded display name; `""` if missing. Ends in `…` if cut. */
  fromName: string;
  /** Decoded subject. Ends in `…` if cut. */
  subject: string;
  /** Verification or reset link; null if missing or cut. */
  magicLink: string | null;
  /** Size of the message in bytes, as received. @minimum 0 */
  size: number;
  /** Number of attachments. @minimum 0 */
  attachments: number;
  /** The first 200 characters of `body`; fewer if the summary would exceed 1,000 bytes. */
  text: string;
  /** Names of the cut fields. Usually empty. */
  cut: SummaryCut[];
  /** The code to type: `otp` or, if `otp` and `magicLink` are null, the best code with letters; null if none exists. */
  code: string | null;
  /** Whether the email has an action link: its `magicLink` or, in a message without code, another link. */
  action: boolean;
}

/** A field that a summary may cut. */
export type SummaryCut = 'id' | 'from' | 'fromName' | 'subject' | 'magicLink';

/** A page of an inbox. */
export interface SummaryResponse {
  /** Newest first. */
  emails: EmailSummary[];
  /** Number of emails in `emails`. Fewer than `limit` means the last page. @minimum 0 */
  count: number;
}

/** The body of every error (interface section 2.3). */
export interface ErrorResponse {
  /** The error in a sentence. */
  error: string;
}

/** An address for the waitlist (interface section 2.4). */
export interface WaitlistRequest {
  /** The address to add. @format email @maxLength 254 */
  email: string;
}

/** Confirms that the address is on the waitlist (interface section 2.4). */
export interface WaitlistResponse {
  /** Always `true`. */
  success: boolean;
}

/** The result of releasing held emails. */
export interface ReleaseResponse {
  /** Number of emails released. @minimum 0 */
  released: number;
  /** Number of emails still held. @minimum 0 */
  held: number;
}

/** An imported message. */
export interface ImportResponse {
  /** The `receivedAt` of the email. @format date-time */
  receivedAt: string;
}

/** The public settings of the service. */
export interface ServiceSettings {
  /** Accepted mail domains; `*` means any. */
  domains: readonly string[];
  smtp: SmtpAddress;
  /** The listener for implicit TLS; null without one. */
  smtps: SmtpAddress | null;
  /** Retention of emails in milliseconds. */
  retentionMs: number;
  /** Maximum inbox fetches per client IP address; null for no limit. */
  fetchLimit: RateLimit | null;
  /** Maximum inbox reads per client IP address; null for no limit. */
  readLimit: RateLimit | null;
  /** Deprecated: use `readLimit`. */
  lookLimit: RateLimit | null;
  /** Whether the inbox page offers the waitlist. */
  waitlist: boolean;
  /** Whether the caller may list all mail without a key. */
  allMail: boolean;
  /**
   * The provider APIs of the service, each with the environment variables that point an application at the API.
   * `{origin}` is the URL of the service, `{host}` its host and port.
   */
  sendApis: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The server's time. @format date-time */
  now: string;
}

/** Address of an SMTP listener. */
export interface SmtpAddress {
  /** IP address of the listener; `0.0.0.0` or `::` means every address of the machine. */
  host: string;
  /** Port of the listener. */
  port: number;
}

/** A limit: at most `count` requests in any `windowMs`. */
export interface RateLimit {
  /** Number of requests. */
  count: number;
  /** Period in milliseconds. */
  windowMs: number;
}

/** Why extraction chose the code and the link. */
export interface Explanation {
  /** The email's `otp`. @pattern ^[0-9]{4,8}$ */
  otp: string | null;
  /** The email's `magicLink`. */
  magicLink: string | null;
  /** Minimum score of a number that becomes the `otp`. */
  otpThreshold: number;
  /** Numbers that extraction considered, best first, at most 20. */
  otpCandidates: readonly ExplainedCandidate[];
  /** Codes with letters that extraction considered, best first, at most 20. Such a code never becomes the `otp`. */
  letterCandidates: readonly ExplainedCandidate[];
  /** Minimum score of a link that becomes the `magicLink`. */
  magicLinkThreshold: number;
  /** Links that extraction considered, best first, at most 20. */
  magicLinkCandidates: readonly ExplainedCandidate[];
}

/** A number, code or link that extraction considered. */
export interface ExplainedCandidate {
  /** The number, code or link. */
  value: string;
  verdict: Verdict;
  /** Sum of the points; 0 if excluded. */
  score: number;
  /** Reasons for and against the candidate, or the reason for its exclusion. */
  reasons: readonly ExplainedReason[];
  /** Where a number or plain-text URL is (`subject`, `text` or `html`); for any other link, its visible text. */
  where: string;
}

/** What extraction decided about a candidate. */
export type Verdict = 'chosen' | 'another has more points' | 'too few points' | 'excluded';

/** A reason that adds points to a candidate's score, or subtracts them. */
export interface ExplainedReason {
  /** Stable name of the rule. */
  rule: string;
  /** Contribution to the score. */
  points: number;
  /** Explanation of the rule. */
  text: string;
}

/** The parsed contents of a message. If a field reached its limit, `incomplete` lists it. */
export interface EmailParts {
  envelope: Envelope;
  /** The request to a provider API that sent the message; null for SMTP. */
  sendApi: SendApiRequest | null;
  /** Mailboxes of From with groups expanded, at most 500. */
  from: readonly Mailbox[];
  /** Mailboxes of To, at most 500. */
  to: readonly Mailbox[];
  /** Mailboxes of Cc, at most 500. */
  cc: readonly Mailbox[];
  /** Mailboxes of Reply-To, at most 500. */
  replyTo: readonly Mailbox[];
  /** Header fields in order, at most 1,000, from the first 256 KiB. */
  headers: readonly HeaderField[];
  /** MIME parts in order, each multipart before its parts, at most 1,000. */
  parts: readonly MimePart[];
  /** Decoded text body with LF line endings, up to 1 MiB; null if missing. */
  text: string | null;
  /** Decoded HTML body, up to 1 MiB, unmodified and so unsafe to display; null if missing. */
  html: string | null;
  /** Links without duplicates, first from the HTML, then from the text, at most 500. */
  links: readonly EmailLink[];
  /** Codes, best first, at most 20. Numbers are written as in `otp`, codes with letters as in the message. */
  codes: readonly EmailCode[];
  /** Fields that reached their limit. */
  incomplete: readonly BoundedField[];
}

/** A field of `EmailParts` that may hold less than the message has. */
export type BoundedField = 'from' | 'to' | 'cc' | 'replyTo' | 'headers' | 'parts' | 'text' | 'html' | 'links' | 'codes';

/** SMTP sender and recipient (RFC 5321), which may differ from those in the header. */
export interface Envelope {
  /** MAIL FROM; `""` for the null sender. */
  from: string;
  /** RCPT TO of this email, in lower case. */
  to: string;
}

/** A request to a provider API, without keys, headers and file contents. */
export interface SendApiRequest {
  /** `resend`, `sendgrid`, `postmark`, `ses`, `mailgun`, or `import`; for a text message, such as `twilio`. */
  provider: string;
  /** Message ID returned to the application. */
  id: string;
  /** Method and path, such as `POST /emails`. */
  request: string;
  /**
   * The body of the request, with long texts cut. If the body names inboxes that not every reader may open, this field
   * is null or omits every text that contains an `@`.
   */
  body: unknown;
  /** How Mayfly's behavior differs from the provider's, in sentences. */
  notes: readonly string[];
}

/** A mailbox (RFC 5322 section 3.4). */
export interface Mailbox {
  /** Decoded display name; `""` if missing. */
  name: string;
  /** Address without display name. */
  address: string;
}

/** A header field. */
export interface HeaderField {
  /** Name as written, such as `Reply-To`. */
  name: string;
  /** Value, unfolded and decoded (RFC 2047). */
  value: string;
  /** Unmodified text after the colon, with line breaks. */
  raw: string;
}

/** A MIME part (RFC 2045, RFC 2046). */
export interface MimePart {
  /**
   * Section number as in IMAP (RFC 9051 section 6.4.5): `1.2` is the second part of part 1. A single part is `1`, the
   * outermost multipart `""`.
   */
  path: string;
  /** Media type in lower case, such as `text/html`. */
  type: string;
  /** Declared charset in lower case; null if missing. */
  charset: string | null;
  /** Content-Disposition in lower case, usually `inline` or `attachment`; null if missing. */
  disposition: string | null;
  /**
   * Decoded file name (RFC 2231, RFC 2047), at most 255 bytes, without folders and without control or bidirectional
   * characters; null if missing.
   */
  filename: string | null;
  /** Content-ID without angle brackets, for `cid:` URLs; null if missing. */
  contentId: string | null;
  /** Decoded size in bytes; null for a multipart. */
  size: number | null;
  /** Whether a summary's `attachments` counts this part. */
  attachment: boolean;
  /** Links of an attached message (`message/rfc822`). Only for the first 10 such messages, at most 1 MiB in total. */
  links?: readonly EmailLink[];
  /** Codes of an attached message. The limits of `links` apply. */
  codes?: readonly EmailCode[];
}

/** A link. */
export interface EmailLink {
  /** An `http:`, `https:`, `mailto:`, `tel:` or application URL such as `com.acme.app://auth?token=…`, as written. */
  url: string;
  /** Visible text or, without one, the title; `""` without either. If the link is a URL in plain text, that URL. */
  text: string;
  /** Where the link first occurs. */
  place: EmailPlace;
  /** Whether this is the action link: the `magicLink` or, in a message without code, another link. One at most. */
  action: boolean;
  /** Sum of the points; 0 if excluded. */
  score: number;
  /** Reasons for and against the link, or the reason for its exclusion. */
  reasons: readonly ExplainedReason[];
}

/** A code. */
export interface EmailCode {
  /** The code, such as `482913`, `A7K-2QX` or `vM8xw`. */
  value: string;
  /** Where the code occurs. If there are several places, the one where its score is highest. */
  place: EmailPlace;
  /** Sum of the points. */
  score: number;
  /** Reasons for and against the code. */
  reasons: readonly ExplainedReason[];
}

/** Where a link or code occurs. */
export type EmailPlace = 'subject' | 'text' | 'html';

/** The response of a service whose process is alive. */
export interface Health {
  /** Always `ok`. */
  status: 'ok';
}

/** The response of a service that is ready for requests and mail. */
export interface Readiness {
  /** Always `ready`. */
  status: 'ready';
}
