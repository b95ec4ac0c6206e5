export interface MessageParts {
  /** Message-ID header value verbatim, angle brackets included (D4); null without one. */
  readonly messageId: string | null;
  /** Address of the first mailbox in the From header that parses (D3); null when none does. */
  readonly from: string | null;
  /** Decoded display name of that mailbox, in one line; `""` when it has none. */
  readonly fromName: string;
  /** Decoded subject (RFC 2047); `""` when absent. */
  readonly subject: string;
  /** Decoded text parts, bounded; null when the message has none. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: number;
  /** The names of its attachments, the first of them where they are many. */
  readonly fileNames: readonly string[];
  /** How many files it shows itself, such as a logo. */
  readonly inlineFiles: number;
}

/** Everything that Mayfly says of a message from its bytes alone. Fields as in the Email (interface section 2.1). */
export interface Reading extends Omit<MessageParts, 'text' | 'html'> {
  readonly body: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
  /** As in a summary. */
  readonly code: string | null;
  readonly action: boolean;
}

/** Some things of a message, and whether these are all that it has, or a bound was reached. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly isWhole: boolean;
}
