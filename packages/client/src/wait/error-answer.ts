import type { ErrorResponse } from 'mayfly-protocol/wire';
import { Deadline } from './deadline.js';
import { type AnswerErrors, type MayflyNetworkError, type MayflyResponseError, platform } from './errors.js';
import { beginningOf } from './http.js';
import type { Settings } from './settings.js';
import { parsed } from './text.js';

// The errors of unexpected and missing answers. A wait that succeeds does not load this.

/** How long a 429 makes a client wait if it names no time, and the bounds of the time that it names. */
const STANDARD_RETRY_MS = 1_000;
const LEAST_RETRY_MS = 100;
const MOST_RETRY_MS = 3_600_000;
export const MAX_QUOTE_LENGTH = 500;

/** How much of the text of an error is read, and for how long after its status. */
const MAX_ERROR_BYTES = 2 ** 16;
const ERROR_TEXT_TIMEOUT_MS = 1_000;

/** Timeout of the connection that finds out why nothing answers. */
const PROBE_MS = 1_000;

/** The error for an answer of an unexpected status, type or content. `known` is its text if it has been read. */
export async function errorOf(
  response: Response,
  { baseUrl, auth }: Settings,
  kinds: AnswerErrors,
  known?: string,
): Promise<MayflyResponseError> {
  const { status, headers } = response;
  const { text, isWhole } = known === undefined ? await errorText(response) : { text: known, isWhole: true };
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
  // The interface's text is short, so the hint names the limit and the fix.
  const hint = quoted(headers.get('mayfly-hint') ?? '');
  const sentence = `${quoted(errorIn(text) ?? text)} ${hint}`.trim();
  const code = headers.get('mayfly-error');
  if (status === 404 && code === null) return foreign(sentence);
  const message = `Mayfly at ${baseUrl} answered ${status}${said(sentence)}`;
  const sent = auth ? 'credentials and MAYFLY_CREDENTIALS' : 'apiKey and MAYFLY_API_KEY';
  const remedy = code === 'private-inbox' ? '' : ` See ${sent}.`;
  if (status === 401) return new kinds.MayflyAuthError(message + remedy, { status });
  const passing = { status, retryAfterMs: retryAfterMs(response) };
  if (status === 429) return new kinds.MayflyRateLimitError(message, passing);
  if (status === 503 && headers.has('retry-after')) return new kinds.MayflyResponseError(message, passing);
  return new (code === 'no-such-email' ? kinds.MayflyGoneError : kinds.MayflyResponseError)(message, { status });
}

const said = (sentence: string) => (sentence ? `: ${sentence}` : ' without a word.');

function errorIn(text: string): string | undefined {
  const error: unknown = parsed<ErrorResponse>(text)?.error;
  return typeof error === 'string' ? error : undefined;
}

/** The beginning of an answer's text, as far as it arrives in time: its status is enough for an error. */
async function errorText(response: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const time = new Deadline(ERROR_TEXT_TIMEOUT_MS);
  return beginningOf(response, MAX_ERROR_BYTES, time.over).finally(() => time.end());
}

