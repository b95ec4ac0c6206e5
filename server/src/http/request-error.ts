import { errorText, type HttpError, httpErrors } from '../errors.js';

/** Where every error answer carries the error's code: its body is the interface's, which has the sentence alone. */
export const ERROR_HEADER = 'mayfly-error';

/**
 * What every answer carries (D17). Whoever opens one in a tab of its own sees a document that loads and runs nothing, and nobody frames
 * it; what is to be shown has a policy of its own in place of this one.
 */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** The type of every answer in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** What a route throws to answer with an error of the table. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** `values` fill in the `{name}`s of the error's text. */
  constructor(
    error: HttpError,
    values: Readonly<Record<string, string | number>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    // Nobody reads where it was thrown, and to note that costs more than the rest of the answer, which who is at a limit has often.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(errorText(error, values));
    Error.stackTraceLimit = stackTraceLimit;
    this.status = error.status;
    this.headers = { ...ANSWER_HEADERS, [ERROR_HEADER]: error.code, ...headers };
  }

  /** The body of the answer (interface section 2.3). */
  get body(): string {
    return JSON.stringify({ error: this.message });
  }
}

/** After how long a client may try again that came while the service was stopping, or its store out of reach. */
const RESTART_RETRY_MS = 1_000;

/** What is said while the service stops. A connection that is kept for the next request would keep it from its end. */
export function stoppingError(): RequestError {
  return new RequestError(httpErrors.stopping, {}, { ...retryAfter(RESTART_RETRY_MS), connection: 'close' });
}

/** What is said while the store is out of reach. */
export function storeAwayError(): RequestError {
  return new RequestError(httpErrors.storeAway, {}, retryAfter(RESTART_RETRY_MS));
}

/** The `Retry-After` header (RFC 9110 section 10.2.3) that tells a client to wait so long: whole seconds, rounded up. */
export function retryAfter(waitMs: number): { 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}
