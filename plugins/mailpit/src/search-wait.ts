import { type Clock, type Reply, type Request, whenOver } from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import { badQuery, textParameter } from 'mayfly-plugins-shared/requests';
import type { Mailpit } from './mailpit.js';

const MAX_WAIT_MS = 30_000;
const LOOK_MS = 500;

/** To limit the load, the pause after a search is this multiple of the search's duration, but at least this long. */
const LEAST_PAUSE_MS = 10;
const PAUSE_FACTOR = 4;

/** Parses `10s` or `500ms` to milliseconds; 0 without a wait. Throws 400. */
export function waitOf(request: Request): number {
  const text = textParameter(request, 'wait');
  if (text === '') return 0;
  const [, digits = '', unit] = /^(\d{1,5})(ms|s)$/.exec(text) ?? [];
  const waitMs = Number(digits) * (unit === 's' ? 1_000 : 1);
  if (unit !== undefined && waitMs <= MAX_WAIT_MS) return waitMs;
  throw badQuery('wait', 'use a duration of at most 30s, such as 10s or 500ms');
}

/** Repeats a search until it finds something, times out or the client disconnects. Throws 429 and 503 like a stream. */
export async function untilFound(
  find: () => Promise<readonly Message[]>,
  { records, clock, streams }: Mailpit,
  { request, reply, waitMs }: { readonly request: Request; readonly reply: Reply; readonly waitMs: number },
): Promise<readonly Message[]> {
  const first = await find();
  if (first.length > 0 || waitMs === 0) return first;
  const until = clock.monotonic() + waitMs;
  const { client } = request.caller;
  const pauses = new Pauses(clock);
  const release = await streams.open(client, pauses);
  const unwatch = records.onChange(() => pauses.wake());
  whenOver(reply.raw, () => pauses.end());
  try {
    for (;;) {
      const begunAt = clock.monotonic();
      // The first search finds mail that arrived before the watch began.
      const found = await find();
      const now = clock.monotonic();
      if (found.length > 0 || pauses.isOver || now >= until) return found;
      await pauses.next(now - begunAt, Math.min(LOOK_MS, until - now));
    }
  } finally {
    unwatch();
    release();
  }
}

export class Pauses {
  readonly #clock: Clock;
  #wake: () => void = () => {};
  isOver = false;
  #hasChanged = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  end(): void {
    this.isOver = true;
    this.#wake();
  }

  /** Resolves on a change, but not before a pause in proportion to `tookMs`, and in any case after `mostMs`. */
  async next(tookMs: number, mostMs: number): Promise<void> {
    const leastMs = Math.max(LEAST_PAUSE_MS, tookMs * PAUSE_FACTOR);
    await this.#sleep(Math.min(leastMs, mostMs), () => this.isOver);
    await this.#sleep(Math.max(mostMs - leastMs, 0), () => this.isOver || this.#hasChanged);
    this.#hasChanged = false;
  }

  async #sleep(ms: number, isOver: () => boolean): Promise<void> {
    if (isOver()) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      this.#wake = () => {
        if (!isOver()) return;
        cancel();
        resolve();
      };
    });
    this.#wake = () => {};
  }
}
