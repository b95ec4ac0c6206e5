import type { Clock } from '../../base/clock.js';
import type { Selection } from '../read/selecting.js';
import type { FoundEmail, Waiting } from './waiting.js';

export interface Patience {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits for an email that matches, for as long as is told: the newest that is there, or the next to come; null when
 * none does in time. Rejects when the store fails, and with the signal's reason when it is aborted: then nobody waits
 * any more.
 */
export function nextEmail(
  { inboxes, clock }: { readonly inboxes: { readonly wait: Waiting['begin'] }; readonly clock: Clock },
  inbox: string,
  selection: Selection,
  { timeoutMs, signal }: Patience,
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
    // A wait has the time of a stream, which may be less.
    const begin = () => {
      const wait = inboxes.wait(inbox, selection, {
        found: (email) => over(() => resolve(email)),
        timedOut: begin,
        failed: (error) => over(() => reject(error)),
      });
      if (!isOver) leave = () => wait.leave();
    };
    begin();
  });
}
