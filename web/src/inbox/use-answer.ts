import { MayflyGoneError } from 'mayfly-client';
import { useEffect, useState } from 'preact/hooks';

/** What the service is asked for of the email on screen, as far as it has come. */
export interface Answer<T> {
  /** Null while it is on its way, and where it could not be had. */
  readonly value: T | null;
  readonly error: Error | null;
  retry(): void;
}

/** Asks once, and again when told to. `onGone` hears that the email is not there any more. */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, onGone: () => void): Answer<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setError(null);
    ask(controller.signal).then(setValue, (reason: Error) => {
      if (controller.signal.aborted) return;
      setError(reason);
      if (reason instanceof MayflyGoneError) onGone();
    });
    return () => controller.abort();
  }, [attempt]);
  return { value, error, retry: () => setAttempt(attempt + 1) };
}
