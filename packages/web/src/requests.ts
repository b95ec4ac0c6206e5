import { MayflyAuthError, MayflyError, MayflyGoneError, MayflyNetworkError, MayflyResponseError } from 'mayfly-client';
import type { Requests, Target } from 'mayfly-client/api';
import { TOO_LARGE, TOO_SLOW } from './problem-words.js';

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

export const SILENCE_MS = 15_000;

/** Limits of a response: its silence in milliseconds before and after it begins, its whole time, and its bytes. */
export interface Limits {
  readonly beginMs: number;
  readonly silenceMs: number;
  readonly wholeMs: number;
  readonly bytes: number;
}

/** The largest answers without whole messages are a list of 2,500 summaries (2.5 MB) and a page of a run (12 MB). */
const ANSWER: Limits = { beginMs: SILENCE_MS, silenceMs: SILENCE_MS, wholeMs: 300_000, bytes: 2 ** 24 };

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
  { beginMs, silenceMs, wholeMs, bytes }: Limits = ANSWER,
): Chunks {
  const own = new AbortController();
  const end = () => own.abort();
  let silence = setTimeout(end, beginMs);
  const whole = setTimeout(() => own.abort(errorOf(TOO_SLOW)), wholeMs);
  let room = bytes;
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
      room -= value.length;
      if (room < 0) throw errorOf(TOO_LARGE);
      silence = setTimeout(end, silenceMs);
      yield value;
    }
  } catch (error) {
    for (const reason of [error, own.signal.reason]) if (reason instanceof MayflyError) throw reason;
    throw new MayflyNetworkError('No answer.', { baseUrl: location.origin }, { cause: error });
  } finally {
    clearTimeout(silence);
    clearTimeout(whole);
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

/** The client's requests. Smaller than the client's transport, whose messages and queues a browser does not need. */
export function transportWith(key: string | null): Requests {
  const urlOf = ({ path, query = {} }: Pick<Target, 'path' | 'query'>) => {
    const text = new URLSearchParams(JSON.parse(JSON.stringify(query)) as Record<string, string>);
    return `${location.origin}${path}?${text}`.replace(/\?$/, '');
  };
  const send = (target: Target, method = 'GET') => {
    const { signal, most = ANSWER.bytes } = target;
    return chunksOf(urlOf(target), { method, key, signal }, { ...ANSWER, bytes: most });
  };
  return {
    urlOf,
    json: (target, isRight) => jsonOf(send(target), isRight),
    chunks: (target) => Array.fromAsync(send(target)),
    delete: async (target) => void (await Array.fromAsync(send(target, 'DELETE'))),
  };
}
