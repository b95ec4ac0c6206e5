/**
 * As `fetch()`, but a request that it has rejected is never aborted. Node emits the abort on what is left of an answer
 * that it refused, such as one in too many encodings, as an error that no one can catch: any server could end the
 * process.
 */
export async function oneFetch(
  url: string,
  request: Omit<RequestInit, 'signal'>,
  signal: AbortSignal,
  fetch = globalThis.fetch,
): Promise<Response> {
  signal.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await fetch(url, { ...request, signal: own.signal });
  } catch (error) {
    signal.removeEventListener('abort', abort);
    throw error;
  }
}

/** Why a `fetch()` failed: its own message says only that it did. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message;
}
