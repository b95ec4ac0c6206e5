import type { Clock } from '../clock.js';
import { WAIT_MS } from '../inbox/waiting.js';
import { joined } from './answer-body.js';

/** How often a stream gives a sign of life (interface section 6). */
const KEEPALIVE_MS = 10_000;

const CONNECTED = Buffer.from(': connected\n\n');
const KEEPALIVE = Buffer.from(': keepalive\n\n');
const TIMEOUT = Buffer.from('data: __timeout__\n\n');

/** Waits `WAIT_MS` at the most for an email. Resolves to its JSON, or to null when there is none. */
export type Wait = (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array> | null>;

/**
 * The bytes of one stream (interface section 6): the comment that it is open, one every 10 s, and then either the email or the
 * timeout, which is the only event (D10). Ends without an event when the signal is aborted.
 */
export async function* streamEvents(wait: Wait, clock: Clock, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield CONNECTED;
  const startedAt = clock.monotonic();
  const waiting = wait(signal);
  let isOver = false;
  for (let dueAt = KEEPALIVE_MS; dueAt < WAIT_MS && !isOver; dueAt += KEEPALIVE_MS) {
    isOver = await settles(waiting, clock, startedAt + dueAt - clock.monotonic());
    if (!isOver) yield KEEPALIVE;
  }
  const email = await waiting;
  if (signal.aborted) return;
  if (email === null) yield TIMEOUT;
  else yield* joined(dataEvent(email));
}

/** Whether a promise settles within so many milliseconds. Rejects when it does. */
async function settles(promise: Promise<unknown>, clock: Clock, timeoutMs: number): Promise<boolean> {
  let cancel = () => {};
  const tooLate = new Promise<boolean>((resolve) => {
    cancel = clock.after(timeoutMs, () => resolve(false));
  });
  return Promise.race([promise.then(() => true), tooLate]).finally(cancel);
}

/** One event (the HTML standard's section on server-sent events): JSON holds no line break, so it is one line. */
async function* dataEvent(json: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('data: ');
  yield* json;
  yield Buffer.from('\n\n');
}
