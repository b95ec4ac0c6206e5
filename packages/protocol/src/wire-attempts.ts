/**
 * One attempt to send a message to one recipient, or a session that named no recipient. It has nothing of the message's
 * content and no credentials. The service remembers attempts for 30 minutes, in memory.
 */
export interface Attempt {
  /** When it began: the MAIL command, the request, or the connection of a session. @format date-time */
  at: string;
  /** `smtp`, a provider's send API such as `resend`, or `catcher` for `POST /api/v1/send` of another mail catcher. */
  way: string;
  /**
   * The client's address, as the service counts it: of IPv6, the /64. Null for another client's address if the service
   * listens to other machines, unless you ask from a network of `--drop-in-callers`.
   */
  client: string | null;
  /** Whether STARTTLS was requested, and how that ended: `failed` if nothing was said under TLS. */
  tls: AttemptTls;
  /** Whether the client signed in. */
  auth: AttemptAuth;
  /** The last SMTP command, such as `RCPT`; `unknown` if it is not an SMTP command, null if there was none. */
  lastCommand: string | null;
  /** Address of the sender by SMTP, `""` for the null sender; null if none was named. */
  from: string | null;
  /** The recipient as the sender wrote it; null if none was named. */
  to: string | null;
  /**
   * `kept`, or why no email came of it: a row of the table of errors such as `foreign-domain`; `mail-lost` and
   * `no-data` if the client left in the middle of the content or before it; `no-mail` if it left after EHLO,
   * `tls-ended` in or right after the TLS handshake, `no-command` without a command; `http-port` if it spoke SMTP to
   * the HTTP port, or waited there for a greeting; `open` while the client is connected and the attempt is not over;
   * `tested` if a client that also delivers messages sent only EHLO and QUIT.
   */
  outcome: string;
  /** What the client was told; null if nothing was refused. */
  error: AttemptError | null;
  /** The email that came of it, by its `receivedAt`; null if none did. */
  receivedAt: string | null;
  /**
   * `lost` if the email was kept and the client did not get the 250: it had left, or the address asks for that. Then a
   * correct client sends it again. Null otherwise.
   */
  reply: 'lost' | null;
  stages: AttemptStages;
  /** To whom the email was given, the first time by each way, in the order of time. */
  handed: readonly AttemptHanded[];
}

/**
 * By which way an email went to a client, or by which a client waits for one: a stream, one of our page
 * (`source=browser`), a fetch, an agent's wait, or the API of another mail catcher.
 */
export type WayOut = 'stream' | 'page' | 'fetch' | 'mcp' | 'drop-in';

/** The first time that an email went to a client by one way. */
export interface AttemptHanded {
  way: WayOut;
  /** The client's address; null as in `Attempt`. */
  client: string | null;
  /** Milliseconds since `at`. */
  ms: number;
}

/** A client that waits for mail of an inbox. */
export interface InboxWait {
  /** When it began; for a client that waits longer than a stream lasts, its last stream. @format date-time */
  since: string;
  /** `stream`, the inbox `page`, or an agent's wait (`mcp`). */
  way: WayOut;
  /** The client's address; null as in `Attempt`. */
  client: string | null;
  filter: InboxWaitFilter;
}

/**
 * The filters of the wait, those that are set. Of texts, the first 200 characters. What a client filters by itself, such
 * as a pattern, is not known to the service.
 */
export interface InboxWaitFilter {
  /** Only emails with a later `receivedAt`. @format date-time */
  after?: string;
  /** Only emails whose sender contains this. */
  from?: string;
  /** Only emails whose subject contains this. */
  subject?: string;
  /** Only emails whose body contains this. */
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
  /** The text of the reply. */
  text: string;
}

/** When an attempt reached its stages, in milliseconds since `at`; null for a stage that it did not reach. */
export interface AttemptStages {
  /** How long the connection had been open at `at`; null for a send API and for a session. */
  connect: number | null;
  /** The last RCPT command. */
  rcpt: number | null;
  /** The DATA command. */
  data: number | null;
  /** The whole content had arrived. */
  content: number | null;
  /** The email was on disk. */
  kept: number | null;
  /** The email was first given to a client. */
  handedOut: number | null;
}

/** Where and how a service accepts mail over SMTP. */
export interface SmtpOffer {
  /** The port of the listener. */
  port: number;
  /** Accepted mail domains; `*` stands for any. */
  domains: readonly string[];
  /** Whether STARTTLS is offered. */
  startTls: boolean;
  /** Whether credentials are accepted without TLS from any address. */
  authWithoutTls: boolean;
}

/** Answer of `GET /api/inbox/{name}/attempts`. */
export interface InboxAttempts {
  /** The node that answered: each remembers only its own attempts. */
  node: string;
  /** The server's time. @format date-time */
  now: string;
  smtp: SmtpOffer;
  /** The newest attempts for this inbox, newest first, at most 100. */
  attempts: readonly Attempt[];
  /** Who waits for mail of this inbox at this node now, at most 20: those that began first. */
  waits: readonly InboxWait[];
  /**
   * Mail that was kept for the same name in other domains, each an inbox of its own: the newest of each, newest first,
   * at most 5. Empty for callers on other machines, for an inbox that is not of the first domain, and if the service
   * does not accept any domain.
   */
  elsewhere: readonly KeptElsewhere[];
  /** Whether the caller's space has never had mail, as far as this node remembers. */
  newSpace: boolean;
  /**
   * How many attempts from the caller's address to send to this address are not among `attempts`, because the sender or
   * the caller, but not both, are in a space.
   */
  acrossSpaces: number;
}

/** Mail for another inbox of the same name. */
export interface KeptElsewhere {
  /** The address of that inbox. */
  to: string;
  /** When the attempt began, as `Attempt.at`. @format date-time */
  at: string;
}

/** Answer of `GET /api/attempts`. */
export interface SessionAttempts {
  /** The node that answered: each remembers only its own attempts. */
  node: string;
  /** The server's time. @format date-time */
  now: string;
  smtp: SmtpOffer;
  /**
   * The newest attempts that named no inbox, newest first, at most 100; null for callers who see only their own counts.
   */
  attempts: readonly Attempt[] | null;
  /**
   * How many attempts there were, by outcome, for any inbox: those of all clients, or only of your own address. Beside
   * the outcomes, `in-spaces` counts attempts in spaces, and within a space `outside-spaces` those outside of it,
   * and `refused-sign-ins` those of your address whose AUTH was refused.
   */
  counts: Readonly<Record<string, number>>;
}
