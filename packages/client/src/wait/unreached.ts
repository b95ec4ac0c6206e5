import { Deadline } from './deadline.js';
import { PROBE_MS } from './error-bounds.js';
import type { AnswerErrors, MayflyError, MayflyNetworkError } from './errors.js';
import { platform } from './platform.js';
import type { Settings } from './settings.js';

/** As much of Node as is used here. */
interface Socket {
  on(event: 'connect', listener: () => void): Socket;
  on(event: 'error', listener: (error: PlatformError) => void): Socket;
  destroy(): void;
}
interface Net {
  connect(to: { readonly host: string; readonly port: number }): Socket;
}
interface Node {
  readonly env?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: 'node:net'): Net;
}

/** What is open, but says nothing. The fixtures tell by it that something is there. */
export const SILENT = 'connected, but no answer yet; the machine may be busy';

const LATE = 'no answer in time';

/** What greets as SMTP does. */
const IS_SMTP = 'that is an SMTP port';

/** Codes of a connection that could not be opened. */
const REFUSED = 'ECONNREFUSED';
const NO_ROUTE = /^(?:E(?:HOSTUNREACH|NETUNREACH|TIMEDOUT)|UND_ERR_CONNECT_TIMEOUT)$/;

/** Codes of a connection that broke: the next may hold. */
const BROKEN = /^(?:E(?:CONNRESET|CONNABORTED|PIPE)|UND_ERR_SOCKET)$/;

/** Why nothing has answered, and whether an answer may still come. */
export interface Unreached {
  readonly error: MayflyError | undefined;
  readonly mayAnswer: boolean;
}

/**
 * Judges a service that has never answered, after the last failure of a request if there was one. Requests without an
 * answer do not tell whether a connection is open: Node can try to open one.
 */
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
  return { error: told(isOpen ? SILENT : LATE + platform.way, settings, kinds), mayAnswer: true };
}

/** What an error of a platform may have. */
interface PlatformError extends Partial<AggregateError> {
  readonly cause?: unknown;
  readonly code?: string;
  /** The answer that is not HTTP, as Node's fetch has it. */
  readonly data?: string;
}

/**
 * What went wrong, in the words of the platform: Node hides them in the cause, and for a name with several addresses
 * one deeper.
 */
function reasonOf(error: unknown): string {
  const { cause, errors, message, code, data } = error as PlatformError;
  const inner = cause ?? errors?.[0];
  if (inner) return reasonOf(inner);
  // An SMTP reply (RFC 5321 section 4.2).
  if (/^\d{3}[ -]/.test(`${data}`)) return IS_SMTP;
  return message || code || String(error);
}

/**
 * The error of a request without an answer, for a reason of the platform. Rejects with another `MayflyError` if
 * something of the test itself kept it from the service.
 */
export async function noAnswer(cause: unknown, settings: Settings, kinds: AnswerErrors): Promise<MayflyNetworkError> {
  await platform.checkIntercepted?.(cause, settings.baseUrl);
  return told(reasonOf(cause), settings, kinds, { cause });
}

/** What to do about what was seen, where it is not whether the service runs. */
const ADVICE: Readonly<Record<string, string>> = {
  [SILENT]: 'Give it more time (timeout), or check what listens there.',
  [IS_SMTP]: 'Give the HTTP port of Mayfly, by default 8080.',
};

function told(
  saw: string,
  { baseUrl }: Settings,
  { MayflyNetworkError }: AnswerErrors,
  options: ErrorOptions = {},
): MayflyNetworkError {
  const advice = ADVICE[saw] ?? 'Is it running there?';
  const message = `Mayfly at ${baseUrl} cannot be reached: ${saw}. ${advice} See baseUrl and MAYFLY_URL.`;
  return new MayflyNetworkError(message, { baseUrl }, options);
}

/** The error that others were made of: Node hides it in the cause, and for a name with several addresses one deeper. */
function innermost(error: unknown): PlatformError {
  const { cause, errors } = error as PlatformError;
  const inner = cause ?? errors?.[0];
  return inner ? innermost(inner) : (error as PlatformError);
}

/** What the platform said of a connection, and what that means. */
function inPlainWords(why: unknown): string {
  const { code = '' } = innermost(why);
  if (code === REFUSED) return `${reasonOf(why)} (refused: nothing listens there)`;
  return reasonOf(why) + (NO_ROUTE.test(code) ? ' (no route: check the address, the network and firewalls)' : '');
}

/** True where a connection can be opened, or why not; undefined where that cannot be told. */
async function connectionTo({ baseUrl, fetch }: Settings): Promise<true | PlatformError | undefined> {
  const { process } = globalThis as { process?: Node };
  const { protocol, hostname, port } = new URL(baseUrl);
  // Another fetch, or a proxy, may connect to somewhere else.
  if (fetch !== globalThis.fetch || process?.env?.NODE_USE_ENV_PROXY) return undefined;
  const to = { host: hostname.replace(/[[\]]/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  const time = new Deadline(PROBE_MS);
  let socket: Socket | undefined;
  try {
    socket = process?.getBuiltinModule?.('node:net').connect(to);
    if (socket === undefined) return undefined;
    const opened = new Promise<true | PlatformError>((resolve) => {
      socket?.on('connect', () => resolve(true)).on('error', resolve);
    });
    const late = time.over.then(() => ({ code: 'ETIMEDOUT', message: `connect ETIMEDOUT ${to.host}:${to.port}` }));
    return await Promise.race([opened, late]);
  } catch {
    // Some runners give tests another process, which may have no modules.
    return undefined;
  } finally {
    time.end();
    socket?.destroy();
  }
}
