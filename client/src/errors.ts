import type { ReceivedEmail } from './email.js';

/** What every error of this client is. */
export class MayflyError extends Error {
  override name = 'MayflyError';
}

/** An option, or a variable of the environment, is not one or has a value that it does not take. Thrown at once. */
export class MayflyOptionError extends MayflyError {
  override name = 'MayflyOptionError';
}

/** Mayfly could not be reached, or the connection broke. `cause` holds what the platform said. */
export class MayflyNetworkError extends MayflyError {
  override name = 'MayflyNetworkError';
  readonly baseUrl: string;

  constructor(message: string, baseUrl: string, options?: ErrorOptions) {
    super(message, options);
    this.baseUrl = baseUrl;
  }
}

/** An answer that is not what Mayfly answers to a good request. */
export class MayflyResponseError extends MayflyError {
  override name = 'MayflyResponseError';
  /** The HTTP status. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
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
export class MayflyRateLimitError extends MayflyResponseError {
  override name = 'MayflyRateLimitError';
  /** After how many milliseconds the server takes the next request. */
  readonly retryAfterMs: number;

  constructor(message: string, status: number, retryAfterMs: number) {
    super(message, status);
    this.retryAfterMs = retryAfterMs;
  }
}

/** What was seen of an inbox. */
interface Seen {
  readonly address: string;
  readonly emails: readonly ReceivedEmail[];
}

/** The email that was waited for did not come. The message tells what came instead. */
export class MayflyTimeoutError extends MayflyError {
  override name = 'MayflyTimeoutError';
  readonly address: string;
  readonly timeoutMs: number;
  /** What is in the inbox, newest first: none of it is what was waited for. */
  readonly emails: readonly ReceivedEmail[];

  constructor(message: string, timeoutMs: number, { address, emails }: Seen, options?: ErrorOptions) {
    super(message, options);
    this.timeoutMs = timeoutMs;
    this.address = address;
    this.emails = emails;
  }
}

/** More emails came than were expected. */
export class MayflyUnexpectedEmailError extends MayflyError {
  override name = 'MayflyUnexpectedEmailError';
  readonly address: string;
  /** How many were expected. */
  readonly expected: number;
  /** All that match, newest first. */
  readonly emails: readonly ReceivedEmail[];

  constructor(message: string, expected: number, { address, emails }: Seen) {
    super(message);
    this.expected = expected;
    this.address = address;
    this.emails = emails;
  }
}
