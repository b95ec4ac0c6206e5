/** Who sends a request. */
export interface Caller {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** The workspace whose key the request carries. */
  workspace: string | null;
}
