import type { Progress } from '../../fairness/client-memory.js';

/** Who is given an answer. */
export interface Reader {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** Is aborted when the client has its answer, or has left. */
  readonly signal: AbortSignal;
  /** Ends the connection of a client that reads too slowly. */
  cut(): void;
  /** Sets how many bytes are held for the answer until the signal is aborted, and what the client does about it. */
  hold(bytes: number, progress?: Progress): void;
}
