/** The shapes that travel between Mayfly and its clients (spec.md section 2). They are declared here and nowhere else. */

/** One email of an inbox (spec.md section 2.1). Every field is always present. */
export interface Email {
  /** Message-ID header value, angle brackets included. Two emails may share one. */
  id: string;
  /** Sender's address alone, without a display name; `""` when the sender is the null sender. */
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

/** Answer of `GET /api/inbox/{name}` (spec.md section 2.2). */
export interface InboxResponse {
  /** Newest first. */
  emails: Email[];
  /** How many emails `emails` holds. */
  count: number;
}

/** Body of every error (spec.md section 2.3). */
export interface ErrorResponse {
  error: string;
}

/** Body of `POST /api/waitlist` (spec.md section 2.4). */
export interface WaitlistRequest {
  email: string;
}

/** Answer of `POST /api/waitlist` (spec.md section 2.4). */
export interface WaitlistResponse {
  success: boolean;
}