/** Control characters of a hostile answer, and those that turn the direction of text, must not reach a terminal. */
function quoted(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** `Retry-After` in whole seconds (RFC 9110 section 10.2.3), as Mayfly gives it. */
function retryAfterMs({ headers }: Response): number {
  const askedMs = Number(headers.get('retry-after')) * 1000 || STANDARD_RETRY_MS;
  return Math.min(Math.max(askedMs, LEAST_RETRY_MS), MOST_RETRY_MS);
}

/** An open connection without an answer. It shows the fixtures that a process listens there. */
export const SILENT = 'connected, but no answer yet; the machine may be busy';
const IS_SMTP = 'that is an SMTP port';
const REFUSED = 'ECONNREFUSED';
const NO_ROUTE = /^(?:E(?:HOSTUNREACH|NETUNREACH|TIMEDOUT)|UND_ERR_CONNECT_TIMEOUT)$/;

/** Codes of a connection that broke: the next may hold. */
const BROKEN = /^(?:E(?:CONNRESET|CONNABORTED|PIPE)|UND_ERR_SOCKET)$/;

export interface Unreached {
  readonly error: MayflyNetworkError | undefined;
  readonly mayAnswer: boolean;
}

/** Judges a service that has never answered. A request does not tell whether a connection opens: Node can try. */
export async function unreached(
  trouble: MayflyNetworkError | undefined,
  settings: Settings,
  kinds: AnswerErrors,
): Promise<Unreached> {
  const cause = trouble?.cause;
  const { code = '' } = innermost(cause ?? {});
  const isPassing = !cause || code === REFUSED || NO_ROUTE.test(code) || BROKEN.test(code);
  const connection = isPassing ? await connectionTo(settings) : undefined;
  const isOpen = connection === true;
  const why = cause ?? (isOpen ? undefined : connection);
  if (why) return { error: told(inPlainWords(why), settings, kinds, { cause: why }), mayAnswer: isOpen };
  return { error: told(isOpen ? SILENT : `no answer in time${platform.way}`, settings, kinds), mayAnswer: true };
}

interface PlatformError extends Partial<AggregateError> {
  readonly cause?: unknown;
  readonly code?: string;
  /** The answer that is not HTTP, as Node's fetch has it. */
  readonly data?: string;
}

function reasonOf(error: unknown): string {
  const inner = innermost(error);
  // An SMTP reply (RFC 5321 section 4.2).
  return /^\d{3}[ -]/.test(`${inner.data}`) ? IS_SMTP : inner.message || inner.code || String(inner);
}

/** The error of a request without an answer. Rejects with another if the test itself kept it from the service. */
export async function noAnswer(cause: unknown, settings: Settings, kinds: AnswerErrors): Promise<MayflyNetworkError> {
  platform.checkIntercepted?.(cause, settings.baseUrl);
  return told(reasonOf(cause), settings, kinds, { cause });
}

const ADVICE: Readonly<Record<string, string>> = {
  [SILENT]: 'Give it more time (timeout), or check what listens there.',
  [IS_SMTP]: 'Give the HTTP port of Mayfly, by default 8080.',
};

function told(saw: string, { baseUrl }: Settings, kinds: AnswerErrors, options?: ErrorOptions): MayflyNetworkError {
  const advice = ADVICE[saw] ?? 'Is it running there?';
  const message = `Mayfly at ${baseUrl} cannot be reached: ${saw}. ${advice} See baseUrl and MAYFLY_URL.`;
  return new kinds.MayflyNetworkError(message, { baseUrl }, options);
}

/** The error that others were made of: Node hides it in the cause, and for a name with several addresses one deeper. */
function innermost(error: unknown): PlatformError {
  const { cause, errors } = error as PlatformError;
  const inner = cause ?? errors?.[0];
  return inner ? innermost(inner) : (error as PlatformError);
}

function inPlainWords(why: unknown): string {
  const { code = '' } = innermost(why);
  if (code === REFUSED) return `${reasonOf(why)} (refused: nothing listens there)`;
  return reasonOf(why) + (NO_ROUTE.test(code) ? ' (no route: check the address, the network and firewalls)' : '');
}

/** True if a connection can be opened, otherwise why not; undefined if unknown. */
async function connectionTo({ baseUrl, fetch }: Settings): Promise<true | PlatformError | undefined> {
  const { process } = globalThis;
  const { protocol, hostname, port } = new URL(baseUrl);
  // Another fetch, or a proxy, may connect elsewhere.
  if (fetch !== globalThis.fetch || process?.env?.NODE_USE_ENV_PROXY) return undefined;
  const to = { host: hostname.replace(/[[\]]/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  try {
    const socket = process.getBuiltinModule('node:net').connect(to);
    const opened = new Promise<true | PlatformError>((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', resolve);
    });
    const time = new Deadline(PROBE_MS);
    const late = time.over.then(() => ({ code: 'ETIMEDOUT', message: `connect ETIMEDOUT ${to.host}:${to.port}` }));
    return await Promise.race([opened, late]).finally(() => {
      time.end();
      socket.destroy();
    });
  } catch {
    // Browsers have no sockets, and some runners give tests another process, which may have no modules.
    return undefined;
  }
}
