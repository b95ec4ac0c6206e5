import { type ErrorValues, errorText, type HttpError, httpErrors, NamedError } from '../../errors.js';

/** The header with the error's code. The body has only the sentence that the interface prescribes. */
export const ERROR_HEADER = 'mayfly-error';

/** The header with advice, for errors whose text the interface prescribes. */
export const HINT_HEADER = 'mayfly-hint';

/** Headers of every answer (D17): nothing in an answer runs, and no page can frame it. Pages have other policies. */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export const JSON_TYPE = 'application/json; charset=utf-8';

export class RequestError extends NamedError {
  override name = 'RequestError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: HttpError, values: ErrorValues = {}, headers: Readonly<Record<string, string>> = {}) {
    // Omits the stack trace, which costs more than the rest of the answer: clients at a limit get many errors.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(errorText(error, values));
    Error.stackTraceLimit = stackTraceLimit;
    this.status = error.status;
    const hint = error.hint && { [HINT_HEADER]: errorText({ text: error.hint }, values) };
    this.headers = { ...ANSWER_HEADERS, [ERROR_HEADER]: error.code, ...hint, ...headers };
  }

  /** Interface section 2.3. */
  get body(): string {
    return JSON.stringify({ error: this.message });
  }
}

/** An error response; its headers contain the type of its body. */
export interface ToldError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Formats an error for a client that requested this URL, in the shape of the API at that path. */
export type Tell = (error: RequestError, url: string | undefined) => ToldError;

export const tellOurs: Tell = ({ status, headers, body }) => ({
  status,
  headers: { ...headers, 'content-type': JSON_TYPE },
  body,
});

/** An error that closes the connection, which otherwise would outlive the service. */
export function stoppingError(): RequestError {
  return new RequestError(httpErrors.stopping, {}, { ...RETRY_SOON, connection: 'close' });
}

/** The `Retry-After` header (RFC 9110 section 10.2.3): whole seconds, rounded up. */
export function retryAfter(waitMs: number): { 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}

/** For refusals that end soon, when a place or turn becomes free or the service restarts. */
export const RETRY_SOON = retryAfter(1_000);

/** Errors of Fastify, and of Node below it, by their codes. */
const BY_CODE: Readonly<Record<string, HttpError>> = {
  FST_ERR_BAD_URL: httpErrors.badUrl,
  FST_ERR_CTP_BODY_TOO_LARGE: httpErrors.bodyTooLarge,
  FST_ERR_CTP_EMPTY_JSON_BODY: httpErrors.badJson,
  FST_ERR_CTP_INVALID_JSON_BODY: httpErrors.badJson,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: httpErrors.unsupportedMediaType,
  HPE_HEADER_OVERFLOW: httpErrors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.requestTimeout,
};

interface FrameworkError extends Error {
  readonly code?: string;
  readonly statusCode?: number;
}

/** Codes of Fastify and Node. An error with any other code, or without one, comes from a route. */
const FRAMEWORK_CODE = /^(?:FST|HPE|ERR)_/;

/** The error if the client is at fault, as for any 4xx; otherwise null. `plugin` is the plugin that owns the route. */
export function clientFault(error: FrameworkError, maxBodyBytes: number, plugin?: string): RequestError | null {
  const known = BY_CODE[error.code ?? ''];
  if (known !== undefined) return new RequestError(known, { limit: maxBodyBytes });
  const { statusCode: status = 500 } = error;
  // Fastify's JSON parser throws this without a code.
  if (error instanceof SyntaxError && status === 400) return new RequestError(httpErrors.badJson);
  if (!(status >= 400 && status < 500)) return null;
  if (plugin === undefined || FRAMEWORK_CODE.test(error.code ?? '')) {
    return new RequestError({ ...httpErrors.badRequest, status });
  }
  const reason = String(error.message).slice(0, 500) || 'it gives no reason.';
  return new RequestError({ ...httpErrors.pluginRefusal, status }, { plugin, reason });
}
