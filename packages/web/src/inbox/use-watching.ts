import { useState } from 'preact/hooks';
import { useUntil } from '../ui/until.js';

/**
 * The hidden tabs of a browser that may follow their inboxes. Each uses one of the six HTTP/1.1 connections of a browser
 * to the service, so the others rest until they are visible.
 */
const HIDDEN_TABS = 2;

/** Whether this tab may follow its inbox. */
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

/** Takes one of the places of hidden tabs until the signal is aborted. Resolves to whether one was free. */
async function takePlace(signal: AbortSignal): Promise<boolean> {
  // Pages from another machine over plain HTTP have no locks.
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
