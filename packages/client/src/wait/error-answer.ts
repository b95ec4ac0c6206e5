import type { ErrorResponse } from 'mayfly-protocol/wire';
import { Deadline } from './deadline.js';
import { type AnswerErrors, type MayflyNetworkError, type MayflyResponseError, platform } from './errors.js';
import { beginningOf } from './http.js';
import type { Settings } from './settings.js';
import { parsed } from './text.js';

// Errors for unexpected or missing responses. Loaded only when a request fails.

/** The pause after a 429 without Retry-After, and the bounds of the pause that a 429 requests. */
const STANDARD_RETRY_MS = 1_000;
const LEAST_RETRY_MS = 100;
const MOST_RETRY_MS = 3_600_000;
export const MAX_QUOTE_LENGTH = 500;

/** Maximum bytes of an error's body to read, and maximum time to read them after the status. */
const MAX_ERROR_BYTES = 2 ** 16;
const ERROR_TEXT_TIMEOUT_MS = 1_000;

/** Timeout of the connection attempt that finds out why nothing answers. */
const PROBE_MS = 1_000;

/** The error for a response with an unexpected status, type or content. `known` is the body if it was already read. */
export async function errorOf(
  response: Response,
  { baseUrl, auth }: Settings,
  kinds: AnswerErrors,
  known?: string,
): Promise<MayflyResponseError> {
  const { status, headers } = response;
  const { text, isWhole } = known === undefined ? await errorText(response) : { text: known, isWhole: true };
  const foreign = (sentence: string) => {
    const message = `${baseUrl} answered ${status}${said(sentence)} Is this Mayfly? Check baseUrl and MAYFLY_URL.`;
    return new kinds.MayflyResponseError(message, { status });
  };
  if (response.ok) {
    const type = headers.get('content-type') || 'no type';
    if (!type.startsWith('application/json')) return foreign(quoted(`${type}: ${text}`));
    const isJson = !isWhole || parsed(text) !== undefined;
    return foreign(isJson ? 'JSON, but not what Mayfly sends.' : `no JSON, but ${quoted(text) || 'an empty body.'}`);
  }
  // The service's error text is short; the hint adds the limit and the fix.
  const hint = quoted(headers.get('mayfly-hint') ?? '');
  const sentence = `${quoted(errorIn(text) ?? text)} ${hint}`.trim();
  const code = headers.get('mayfly-error');
  if (status === 404 && code === null) return foreign(sentence);
  const message = `Mayfly at ${baseUrl} answered ${status}${said(sentence)}`;
  const sent = auth ? 'credentials and MAYFLY_CREDENTIALS' : 'apiKey and MAYFLY_API_KEY';
  const remedy = code === 'private-inbox' ? '' : ` Check ${sent}.`;
  if (status === 401) return new kinds.MayflyAuthError(message + remedy, { status });
  const passing = { status, retryAfterMs: retryAfterMs(response) };
  if (status === 429) return new kinds.MayflyRateLimitError(message, passing);
  if (status === 503 && headers.has('retry-after')) return new kinds.MayflyResponseError(message, passing);
  return new (code === 'no-such-email' ? kinds.MayflyGoneError : kinds.MayflyResponseError)(message, { status });
}

const said = (sentence: string) => (sentence ? `: ${sentence}` : ' without text.');

function errorIn(text: string): string | undefined {
  const error: unknown = parsed<ErrorResponse>(text)?.error;
  return typeof error === 'string' ? error : undefined;
}

/** The start of the body, as far as it arrives in time; the status alone is enough for an error. */
async function errorText(response: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const time = new Deadline(ERROR_TEXT_TIMEOUT_MS);
  return beginningOf(response, MAX_ERROR_BYTES, time.over).finally(() => time.end());
}

/** Shortens a text and blanks control and text-direction characters, which could alter what a terminal displays. */
function quoted(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** Reads `Retry-After` in whole seconds (RFC 9110 section 10.2.3), the only form that Mayfly sends. */
function retryAfterMs({ headers }: Response): number {
  const askedMs = Number(headers.get('retry-after')) * 1000 || STANDARD_RETRY_MS;
  return Math.min(Math.max(askedMs, LEAST_RETRY_MS), MOST_RETRY_MS);
}

/** The reason if a connection opened but no response followed. Fixtures then do not suggest starting Mayfly. */
export const SILENT = 'connected, but no answer yet; the machine may be busy';
const IS_SMTP = 'that is an SMTP port';
const REFUSED = 'ECONNREFUSED';
const NO_ROUTE = /^(?:E(?:HOSTUNREACH|NETUNREACH|TIMEDOUT)|UND_ERR_CONNECT_TIMEOUT)$/;

/** Error codes of a broken connection, after which a retry may succeed. */
const BROKEN = /^(?:E(?:CONNRESET|CONNABORTED|PIPE)|UND_ERR_SOCKET)$/;

export interface Unreached {
  readonly error: MayflyNetworkError | undefined;
  readonly mayAnswer: boolean;
}

/** Explains why a service never answered. Opens a socket to find out whether the service accepts connections. */
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
  /** What the server sent if it was not HTTP, as Node's fetch reports it. */
  readonly data?: string;
}

function reasonOf(error: unknown): string {
  const inner = innermost(error);
  // An SMTP reply (RFC 5321 section 4.2).
  return /^\d{3}[ -]/.test(`${inner.data}`) ? IS_SMTP : inner.message || inner.code || String(inner);
}

/** The error for a request without a response. Rejects with a different error if the test itself blocked the request. */
export async function noAnswer(cause: unknown, settings: Settings, kinds: AnswerErrors): Promise<MayflyNetworkError> {
  platform.checkIntercepted?.(cause, settings.baseUrl);
  return told(reasonOf(cause), settings, kinds, { cause });
}

const ADVICE: Readonly<Record<string, string>> = {
  [SILENT]: 'Raise the timeout, or check what listens there.',
  [IS_SMTP]: 'Use the HTTP port of Mayfly, by default 8080.',
};

function told(saw: string, { baseUrl }: Settings, kinds: AnswerErrors, options?: ErrorOptions): MayflyNetworkError {
  const advice = ADVICE[saw] ?? 'Is Mayfly running there?';
  const message = `Mayfly at ${baseUrl} cannot be reached: ${saw}. ${advice} Check baseUrl and MAYFLY_URL.`;
  return new kinds.MayflyNetworkError(message, { baseUrl }, options);
}

/** The original error. Node puts it in `cause` or, if a host name has several addresses, in `errors` of the cause. */
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

/** Tries to open a connection. Resolves to true or to the error; undefined if it cannot try. */
async function connectionTo({ baseUrl, fetch }: Settings): Promise<true | PlatformError | undefined> {
  const { process } = globalThis;
  const { protocol, hostname, port } = new URL(baseUrl);
  // A custom fetch or a proxy may connect elsewhere, so a direct connection would prove nothing.
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
    // Browsers have no sockets, and some runners give tests a `process` without Node's modules.
    return undefined;
  }
}
