import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { Store } from '../store/store.js';

/** How often expired mail is looked for. */
const PURGE_EVERY_MS = 1_000;

/** Pause between two steps while there is more to delete, so that reads and deliveries come between them. */
const STEP_PAUSE_MS = 10;

/** Mail is deleted only so long after it expired, so that a slow reader can finish an answer that it began before. */
const READER_GRACE_MS = 60_000;

export interface Purging {
  /** Resolves when the step that is running has ended; no other follows. */
  stop(): Promise<void>;
}

/** Deletes expired mail in small steps, for as long as the service runs. Only cleaning up: no read shows it (D7). */
export function startPurging(store: Store, clock: Clock, log: Log): Purging {
  let cancel = () => {};
  let isStopped = false;
  let isFailing = false;
  let step = Promise.resolve();

  const purge = async () => {
    let pauseMs = PURGE_EVERY_MS;
    try {
      if (await store.purge(clock.now() - READER_GRACE_MS)) pauseMs = STEP_PAUSE_MS;
      if (isFailing) log.info('expired mail is deleted again');
      isFailing = false;
    } catch (error) {
      // Said once: a store that is out of reach is so for many steps.
      if (!isFailing) log.error({ err: error }, 'expired mail could not be deleted; trying again');
      isFailing = true;
    }
    schedule(pauseMs);
  };
  const schedule = (delayMs: number) => {
    if (isStopped) return;
    cancel = clock.after(delayMs, () => {
      step = purge();
    });
  };

  schedule(PURGE_EVERY_MS);
  return {
    async stop() {
      isStopped = true;
      cancel();
      await step;
    },
  };
}
