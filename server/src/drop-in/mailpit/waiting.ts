import type { Clock } from '../../clock.js';
import { httpErrors } from '../../errors.js';
import { whenOver } from '../../http/client-left.js';
import type { Reply, Request } from '../../http/framework.js';
import { RequestError } from '../../http/request-error.js';
import type { Message } from '../../inbox/mailbox/mailbox.js';
import { textParameter } from '../paging.js';
import type { Shared } from '../shared.js';

/** The longest wait, as long as a stream's. */
const MAX_WAIT_MS = 30_000;

/** How often is looked for what another process has stored. */
const LOOK_MS = 500;

/** A search that was looked for is left alone for so long, and for so many times as long as looking took: mail may come all the time. */
const LEAST_PAUSE_MS = 10;
const PAUSE_FACTOR = 4;

/** How long a search waits for its first message: `10s` or `500ms`; 0 without a wait. Throws 400. */
export function waitOf(request: Request): number {
  const text = textParameter(request, 'wait');
  if (text === '') return 0;
  const [, digits = '', unit] = /^(\d{1,5})(ms|s)$/.exec(text) ?? [];
  const waitMs = Number(digits) * (unit === 's' ? 1_000 : 1);
  if (unit !== undefined && waitMs <= MAX_WAIT_MS) return waitMs;
  throw new RequestError(httpErrors.badQuery, {
    name: 'wait',
    rule: 'give a time of at most 30s, such as 10s or 500ms',
  });
}

/**
 * What a search finds, looked for until it is something, the time is over, the client has left or the service stops. Throws 429 and 503
 * where too many wait, streams counted with them.
 */
export async function untilFound(
  find: () => Promise<readonly Message[]>,
  { mailbox, clock, streams, callers }: Shared,
  { request, reply, waitMs }: { readonly request: Request; readonly reply: Reply; readonly waitMs: number },
): Promise<readonly Message[]> {
  const first = await find();
  if (first.length > 0 || waitMs === 0) return first;
  const until = clock.monotonic() + waitMs;
  const { client } = callers.readerOf(request, reply);
  const pauses = new Pauses(clock);
  const wait = await streams.open(client, () => pauses);
  const unwatch = mailbox.watch(() => pauses.wake());
  whenOver(reply.raw, () => pauses.end());
  try {
    for (;;) {
      const begunAt = clock.monotonic();
      // What came before the watch began is found by the first of these.
      const found = await find();
      const now = clock.monotonic();
      if (found.length > 0 || pauses.isOver || now >= until) return found;
      await pauses.next(Math.max(LEAST_PAUSE_MS, (now - begunAt) * PAUSE_FACTOR), Math.min(LOOK_MS, until - now));
    }
  } finally {
    unwatch();
    streams.close(client, wait);
  }
}

/** The pauses between looks. */
class Pauses {
  readonly #clock: Clock;
  #wake: () => void = () => {};
  #isOver = false;
  /** Whether something has changed since the last pause ended. */
  #hasChanged = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something has changed. */
  wake(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  /** Nobody waits any more. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves when something has changed, but not before `leastMs`; after `mostMs` whether it has or not. */
  async next(leastMs: number, mostMs: number): Promise<void> {
    await this.#sleep(Math.min(leastMs, mostMs), () => this.#isOver);
    await this.#sleep(Math.max(mostMs - leastMs, 0), () => this.#isOver || this.#hasChanged);
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
