/** What the inboxes report to the metrics, in milliseconds. No method may throw or block. */
export interface InboxEvents {
  /** A message was parsed, `ms` after it came. */
  extracted(ms: number, found: Found): void;
  stored(ms: number): void;
  /** All waiters were told, `ms` after the message was stored. */
  told(ms: number): void;
}

export interface Found {
  readonly hasOtp: boolean;
  readonly hasMagicLink: boolean;
}
