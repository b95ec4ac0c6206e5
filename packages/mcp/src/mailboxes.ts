import type { InVain } from 'mayfly-client/no-mail';
import type { Email, EmailParts, EmailSummary, Explanation, SmtpAddress } from 'mayfly-protocol';

/**
 * An error with a message that says what the agent should do. Any other error is an internal one.
 */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** An email without its message. */
export type BriefEmail = Omit<Email, 'rawBody'>;

/**
 * Which emails of an inbox are meant. Times are as in `receivedAt`; texts are parts of the field, whatever the case.
 */
export interface Wanted {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly hasOtp?: true | undefined;
  readonly hasMagicLink?: true | undefined;
}

/** How an inbox is wanted. Its name begins with `prefix`, after the workspace's, unless only a secret opens it. */
export interface WantedInbox {
  readonly prefix?: string | undefined;
  readonly private?: boolean | undefined;
}

/** An inbox as an agent gives it, and what opens it if it is private. */
export interface GivenInbox {
  readonly inbox: string;
  readonly secret?: string | undefined;
}

/** A new inbox. */
export interface NewInbox {
  /** Its name, or its address where the service takes its name for another. */
  readonly name: string;
  /** What opens it if it is private, or null. */
  readonly secret: string | null;
  readonly address: string;
  /** A moment of the service's clock: all mail of the inbox comes later. */
  readonly after: string;
  /** Where a browser shows the inbox; null where the service has no page. */
  readonly pageUrl: string | null;
  /** Where the application under test sends its mail. */
  readonly smtp: SmtpAddress;
}

export interface Patience {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An inbox as `nameOf` names it and the email in it by its `receivedAt`. */
export interface EmailKey {
  readonly inbox: string;
  readonly receivedAt: string;
}

/**
 * Access of the tools to inboxes, over HTTP or inside the service, for one caller. Methods reject with `ToolError` if the
 * agent can fix the problem, and with any error when their signal is aborted.
 */
export interface Mailboxes {
  create(wanted: WantedInbox, signal: AbortSignal): Promise<NewInbox>;
  /**
   * What names an inbox, for the methods below, that is given by its name or its address. They read it with its secret.
   */
  nameOf(inbox: GivenInbox, signal: AbortSignal): Promise<string>;
  /** Waits for a matching email: the newest, or the next; null in the end. */
  next(inbox: string, wanted: Wanted, patience: Patience): Promise<BriefEmail | null>;
  /** The newest emails, newest first, at most `limit`. */
  summaries(
    inbox: string,
    page: { readonly after?: string | undefined; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly EmailSummary[]>;
  /** Explains a timeout of this length from the delivery log, in sentences. */
  whyNothing(inbox: string, inVain: InVain, signal: AbortSignal): Promise<string>;
  /**
   * What the message of an email holds. Its texts and lists may be cut to `MAX_PART_CHARS` each, and are named in
   * `incomplete` then.
   */
  contents(email: EmailKey, signal: AbortSignal): Promise<EmailParts>;
  /** How the code and the link of an email were chosen. */
  explanation(email: EmailKey, signal: AbortSignal): Promise<Explanation>;
  /** Reports an error that no agent can fix to the operator. */
  report(error: unknown): void;
}
