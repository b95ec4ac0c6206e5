import {
  MayflyAuthError,
  MayflyError,
  MayflyGoneError,
  MayflyNetworkError,
  type MayflyOptions,
  MayflyRateLimitError,
  MayflyResponseError,
} from 'mayfly-client';

// The build puts this module in the place of the client's error-answer and settings: the page does not show their
// messages (problem-words.ts), and has neither an environment nor options of a caller.

/** The server's rule for `--workspace`, as in the client. */
const API_KEY = /^(?<name>[a-z0-9](?:-?[a-z0-9]){0,31})=(?=.{16,512}$)(?<key>[\w.~+/-]+=*)$/;

/** Throws if the API key is invalid. */
export function readSettings({ baseUrl, apiKey, credentials: auth }: MayflyOptions) {
  const workspace = apiKey ? API_KEY.exec(apiKey)?.groups : null;
  if (workspace === undefined) throw new MayflyError('The key is not valid.');
  return { baseUrl, workspace, auth, fetch: globalThis.fetch };
}

/** The pause after a 429 without Retry-After, and the longest pause that a response can request. */
const STANDARD_RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_600_000;

/** The error for a response with an unexpected status or content. */
export async function errorOf({ status, headers }: Response): Promise<MayflyResponseError> {
  const message = `The answer was ${status}.`;
  const askedMs = Number(headers.get('retry-after')) * 1_000;
  const passing = { status, retryAfterMs: Math.min(askedMs || STANDARD_RETRY_MS, MAX_RETRY_MS) };
  if (status === 401) return new MayflyAuthError(message, { status });
  if (status === 429) return new MayflyRateLimitError(message, passing);
  if (headers.get('mayfly-error') === 'no-such-email') return new MayflyGoneError(message, { status });
  return new MayflyResponseError(message, askedMs > 0 ? passing : { status });
}

/** The error for a request without a response. */
export async function noAnswer(cause: unknown): Promise<MayflyNetworkError> {
  return new MayflyNetworkError('No answer.', { baseUrl: location.origin }, { cause });
}
