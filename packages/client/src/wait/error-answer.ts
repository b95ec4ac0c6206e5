import type { ErrorResponse } from 'mayfly-protocol/wire';
import { Deadline } from './deadline.js';
import {
  ERROR_TEXT_TIMEOUT_MS,
  LEAST_RETRY_MS,
  MAX_ERROR_BYTES,
  MAX_QUOTE_LENGTH,
  MOST_RETRY_MS,
  STANDARD_RETRY_MS,
} from './error-bounds.js';
import type { AnswerErrors, MayflyResponseError } from './errors.js';
import type { Settings } from './settings.js';
import { parsed } from './text.js';

export { noAnswer, unreached } from './unreached.js';

/**
 * What an answer means that is not the one asked for, and what it means that there is none. `Mayfly` loads this with
 * the first of these: a wait that succeeds does without.
 */

/**
 * The error that an answer with another status, another type or another content stands for. `known` is its text where
 * that has been read.
 */
export async function errorOf(
  response: Response,
  { baseUrl, space }: Settings,
  kinds: AnswerErrors,
  known?: string,
): Promise<MayflyResponseError> {
  const { status, headers } = response;
  const { text, isWhole } = known === undefined ? await beginningOf(response) : { text: known, isWhole: true };
  const foreign = (sentence: string) => {
    const message = `${baseUrl} answered ${status}${said(sentence)} Is this Mayfly? See baseUrl and MAYFLY_URL.`;
    return new kinds.MayflyResponseError(message, { status });
  };
  if (response.ok) {
    const type = headers.get('content-type') || 'no type';
    if (!type.startsWith('application/json')) return foreign(quoted(`${type}: ${text}`));
    const isJson = !isWhole || parsed(text) !== undefined;
    return foreign(isJson ? 'something else than was asked for.' : `no JSON, but ${quoted(text) || 'nothing.'}`);
  }
  // What the interface says of a limit is short: the hint names it, and the way.
  const hint = quoted(headers.get('mayfly-hint') ?? '');
  const sentence = `${quoted(errorIn(text) ?? text)} ${hint}`.trim();
  const code = headers.get('mayfly-error');
  if (status === 404 && code === null) return foreign(sentence);
  const message = `Mayfly at ${baseUrl} answered ${status}${said(sentence)}`;
  const sent = space ? 'space and MAYFLY_SPACE' : 'apiKey and MAYFLY_API_KEY';
  const remedy = code === 'private-inbox' ? '' : ` See ${sent}.`;
  if (status === 401) return new kinds.MayflyAuthError(message + remedy, { status });
  if (status === 429) return new kinds.MayflyRateLimitError(message, { status, retryAfterMs: retryAfterMs(response) });
  if (status === 503 && headers.has('retry-after'))
    return new kinds.MayflyResponseError(message, { status, retryAfterMs: retryAfterMs(response) });
  return new (code === 'no-such-email' ? kinds.MayflyGoneError : kinds.MayflyResponseError)(message, { status });
}

function said(sentence: string): string {
  return sentence ? `: ${sentence}` : ' without a word.';
}

/** The sentence of an error of Mayfly: other services have other things under this name. */
function errorIn(text: string): string | undefined {
  const error: unknown = parsed<ErrorResponse>(text)?.error;
  return typeof error === 'string' ? error : undefined;
}

/** The beginning of the text of an answer, as far as it comes: its status counts, however long or slow its text is. */
async function beginningOf({ body }: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const time = new Deadline(ERROR_TEXT_TIMEOUT_MS);
  const over = time.over.then(() => ({ value: undefined }));
  let text = '';
  let room = MAX_ERROR_BYTES;
  try {
    while (reader && room > 0) {
      const { value } = await Promise.race([reader.read(), over]);
      if (value === undefined) break;
      text += decoder.decode(value.subarray(0, room), { stream: true });
      room -= value.length;
    }
  } catch {
    // The connection broke.
  }
  time.end();
  reader?.cancel().catch(() => {});
  return { text, isWhole: room > 0 };
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
