/** The shapes that travel between Mayfly and its clients (interface section 2). They are declared here and nowhere else. */

/** One email of an inbox (interface section 2.1). Every field is always present. */
export interface Email {
  /** Message-ID header value, angle brackets included. Two emails may share one. */
  id: string;
  /** Sender's address alone, without a display name; from the From header, or else the envelope; `""` when neither has one. */
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
 * What a list shows of one email: at most 1,000 bytes of JSON, whatever the mail. Every field is always present. What is too long for
 * that is cut or left out here, and named in `cut`; the Email has it whole.
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
  /** The beginning of `body`: its first 200 characters, or fewer where others than those of ASCII leave no room for them. */
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
  /** The points that a link needs. */
  magicLinkThreshold: number;
  /** Links that were considered, the best first. */
  magicLinkCandidates: readonly ExplainedCandidate[];
}

/** One number or link that extraction considered. */
export interface ExplainedCandidate {
  value: string;
  verdict: Verdict;
  /** Sum of the reasons' points; 0 when it is excluded. */
  score: number;
  /** What spoke for it and against it; of an excluded one, why it is. */
  reasons: readonly ExplainedReason[];
  /** The part of the message in which it stands, or the link's text. */
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

/** Answer of `GET /healthz`. */
export interface Health {
  status: 'ok';
}

/** Answer of `GET /readyz`. */
export interface Readiness {
  status: 'ready';
}
