import type { Agent, IncomingMessage } from 'node:http';
import { MAX_REDIRECTS, STANDARD_CONNECT_TIMEOUT_MS } from './bounds.js';
import { NO_DECODER, platform } from './errors.js';
import { REDIRECTS } from './http.js';

// The part of `fetch()` that the client needs, on top of `node:http`. Used for tests with a DOM, whose `fetch()` has
// the restrictions of browsers, and for requests that may go to a proxy.

const FLAG = '--use-env-proxy';

const { document } = globalThis as { document?: unknown };

/** The timeout ends a proxy tunnel that never opens. An abort would not end it, and the process would never exit. */
const PROXIED = { proxyEnv: process.env, timeout: STANDARD_CONNECT_TIMEOUT_MS };
const agents = new Map<string, Agent>();

export const nodeFetch: typeof fetch = async (input, init = {}) => {
  if (typeof TextDecoder === 'undefined') throw new Error(NO_DECODER);
  let url = new URL(String(input));
  const proxy = isLoopback(url.hostname) ? null : proxyOf(url);
  platform.way = proxy === null ? '' : wayBy(proxy, url);
  // Uses the global fetch, so the caller's settings, such as a dispatcher, still apply.
  if (document === undefined && proxy === null && !isLoopback(url.hostname)) return fetch(input, init);
  let headers = init.headers as Record<string, string>;
  for (let redirects = 0; ; redirects++) {
    const incoming = await answerTo(url, { ...init, headers }, proxy);
    const status = incoming.statusCode ?? 0;
    const { location } = incoming.headers;
    if (!REDIRECTS.has(status) || typeof location !== 'string') return responseOf(incoming, status);
    incoming.destroy();
    if (redirects === MAX_REDIRECTS) throw new Error(`no answer after ${MAX_REDIRECTS} redirects`);
    const next = new URL(location, url);
    if (!/^https?:$/.test(next.protocol)) throw new Error(`the server redirects to "${next.protocol}", not to HTTP`);
    // The key is sent only to its own origin (Fetch Standard, HTTP-redirect fetch).
    if (next.origin !== url.origin) headers = { ...headers, authorization: '' };
    url = next;
  }
};

function answerTo(url: URL, { method, headers, body, signal }: RequestInit, proxy: string | null) {
  const http = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const key = `${url.protocol} ${proxy !== null}`;
  const agent = agents.get(key) ?? new http.Agent({ keepAlive: true, ...(proxy && PROXIED) });
  agents.set(key, agent);
  const given = Object.entries(headers as Record<string, string>).filter(([, value]) => value);
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = http.request(url, { method, headers: Object.fromEntries(given), agent });
    const abort = () => {
      const error = new Error('aborted');
      request.destroy(error);
      reject(error);
    };
    signal?.addEventListener('abort', abort);
    request.on('response', resolve).on('error', (error: NodeJS.ErrnoException) => {
      reject(proxy ? new Error(`${error.message || error.code}${wayBy(proxy, url)}`) : error);
    });
    request.end(body ?? undefined);
    if (signal?.aborted) abort();
  });
}

/** Imitates the parts of `Response` that the client uses. With a DOM, that class may be missing or of another realm. */
function responseOf(incoming: IncomingMessage, status: number): Response {
  const get = (name: string) => incoming.headers[name]?.toString() ?? null;
  const chunks = incoming[Symbol.asyncIterator]();
  const cancel = async () => incoming.destroy();
  const response = {
    status,
    ok: status >= 200 && status < 300,
    headers: { get, has: (name: string) => get(name) !== null },
    body: { getReader: () => ({ read: () => chunks.next(), cancel }), cancel },
  };
  return response as unknown as Response;
}

/** The name of the variable that holds the proxy for an address; null if Node uses no proxy. */
function proxyOf({ protocol }: URL): string | null {
  const { env, execArgv, allowedNodeEnvironmentFlags } = process;
  if (!allowedNodeEnvironmentFlags.has(FLAG)) return null;
  const flags = [...execArgv, ...(env.NODE_OPTIONS ?? '').split(' ')];
  if (env.NODE_USE_ENV_PROXY !== '1' && !flags.includes(FLAG)) return null;
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  return names.find((name) => env[name]) ?? null;
}

function wayBy(proxy: string, { hostname }: URL): string {
  return ` (the request went to the proxy in ${proxy}; to ask Mayfly directly, set NO_PROXY=${hostname})`;
}

/** Whether a host is this machine, which is never reached through a proxy (RFC 6761 section 6.3). */
function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
