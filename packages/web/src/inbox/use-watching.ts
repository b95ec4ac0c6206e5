import { useState } from 'preact/hooks';
import { useUntil } from '../ui/until.js';

/**
 * So many hidden tabs of a browser follow their inboxes, and tell in their titles what has come. Each holds one of the
 * six connections that a browser has to a service over HTTP/1.1, so the others rest until they are seen.
 */
const HIDDEN_TABS = 2;

/** Whether this tab may follow its inbox now. */
export function useWatching(): boolean {
  const [isResting, setResting] = useState(false);
  useUntil([], (ended) => {
    let shown = new AbortController();
    const look = async () => {
      shown.abort();
      shown = new AbortController();
      const { signal } = shown;
      if (!document.hidden) return setResting(false);
      const hasPlace = await takePlace(signal);
      if (!signal.aborted) setResting(!hasPlace);
    };
    look();
    document.addEventListener('visibilitychange', look, { signal: ended });
    ended.addEventListener('abort', () => shown.abort());
  });
  return !isResting;
}

/**
 * Takes one of the places that hidden tabs share, and holds it until the signal is aborted. Resolves to whether one was
 * free.
 */
async function takePlace(signal: AbortSignal): Promise<boolean> {
  // Browsers have no locks for pages that come over plain HTTP from another machine.
  if (!isSecureContext) return false;
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const take = (place: number) =>
    new Promise<boolean>((resolve) => {
      navigator.locks.request(`mayfly-hidden-${place}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null || signal.aborted ? null : ended;
      });
    });
  for (let place = 0; place < HIDDEN_TABS; place++) {
    if (await take(place)) return true;
  }
  return false;
}
