import { LEAST_RETRY_MS, MAX_QUOTE_LENGTH, MOST_RETRY_MS, STANDARD_RETRY_MS } from './bounds.js';
import { MayflyAuthError, MayflyGoneError, MayflyRateLimitError, MayflyResponseError } from './errors.js';
import type { Settings } from './settings.js';
import { parsed } from './text.js';
import type { ErrorResponse } from './wire.js';

/**
 * What an answer means that is not the one asked for. `Mayfly` loads this with the first such answer: a wait that
 * succeeds does without.
 */

/** The error that an answer with another status or another type stands for. Rejects if its text does not come. */
export async function errorOf(response: Response, { baseUrl, space }: Settings): Promise<MayflyResponseError> {
  const { status, headers } = response;
  const text = await response.text();
  if (response.ok) return foreignAnswer(baseUrl, status, `${headers.get('content-type') || 'no type'}: ${text}`);
  // What the interface says of a limit is short: the hint names it, and the way.
  const hint = quoted(headers.get('mayfly-hint') ?? '');
  const sentence = `${quoted(parsed<ErrorResponse>(text)?.error ?? text)} ${hint}`.trim();
  const code = headers.get('mayfly-error');
  if (status === 404 && code === null) return foreignAnswer(baseUrl, status, sentence);
  const message = `Mayfly at ${baseUrl} answered ${status}: ${sentence}`;
  const sent = space ? 'space and MAYFLY_SPACE' : 'apiKey and MAYFLY_API_KEY';
  const remedy = code === 'private-inbox' ? '' : ` See ${sent}.`;
  if (status === 401) return new MayflyAuthError(message + remedy, { status });
  if (status === 429) return new MayflyRateLimitError(message, { status, retryAfterMs: retryAfterMs(response) });
  if (status === 503 && headers.has('retry-after'))
    return new MayflyResponseError(message, { status, retryAfterMs: retryAfterMs(response) });
  return new (code === 'no-such-email' ? MayflyGoneError : MayflyResponseError)(message, { status });
}

/** What to say to an answer that hardly comes from Mayfly. */
export function foreignAnswer(baseUrl: string, status: number, text: string): MayflyResponseError {
  const message = `${baseUrl} answered ${status}: ${quoted(text)} Is this Mayfly? See baseUrl and MAYFLY_URL.`;
  return new MayflyResponseError(message, { status });
}

/**
 * The beginning of an answer's text, in one line: control characters of a hostile answer, and those that turn the
 * direction of text, must not reach a terminal.
 */
function quoted(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** `Retry-After` in whole seconds (RFC 9110 section 10.2.3), as Mayfly gives it. */
function retryAfterMs({ headers }: Response): number {
  const askedMs = Number(headers.get('retry-after')) * 1000 || STANDARD_RETRY_MS;
  return Math.min(Math.max(askedMs, LEAST_RETRY_MS), MOST_RETRY_MS);
}
