import { errorText, type HttpError } from '../errors.js';

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
    super(errorText(error, values));
    this.status = error.status;
    this.headers = headers;
  }
}

/** The `Retry-After` header (RFC 9110 section 10.2.3) that tells a client to wait so long: whole seconds, rounded up. */
export function retryAfter(waitMs: number): { 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}
