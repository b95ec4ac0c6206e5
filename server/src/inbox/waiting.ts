import type { Clock } from '../clock.js';
import type { StoredEmail } from '../store/store.js';
import type { Arrivals } from './arrivals.js';
import type { PassedOver } from './passed-over.js';
import { laterThan, matching, type Selection, type Shelf } from './selecting.js';

/** How long a stream waits (interface section 8). */
export const WAIT_MS = 30_000;

/** When the store is asked for new mail (interface section 4.2): every so many milliseconds, until so long after the start. */
const CHECKS = [
  { everyMs: 500, untilMs: 2_000 },
  { everyMs: 1_000, untilMs: 10_000 },
  { everyMs: 2_000, untilMs: WAIT_MS },
] as const;

/** What waiting needs. */
export interface Waiting extends Shelf {
  readonly arrivals: Arrivals;
  readonly passedOver: PassedOver;
  readonly clock: Clock;
}

/**
 * Waits for an email that matches: one that is there already (the newest of them), or the next to come.
 * Looks at once, then by the interface's schedule and at every arrival (D8), and last when the time is over.
 * Resolves to null when none came in `WAIT_MS`, or when the signal was aborted.
 */
export async function waitForEmail(
  waiting: Waiting,
  inbox: string,
  selection: Selection,
  signal: AbortSignal,
): Promise<StoredEmail | null> {
  const { store, arrivals, clock, passedOver } = waiting;
  const startedAt = clock.monotonic();
  const bell = new Bell(clock);
  const stopWatching = arrivals.watch(inbox, () => bell.ring());
  const stop = () => bell.ring();
  signal.addEventListener('abort', stop);
  try {
    let after = passedOver.after(inbox, selection, clock.now());
    while (!signal.aborted) {
      const elapsedMs = clock.monotonic() - startedAt;
      const now = clock.now();
      const [newest] = await store.list(inbox, { ...laterThan(after), limit: 1 }, now);
      if (newest !== undefined) {
        const before = newest.receivedAt + 1;
        const look = { inbox, selection: { ...selection, ...laterThan(after) }, before, now, signal };
        for await (const email of matching(waiting, look)) return email;
        // What did not match never will, so no later check looks at it again, nor does another wait for the same.
        if (signal.aborted) return null;
        after = newest.receivedAt;
        passedOver.note(inbox, selection, after);
      }
      if (elapsedMs >= WAIT_MS) return null;
      await bell.rung(nextCheckAt(elapsedMs) - (clock.monotonic() - startedAt));
    }
    return null;
  } finally {
    stopWatching();
    signal.removeEventListener('abort', stop);
  }
}

/** The first check after `elapsedMs`, in milliseconds after the start. */
function nextCheckAt(elapsedMs: number): number {
  const phase = CHECKS.find(({ untilMs }) => elapsedMs < untilMs);
  return phase === undefined ? WAIT_MS : (Math.floor(elapsedMs / phase.everyMs) + 1) * phase.everyMs;
}

/** Wakes one waiter. A ring that comes while nobody waits is kept for the next one, so none is missed. */
class Bell {
  readonly #clock: Clock;
  #rang = false;
  #wake: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rang = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, or after so many milliseconds. */
  async rung(timeoutMs: number): Promise<void> {
    if (!this.#rang && timeoutMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(timeoutMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#rang = false;
  }
}
