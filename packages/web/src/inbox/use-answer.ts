import { MayflyGoneError, MayflyResponseError } from 'mayfly-client';
import { pauseMs } from 'mayfly-client/retry';
import { useEffect, useState } from 'preact/hooks';
import { pause } from './feed.js';

/** So often a service that is busy is asked before that is said: some three seconds, as the pauses grow. */
export const BUSY_TRIES = 6;

/** What a service answers that is busy with other messages. */
export const BUSY_STATUS = 503;

/** What the service is asked for of the email on screen, as far as it has come. */
export interface Answer<T> {
  /** Null while it is on its way, and where it could not be had. */
  readonly value: T | null;
  readonly error: Error | null;
  retry(): void;
}

/**
 * Asks once, again where the service is busy, and again when told to. `onGone` hears that the email is not there any
 * more.
 */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, onGone: () => void): Answer<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setError(null);
    patiently(ask, controller.signal).then(setValue, (reason: Error) => {
      if (controller.signal.aborted) return;
      setError(reason);
      if (reason instanceof MayflyGoneError) onGone();
    });
    return () => controller.abort();
  }, [attempt]);
  return { value, error, retry: () => setAttempt(attempt + 1) };
}

/** Asks until the service is not too busy to answer, or has been for too long. Rejects as the last request does. */
async function patiently<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(signal);
    } catch (error) {
      const isBusy = error instanceof MayflyResponseError && error.status === BUSY_STATUS;
      if (!isBusy || tries === BUSY_TRIES) throw error;
    }
    await pause(pauseMs(tries, null), signal);
  }
}
