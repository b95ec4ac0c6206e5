import type { ReceivedEmail } from './email.js';

/** What every error of this client is. `data` are the fields that it has besides its message. */
export class MayflyError<Data extends object = object> extends Error {
  override name = 'MayflyError';

  constructor(message: string, ...[data, options]: object extends Data ? [] : [data: Data, options?: ErrorOptions]) {
    super(message, options);
    Object.assign(this, data);
  }
}

/** An option, or a variable of the environment, is not one or has a value that it does not take. Thrown at once. */
export class MayflyOptionError extends MayflyError {
  override name = 'MayflyOptionError';
}

/** Mayfly could not be reached, or the connection broke. `cause` holds what the platform said. */
export class MayflyNetworkError extends MayflyError<{ baseUrl: string }> {
  override name = 'MayflyNetworkError';
  declare readonly baseUrl: string;
}

/** An answer that is not what Mayfly answers to a good request. */
export class MayflyResponseError<Data extends object = object> extends MayflyError<Data & { status: number }> {
  override name = 'MayflyResponseError';
  /** The HTTP status. */
  declare readonly status: number;
  /** After how many milliseconds the server takes the request, where it is 429, or 503 and says so. */
  declare readonly retryAfterMs?: number;
}

/** The API key is not known, or the inbox belongs to a workspace whose key is missing (401). */
export class MayflyAuthError extends MayflyResponseError {
  override name = 'MayflyAuthError';
}

/** The inbox has no such email (404): it has expired, or was deleted. */
export class MayflyGoneError extends MayflyResponseError {
  override name = 'MayflyGoneError';
}

/** Too many requests (429), and no time left to wait until the next one is allowed. */
export class MayflyRateLimitError extends MayflyResponseError<{ retryAfterMs: number }> {
  override name = 'MayflyRateLimitError';
  declare readonly retryAfterMs: number;
}

/** What was seen of an inbox. */
interface Seen {
  readonly address: string;
  readonly emails: readonly ReceivedEmail[];
}

/** The email that was waited for did not come. The message tells what came instead. */
export class MayflyTimeoutError extends MayflyError<Seen & { timeoutMs: number }> {
  override name = 'MayflyTimeoutError';
  declare readonly address: string;
  declare readonly timeoutMs: number;
  /** What is in the inbox, newest first: none of it is what was waited for. */
  declare readonly emails: readonly ReceivedEmail[];
}

/** More emails came than were expected. */
export class MayflyUnexpectedEmailError extends MayflyError<Seen & { expected: number }> {
  override name = 'MayflyUnexpectedEmailError';
  declare readonly address: string;
  /** How many were expected. */
  declare readonly expected: number;
  /** All that match, newest first. */
  declare readonly emails: readonly ReceivedEmail[];
}
