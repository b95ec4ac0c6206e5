import { useState } from 'preact/hooks';
import { useUntil } from '../ui/until.js';

/**
 * Maximum number of hidden tabs of a browser that follow their inboxes. Each tab uses one of the browser's six HTTP/1.1
 * connections to the service, so further hidden tabs rest until they are visible.
 */
const HIDDEN_TABS = 2;

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

/** Reserves a place for a hidden tab until the signal is aborted. Resolves to whether a place was free. */
async function takePlace(signal: AbortSignal): Promise<boolean> {
  // Pages from another machine over plain HTTP have no Web Locks API.
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
