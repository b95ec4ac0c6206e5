import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { type Store, StoreAwayError, StoreFullDiskError } from '../store/store.js';

const PURGE_EVERY_MS = 1_000;

/** Pause between two steps while there is more to delete, so that reads and deliveries come between them. */
const STEP_PAUSE_MS = 10;

/** Mail is deleted only so long after it expired, so that a slow reader can finish an answer that it began before. */
const READER_GRACE_MS = 60_000;

/** How long the running step may take when the service stops: it consists of several questions to the store. */
const STOP_MS = 10_000;

export interface Purging {
  /** Resolves when the step that is running has ended, after ten seconds at the latest; no other follows. */
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
      if (!isFailing && !isStopped) sayWhy(error);
      isFailing = true;
    }
    schedule(pauseMs);
  };
  const sayWhy = (error: unknown) => {
    const what = 'expired mail could not be deleted; trying again';
    if (error instanceof StoreAwayError || error instanceof StoreFullDiskError)
      log.warn({ reason: error.message }, what);
    else log.error({ err: error }, what);
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
      let cancelWaiting = () => {};
      const late = new Promise<void>((resolve) => {
        cancelWaiting = clock.after(STOP_MS, resolve);
      });
      await Promise.race([step, late]);
      cancelWaiting();
    },
  };
}
