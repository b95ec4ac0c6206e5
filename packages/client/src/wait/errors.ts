import type { ReceivedEmail } from './email.js';

/** Functions that only Node has. in-node.ts sets them; the web UI runs without them. */
export const platform: {
  fetch?: () => typeof globalThis.fetch;
  /** Throws a `MayflyError` if a tool in the test, such as a mock, blocked the request to this address. */
  checkIntercepted?: (cause: unknown, baseUrl: string) => void;
  /** For error messages: the proxy that the request went to; empty without a proxy. */
  way: string;
  /** Removes the client's own frames from an error's stack. */
  trim?: (error: Error) => void;
} = { way: '' };

export const NO_DECODER =
  'This test runs in the jsdom of Jest, which has no fetch and no TextDecoder. Begin the test file with "/** @jest-environment node */", or use the environment jest-fixed-jsdom.';

/** Base class of all errors of this client. `data` holds the fields other than the message. */
export class MayflyError<Data extends object = object> extends Error {
  override name = 'MayflyError';

  constructor(message: string, ...[data, options]: object extends Data ? [] : [data: Data, options?: ErrorOptions]) {
    super(message, options);
    Object.assign(this, data);
    platform.trim?.(this);
  }
}

/** An option or an environment variable is unknown or has an invalid value. Thrown immediately. */
export class MayflyOptionError extends MayflyError {
  override name = 'MayflyOptionError';
}

/** Mayfly could not be reached, or the connection broke. `cause` holds the platform's error. */
export class MayflyNetworkError extends MayflyError<{ baseUrl: string }> {
  override name = 'MayflyNetworkError';
  declare readonly baseUrl: string;
}

/** The response is not one that Mayfly sends for a valid request. */
export class MayflyResponseError<Data extends object = object> extends MayflyError<Data & { status: number }> {
  override name = 'MayflyResponseError';
  declare readonly status: number;
  /** Milliseconds to wait before a retry, for a 429 or a 503 with Retry-After. */
  declare readonly retryAfterMs?: number;
}

/** The API key is unknown, or the key of the inbox's workspace is missing (401). */
export class MayflyAuthError extends MayflyResponseError {
  override name = 'MayflyAuthError';
}

/** The inbox has no such email (404), because it expired or was deleted. */
export class MayflyGoneError extends MayflyResponseError {
  override name = 'MayflyGoneError';
}

/** The service rejected the request (429) and will accept the next one only after the call's timeout. */
export class MayflyRateLimitError extends MayflyResponseError<{ retryAfterMs: number }> {
  override name = 'MayflyRateLimitError';
  declare readonly retryAfterMs: number;
}

/** Passed as arguments to lazily loaded modules, which would import different classes after Jest's `resetModules`. */
export const KINDS = {
  MayflyAuthError,
  MayflyGoneError,
  MayflyNetworkError,
  MayflyRateLimitError,
  MayflyResponseError,
};

export type AnswerErrors = typeof KINDS;

interface Seen {
  readonly address: string;
  readonly emails: readonly ReceivedEmail[];
  readonly arrived: readonly string[];
}

/** The expected email did not arrive. The message says what arrived instead. */
export class MayflyTimeoutError extends MayflyError<Seen & { timeoutMs: number }> {
  override name = 'MayflyTimeoutError';
  declare readonly address: string;
  declare readonly timeoutMs: number;
  /** The newest emails in the inbox that did not match, at most ten and 4 MiB in total. Not enumerable. */
  declare readonly emails: readonly ReceivedEmail[];
  declare readonly arrived: readonly string[];
}

export class MayflyUnexpectedEmailError extends MayflyError<Seen & { expected: number }> {
  override name = 'MayflyUnexpectedEmailError';
  declare readonly address: string;
  declare readonly expected: number;
  /** The matching emails, newest first; at most ten more than expected. Not enumerable. */
  declare readonly emails: readonly ReceivedEmail[];
  declare readonly arrived: readonly string[];
}
