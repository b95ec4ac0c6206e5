export interface MessageParts {
  /** Message-ID header value verbatim, angle brackets included (D4); null if missing. */
  readonly messageId: string | null;
  /** Address of the first mailbox in the From header that can be parsed (D3); null if none can. */
  readonly from: string | null;
  /** Decoded display name of the mailbox in `from`, on one line; `""` if it has none. */
  readonly fromName: string;
  /** Decoded subject (RFC 2047); `""` if absent. */
  readonly subject: string;
  /** Text and HTML of the body, decoded and truncated at a limit; null if the message has none. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: number;
  /** The names of the first attachments. */
  readonly fileNames: readonly string[];
  /** Number of files that the message itself displays, such as a logo. */
  readonly inlineFiles: number;
}

/** Everything derived from the bytes of a message. The fields are those of an Email (interface section 2.1). */
export interface Reading extends Omit<MessageParts, 'text' | 'html'> {
  readonly body: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
  /** The one-time code, which may contain letters; null if the message has none. */
  readonly code: string | null;
  readonly action: boolean;
}

/** A list of items of a message, such as its parts. `isWhole` is false if a limit truncated the list. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly isWhole: boolean;
}
