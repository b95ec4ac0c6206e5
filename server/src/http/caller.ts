/** Who sends a request. */
export interface Caller {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** The workspace whose key the request carries. */
  workspace: string | null;
  /** Settles when its request is counted, and rejects with why it is refused; null where nothing is waited for. */
  counted: Promise<void> | null;
}
