/**
 * A delivery attempt: one message to one recipient, or a session that named no recipient. It contains no credentials
 * and no message content. Mayfly keeps attempts in memory for 30 minutes.
 */
export interface Attempt {
  /** When the attempt began: at the MAIL command, the request or, for a session, the connection. @format date-time */
  at: string;
  /** `smtp`, a provider such as `resend`, or `catcher` for the compatibility API's `POST /api/v1/send`. */
  way: string;
  /**
   * The client's IPv4 address or IPv6 /64. If other machines can reach the service, other clients' addresses are null
   * unless you call from `--compat-api-callers`.
   */
  client: string | null;
  /** The result of STARTTLS; `failed` if no command followed the handshake. */
  tls: AttemptTls;
  /** The result of AUTH. */
  auth: AttemptAuth;
  /** The last SMTP command, such as `RCPT`; `unknown` for any other text, null without one. */
  lastCommand: string | null;
  /** Envelope sender; `""` for the null sender, null if none was named. */
  from: string | null;
  /** The recipient as the sender wrote it; null if none was named. */
  to: string | null;
  /**
   * `kept`, the name of an SMTP error such as `foreign-domain`, or where the client stopped: `no-command`, `no-mail`
   * (after EHLO), `no-data` (before the content), `mail-lost` (during it), `tls-ended` (in or right after the TLS
   * handshake). Also `open` (not over), `http-port` (SMTP to the HTTP port, or a wait for its greeting) and `tested`
   * (only EHLO and QUIT, from a client that also delivers mail).
   */
  outcome: string;
  /** The reply that refused the message; null if none did. */
  error: AttemptError | null;
  /** The `receivedAt` of the stored email; null if none was stored. */
  receivedAt: string | null;
  /** `lost` if the email was stored but its 250 did not arrive, so a correct client sends it again. Otherwise null. */
  reply: 'lost' | null;
  stages: AttemptStages;
  /** The first delivery to a reader in each way, oldest first. */
  handed: readonly AttemptHanded[];
}

/** How a reader gets mail: `page` is the inbox page, `fetch` a request, `mcp` an agent, `drop-in` a compatibility API. */
export type WayOut = 'stream' | 'page' | 'fetch' | 'mcp' | 'drop-in';

/** The first delivery of an email in one way. */
export interface AttemptHanded {
  way: WayOut;
  /** The reader's address, with the same rules as `client` of an `Attempt`. */
  client: string | null;
  /** Milliseconds since `at`. */
  ms: number;
}

/** A client that waits for mail in an inbox. */
export interface InboxWait {
  /** When the wait, or the latest stream of a longer wait, began. @format date-time */
  since: string;
  way: WayOut;
  /** The client's address, with the same rules as `client` of an `Attempt`. */
  client: string | null;
  filter: InboxWaitFilter;
}

/** The filters of a wait, with texts cut to 200 characters. A client's own filters, such as patterns, are missing. */
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
  /** Age of the connection at `at`; null for a send API and for a session. */
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
  /** Whether any address may authenticate without TLS. */
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
   * The newest email to the same name in each other domain, newest first, at most 5. Listed only for callers on this
   * machine and inboxes of the first domain, if the service accepts any domain.
   */
  elsewhere: readonly KeptElsewhere[];
  /** Whether the caller's ad-hoc workspace never had mail, as far as this node remembers. */
  newSpace: boolean;
  /**
   * Number of attempts for this address from the caller's IP address in another workspace: the sender used an ad-hoc
   * workspace and the caller does not, or the reverse.
   */
  acrossSpaces: number;
}

/** Mail to the same name in another domain. */
export interface KeptElsewhere {
  /** Address of that inbox. */
  to: string;
  /** When the attempt began. @format date-time */
  at: string;
}

/** The delivery attempts that named no inbox. */
export interface SessionAttempts {
  /** The node that answered. Each node lists only its own attempts. */
  node: string;
  /** The server's time. @format date-time */
  now: string;
  smtp: SmtpOffer;
  /** The newest attempts, newest first, at most 100; null for callers who get only counts. */
  attempts: readonly Attempt[] | null;
  /**
   * Number of attempts for any inbox by outcome. Callers who get only counts see those from their own address.
   * `in-spaces` counts attempts in ad-hoc workspaces. For a caller in one, `outside-spaces` counts those outside, and
   * `refused-sign-ins` those from the caller's address whose AUTH was refused.
   */
  counts: Readonly<Record<string, number>>;
}
