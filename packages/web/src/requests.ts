import { MayflyAuthError, MayflyError, MayflyGoneError, MayflyNetworkError, MayflyResponseError } from 'mayfly-client';
import type { PageApi } from 'mayfly-client/api';

/** The pause before a retry if the response requests none, and the bounds of what it can request. */
const STANDARD_RETRY_MS = 1_000;
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 3_600_000;

/** The status of an answer that is not from Mayfly. */
const FOREIGN = 200;

/** The error for a response with an unexpected status or content. */
function errorOf(answered: number, headers = new Headers()): MayflyResponseError {
  // A proxy that has lost the service answers 404, but that deletes no email.
  const status = answered === 404 && !headers.has('mayfly-error') ? FOREIGN : answered;
  const message = `The answer was ${status}.`;
  const askedMs = Number(headers.get('retry-after')) * 1_000 || STANDARD_RETRY_MS;
  const data = { status, retryAfterMs: Math.min(Math.max(askedMs, MIN_RETRY_MS), MAX_RETRY_MS) };
  if (status === 401) return new MayflyAuthError(message, data);
  return status === 404 ? new MayflyGoneError(message, data) : new MayflyResponseError(message, data);
}

/** Maximum silence before and within a response. */
const SILENCE_MS = 15_000;

interface Sent extends Pick<RequestInit, 'method' | 'headers' | 'body' | 'keepalive'> {
  /** The bearer token; empty or null without one. */
  readonly key?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** Sends a request, and yields its response in chunks. Throws the error classes of the client. */
export async function* chunksOf(
  url: string,
  { key, signal, headers, ...request }: Sent,
  firstMs = SILENCE_MS,
  silenceMs = SILENCE_MS,
): Chunks {
  const own = new AbortController();
  const end = () => own.abort();
  let silence = setTimeout(end, firstMs);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    const all = { ...headers, ...(key && { authorization: `Bearer ${key}` }) };
    const response = await fetch(url, { ...request, headers: all, signal: own.signal });
    if (!response.ok) throw errorOf(response.status, response.headers);
    for (const reader = response.body?.getReader(); ; ) {
      const { value } = (await reader?.read()) ?? {};
      clearTimeout(silence);
      if (value === undefined) return;
      silence = setTimeout(end, silenceMs);
      yield value;
    }
  } catch (error) {
    if (error instanceof MayflyError) throw error;
    throw new MayflyNetworkError('No answer.', { baseUrl: location.origin }, { cause: error });
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', end);
    // A caller that has read enough leaves the rest.
    end();
  }
}

export async function jsonOf<T>(chunks: Chunks, isRight: (value: T) => unknown = () => true): Promise<T> {
  const text = await new Blob(await Array.fromAsync(chunks)).text();
  try {
    const value: T = JSON.parse(text);
    if (value && isRight(value)) return value;
  } catch {}
  throw errorOf(FOREIGN);
}

interface Target extends Sent {
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

function urlOf({ path, query = {} }: Target): string {
  const text = new URLSearchParams(JSON.parse(JSON.stringify(query)) as Record<string, string>);
  return `${location.origin}${path}?${text}`.replace(/\?$/, '');
}

/**
 * Sends the client's requests with a key. Smaller than the client's transport, whose messages the page does not show
 * (problem-words.ts), and whose queues a browser does not need. Lacks `event`, since the page reads streams itself.
 */
export function transportWith(key: string | null): PageApi['transport'] {
  const send = (target: Target) => chunksOf(urlOf(target), { ...target, key });
  const transport = {
    urlOf,
    json: <T>(target: Target, isRight: (value: T) => unknown) => jsonOf(send(target), isRight),
    chunks: (target: Target) => Array.fromAsync(send(target)),
    delete: async (target: Target) => void (await Array.fromAsync(send({ ...target, method: 'DELETE' }))),
  };
  return transport as Partial<PageApi['transport']> as PageApi['transport'];
}
