import type { Clock } from '../base/clock.js';
import type { Selection } from './read/selecting.js';
import type { FoundEmail, Taker, Wait, Waits } from './wait.js';

export interface Patience extends Taker {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Waits for a matching email: the newest, or the next; null in the end. Rejects if the store fails, or on abort. */
export function nextEmail(
  { inboxes, clock }: { readonly inboxes: { readonly wait: Waits['begin'] }; readonly clock: Clock },
  inbox: string,
  selection: Selection,
  { timeoutMs, signal, way, client }: Patience,
): Promise<FoundEmail | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let wait: Wait;
    const over = (settle: () => void) => {
      endTimer();
      signal.removeEventListener('abort', aborted);
      wait.leave();
      settle();
    };
    const aborted = () => over(() => reject(signal.reason));
    const endTimer = clock.after(timeoutMs, () => over(() => resolve(null)));
    signal.addEventListener('abort', aborted);
    // One wait lasts at most as long as a stream.
    const begin = () => {
      wait = inboxes.wait(inbox, selection, {
        way,
        client,
        found: (email) => over(() => resolve(email)),
        timedOut: begin,
        failed: (error) => over(() => reject(error)),
      });
    };
    begin();
  });
}
