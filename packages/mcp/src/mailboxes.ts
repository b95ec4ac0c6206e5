import type { InVain } from 'mayfly-client/no-mail';
import type { Email, EmailParts, EmailSummary, Explanation, SmtpAddress } from 'mayfly-protocol';

/** An error with a message that the agent can act on. Any other error is internal. */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** An email without its raw message. */
export type BriefEmail = Omit<Email, 'rawBody'>;

/** A filter for the emails of an inbox. Times are as in `receivedAt`; texts match parts of a field, ignoring case. */
export interface Wanted {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly hasOtp?: true | undefined;
  readonly hasMagicLink?: true | undefined;
}

/** Options of a new inbox. The name of an inbox that is not private begins with the workspace's name and `prefix`. */
export interface WantedInbox {
  readonly prefix?: string | undefined;
  readonly private?: boolean | undefined;
}

/** An inbox as an agent specifies it, with its secret if it is private. */
export interface GivenInbox {
  readonly inbox: string;
  readonly secret?: string | undefined;
}

/** A new inbox. */
export interface NewInbox {
  /** The inbox's name, or its address if the service would interpret the name as a different inbox. */
  readonly name: string;
  /** The secret of a private inbox; otherwise null. */
  readonly secret: string | null;
  readonly address: string;
  /** The service's time just before the inbox was created, so all mail of the inbox arrives later. */
  readonly after: string;
  /** URL of the inbox in the web UI; null if the service has none. */
  readonly pageUrl: string | null;
  /** Where the application under test must send its mail. */
  readonly smtp: SmtpAddress;
}

export interface Patience {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An email: its inbox as `nameOf` returns it, and its `receivedAt`. */
export interface EmailKey {
  readonly inbox: string;
  readonly receivedAt: string;
}

/**
 * The tools' access to inboxes, over HTTP or inside the service, for one caller. Methods reject with `ToolError` if the
 * agent can fix the problem. Once their signal is aborted, they may reject with any other error.
 */
export interface Mailboxes {
  create(wanted: WantedInbox, signal: AbortSignal): Promise<NewInbox>;
  /** Resolves an inbox to the name that the methods below expect. Keeps the inbox's secret for these methods. */
  nameOf(inbox: GivenInbox, signal: AbortSignal): Promise<string>;
  /** Resolves to the newest matching email or, without one, to the next that arrives; null on timeout. */
  next(inbox: string, wanted: Wanted, patience: Patience): Promise<BriefEmail | null>;
  /** Lists the newest emails, newest first, at most `limit`. */
  summaries(
    inbox: string,
    page: { readonly after?: string | undefined; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly EmailSummary[]>;
  /** Explains in sentences, from the delivery log, why the wait that `inVain` describes timed out. */
  whyNothing(inbox: string, inVain: InVain, signal: AbortSignal): Promise<string>;
  /**
   * The parsed contents of an email. Texts and lists may be truncated to `MAX_PART_CHARS` each, and are then named in
   * `incomplete`.
   */
  contents(email: EmailKey, signal: AbortSignal): Promise<EmailParts>;
  /** Explains why the code and the link of an email were chosen. */
  explanation(email: EmailKey, signal: AbortSignal): Promise<Explanation>;
  /** Reports to the operator an error that no agent can fix. */
  report(error: unknown): void;
}
