/**
 * A delivery attempt: one message to one recipient, or a session that named no recipient. An attempt contains no
 * credentials and no message content. Mayfly keeps attempts in memory for 30 minutes.
 */
export interface Attempt {
  /** When the MAIL command or send API's request began; without either, when the connection did. @format date-time */
  at: string;
  /** `smtp`, a provider API such as `resend`, or `catcher` for `POST /api/v1/send` of the compatibility API. */
  way: string;
  /**
   * The client's IPv4 address or IPv6 /64. Null if other machines can reach the service, unless the client is the
   * caller itself or `--compat-api-callers` includes the caller.
   */
  client: string | null;
  /** The result of STARTTLS; `failed` if no command followed the handshake. */
  tls: AttemptTls;
  /** The result of AUTH. */
  auth: AttemptAuth;
  /** The last SMTP command, such as `RCPT`; `unknown` if it is not a command of SMTP, null if the client sent none. */
  lastCommand: string | null;
  /** Envelope sender; `""` for the null sender, null if the client named none. */
  from: string | null;
  /** The recipient as the client wrote it; null if the client named none. */
  to: string | null;
  /**
   * `kept` (stored), the name of an SMTP error such as `foreign-domain`, or where the client stopped: `no-command`,
   * `no-mail` (after EHLO), `no-data` (before the content), `mail-lost` (in the content), `tls-ended` (in or right
   * after the TLS handshake). Or `open` (still in progress), `http-port` (the client spoke SMTP to the HTTP port), or
   * `tested` (only EHLO and QUIT, from a client that also delivers mail).
   */
  outcome: string;
  /** The reply that rejected the message; null if Mayfly did not reject it. */
  error: AttemptError | null;
  /** The `receivedAt` of the stored email; null if Mayfly stored none. */
  receivedAt: string | null;
  /** `lost` if the client did not get the 250 for a stored email; a correct client then sends it again. Else null. */
  reply: 'lost' | null;
  stages: AttemptStages;
  /** For each way to read mail, the first delivery to a reader, oldest first. */
  handed: readonly AttemptHanded[];
}

/** How a reader gets mail: `page` is the inbox page, `fetch` a request, `mcp` an agent, `drop-in` a compatibility API. */
export type WayOut = 'stream' | 'page' | 'fetch' | 'mcp' | 'drop-in';

/** The first delivery of an email to any reader that uses this `way`. */
export interface AttemptHanded {
  way: WayOut;
  /** The reader's IP address; null in the same cases as `client` of an `Attempt`. */
  client: string | null;
  /** Milliseconds since `at`. */
  ms: number;
}

/** A client that waits for mail in an inbox. */
export interface InboxWait {
  /** When the wait began; for a wait that uses several streams, when the latest stream began. @format date-time */
  since: string;
  way: WayOut;
  /** The client's IP address; null in the same cases as `client` of an `Attempt`. */
  client: string | null;
  filter: InboxWaitFilter;
}

/** The filters of a wait, with texts cut to 200 characters. Omits filters that the client applies, such as patterns. */
export interface InboxWaitFilter {
  /** Only emails with a later `receivedAt`. @format date-time */
  after?: string;
  /** Only emails whose sender contains this text, ignoring case. */
  from?: string;
  /** Only emails whose subject contains this text, ignoring case. */
  subject?: string;
  /** Only emails whose body contains this text, ignoring case. */
  body?: string;
  /** Only emails with (`true`) or without (`false`) a one-time code. */
  hasOtp?: boolean;
  /** Only emails with (`true`) or without (`false`) a magic link. */
  hasMagicLink?: boolean;
}

export type AttemptTls = 'no' | 'asked' | 'failed' | 'yes';

export type AttemptAuth = 'no' | 'accepted' | 'refused';

/** The reply that a sender got. */
export interface AttemptError {
  /** SMTP reply code, or HTTP status of a send API. */
  code: number;
  /** Enhanced status code, such as `5.7.1`; null for a send API. */
  enhanced: string | null;
  /** Text of the reply. */
  text: string;
}

/** When an attempt reached each stage, in milliseconds since `at`; null if it did not. */
export interface AttemptStages {
  /** Time from the start of the connection until `at`, not since `at`; null for a send API, or without MAIL. */
  connect: number | null;
  /** The last RCPT command. */
  rcpt: number | null;
  /** The DATA command. */
  data: number | null;
  /** The end of the content. */
  content: number | null;
  /** The email was stored. */
  kept: number | null;
  /** The email was first delivered to a reader. */
  handedOut: number | null;
}

/** Where and how Mayfly accepts mail over SMTP. */
export interface SmtpOffer {
  /** The port of the listener. */
  port: number;
  /** Accepted mail domains; `*` means any. */
  domains: readonly string[];
  /** Whether STARTTLS is offered. */
  startTls: boolean;
  /** Whether clients at any IP address may use AUTH without TLS. */
  authWithoutTls: boolean;
}

/** The delivery attempts for an inbox. */
export interface InboxAttempts {
  /** The node that answered. Each node lists only its own attempts. */
  node: string;
  /** The server's time. @format date-time */
  now: string;
  smtp: SmtpOffer;
  /** The newest attempts, newest first, at most 100. */
  attempts: readonly Attempt[];
  /** The active waits for this inbox at this node, oldest first, at most 20. */
  waits: readonly InboxWait[];
  /**
   * The newest email to the same name in each other domain, newest first, at most 5. Empty unless the service accepts
   * any domain, the caller is on the service's machine, and the inbox is in the service's first domain.
   */
  elsewhere: readonly KeptElsewhere[];
  /** Whether the caller's ad-hoc workspace has never had mail, as far as this node remembers. */
  newSpace: boolean;
  /**
   * Number of attempts for this inbox from the caller's IP address that `attempts` omits, because either the sender or
   * the caller, but not both, uses an ad-hoc workspace.
   */
  acrossSpaces: number;
}

/** Mail to the same name in another domain. */
export interface KeptElsewhere {
  /** Address of the inbox in the other domain. */
  to: string;
  /** When the attempt began. @format date-time */
  at: string;
}

/** The delivery attempts that named no inbox or, with `inboxes=all`, each attempt that the caller may list. */
export interface SessionAttempts {
  /** The node that answered. Each node lists only its own attempts. */
  node: string;
  /** The server's time. @format date-time */
  now: string;
  smtp: SmtpOffer;
  /** The newest attempts, newest first, at most 100; null for callers who get only counts. */
  attempts: readonly Attempt[] | null;
  /**
   * Number of attempts by outcome, for all inboxes together. For callers who get only counts, this includes only
   * attempts from their IP address. `in-spaces` counts attempts in ad-hoc workspaces. Callers in such a workspace get
   * two counts for their IP address instead: `outside-spaces` (no workspace) and `refused-sign-ins` (AUTH failed).
   */
  counts: Readonly<Record<string, number>>;
}
