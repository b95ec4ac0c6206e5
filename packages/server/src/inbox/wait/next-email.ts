import type { Clock } from '../../base/clock.js';
import type { Selection } from '../read/selecting.js';
import type { FoundEmail, Taker, Waiting } from './waiting.js';

export interface Patience extends Taker {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Waits for a matching email: the newest, or the next; null in the end. Rejects if the store fails, or on abort. */
export function nextEmail(
  { inboxes, clock }: { readonly inboxes: { readonly wait: Waiting['begin'] }; readonly clock: Clock },
  inbox: string,
  selection: Selection,
  { timeoutMs, signal, way, client }: Patience,
): Promise<FoundEmail | null> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    let isOver = false;
    let leave = () => {};
    const over = (settle: () => void) => {
      isOver = true;
      endTimer();
      signal.removeEventListener('abort', aborted);
      leave();
      settle();
    };
    const aborted = () => over(() => reject(signal.reason));
    const endTimer = clock.after(timeoutMs, () => over(() => resolve(null)));
    signal.addEventListener('abort', aborted);
    // One wait lasts at most as long as a stream.
    const begin = () => {
      const wait = inboxes.wait(inbox, selection, {
        way,
        client,
        found: (email) => over(() => resolve(email)),
        timedOut: begin,
        failed: (error) => over(() => reject(error)),
      });
      if (!isOver) leave = () => wait.leave();
    };
    begin();
  });
}
