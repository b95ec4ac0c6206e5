/** What the inboxes report to the metrics. No method may throw or be waited for. Times are in milliseconds. */
export interface InboxEvents {
  /** A message was read, so long after it had come in, and what was found in it. */
  extracted(ms: number, found: Found): void;
  /** A message was stored, which took so long. */
  stored(ms: number): void;
  /** All who waited for a message have been told of it, so long after it was stored. */
  told(ms: number): void;
}

export interface Found {
  readonly hasOtp: boolean;
  readonly hasMagicLink: boolean;
}
