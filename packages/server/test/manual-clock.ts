import type { Clock } from '../src/base/clock.js';

interface Alarm {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that only a test moves. */
export class ManualClock implements Clock {
  #now: number;
  readonly #alarms = new Set<Alarm>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now = () => this.#now;
  monotonic = () => this.#now;

  after(delayMs: number, wake: () => void): () => void {
    const alarm = { at: this.#now + Math.max(0, delayMs), wake };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** The number of pending timers. */
  get alarms(): number {
    return this.#alarms.size;
  }

  /** Advances by this many milliseconds, stopping at each timer until its callbacks have settled. */
  async advance(byMs: number): Promise<void> {
    const end = this.#now + byMs;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = next.at;
      this.#alarms.delete(next);
      next.wake();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  #next(end: number): Alarm | undefined {
    const due = [...this.#alarms].filter((alarm) => alarm.at <= end);
    return due.sort((a, b) => a.at - b.at)[0];
  }
}

/** Number of event loop rounds after which code that a timer resumed is certainly waiting again. */
const ROUNDS = 10;

async function settle(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await new Promise(setImmediate);
}
