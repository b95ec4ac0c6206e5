import { type HttpError, httpErrors } from '../errors.js';
import { RequestError } from './request-error.js';

/** Which row of the error table tells what the framework, or Node below it, found wrong. */
const BY_CODE: Readonly<Record<string, HttpError>> = {
  FST_ERR_BAD_URL: httpErrors.badUrl,
  FST_ERR_CTP_BODY_TOO_LARGE: httpErrors.bodyTooLarge,
  FST_ERR_CTP_EMPTY_JSON_BODY: httpErrors.badJson,
  FST_ERR_CTP_INVALID_JSON_BODY: httpErrors.badJson,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: httpErrors.unsupportedMediaType,
  HPE_HEADER_OVERFLOW: httpErrors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.requestTimeout,
};

/** What the framework's errors may carry. */
interface FrameworkError extends Error {
  readonly code?: string;
  readonly statusCode?: number;
}

/**
 * What an error of the framework is answered with, or null when it is no fault of the client's. A status of 4xx says that it is
 * one, also where the error has no row of its own: a body that broke off, say.
 */
export function clientFault(error: FrameworkError, maxBodyBytes: number): RequestError | null {
  const known = BY_CODE[error.code ?? ''];
  if (known !== undefined) return new RequestError(known, { limit: maxBodyBytes });
  const { statusCode: status = 500 } = error;
  // The framework's JSON parser throws plain errors that carry a status and no code.
  if (error instanceof SyntaxError && status === 400) return new RequestError(httpErrors.badJson);
  return status >= 400 && status < 500 ? new RequestError({ ...httpErrors.badRequest, status }) : null;
}
