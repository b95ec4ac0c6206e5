import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { type Store, StoreAwayError, StoreFullDiskError } from '../store/store.js';

const PURGE_EVERY_MS = 1_000;

/** Pause between steps while there is more to delete, so that reads and deliveries can proceed. */
const STEP_PAUSE_MS = 10;

/** Time between expiry and deletion, so that slow readers finish. */
const READER_GRACE_MS = 60_000;

/** Maximum time that a running step, which sends the store several queries, may delay a stop. */
const STOP_MS = 10_000;

/** Deletes expired mail, which no read shows (D7), in small steps. Returns a function that waits for the last step. */
export function startPurging(store: Store, clock: Clock, log: Log) {
  let isStopped = false;
  let isFailing = false;
  let running = Promise.resolve();
  let cancel = () => {};
  const plan = (delayMs: number) => {
    cancel = clock.after(delayMs, () => {
      running = step();
    });
  };
  const step = async () => {
    let hasMore = false;
    try {
      hasMore = await store.purge(clock.now() - READER_GRACE_MS);
      if (isFailing) log.info('Purging expired mail works again.');
      isFailing = false;
    } catch (error) {
      // Logged once, because a store stays unavailable for many steps.
      const isKnown = error instanceof StoreAwayError || error instanceof StoreFullDiskError;
      const [level, facts] = isKnown
        ? ['warn' as const, { reason: error.message }]
        : ['error' as const, { err: error }];
      if (!isFailing && !isStopped) log[level](facts, 'Expired mail could not be purged. Retrying.');
      isFailing = true;
    }
    if (!isStopped) plan(hasMore ? STEP_PAUSE_MS : PURGE_EVERY_MS);
  };
  plan(PURGE_EVERY_MS);
  return async (): Promise<void> => {
    isStopped = true;
    cancel();
    await inTime(clock, STOP_MS, () => running).catch(() => {});
  };
}
