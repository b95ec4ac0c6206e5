import { type Clock, inTime } from '../base/clock.js';
import { countedLines } from '../base/counted-lines.js';
import type { Log } from '../base/log.js';
import { bareInbox } from '../inbox/ad-hoc.js';
import type { Inboxes } from '../inbox/inboxes.js';
import { Semaphore } from '../limits/semaphore.js';
import { type EmailListener, messageLine, type NewEmail } from './define.js';

/** Maximum number of emails that wait for one listener. While an email waits, only its inbox and time are kept. */
const MAX_WAITING = 10_000;

/** Maximum number of emails that one listener handles concurrently. */
const AT_ONCE = 8;

/** After this time the listener is aborted, and the next email gets its turn. */
const LISTEN_LIMIT_MS = 30_000;

/** How long a stop waits for running listeners. */
const STOP_LIMIT_MS = 5_000;

export type EmailListeners = ReturnType<typeof emailListeners>;

/** Passes new emails to plugins after their delivery. Only a slow or failing listener misses emails. */
export function emailListeners(inboxes: Pick<Inboxes, 'briefAt' | 'changes'>, clock: Clock, log: Log) {
  const lines = countedLines({ log, after: (ms, wake) => clock.after(ms, wake) });
  const passers: ((inbox: string, receivedAt: number) => void)[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let giveUp = () => {};
  const over = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  inboxes.changes.listen((_, arrived) => {
    for (const { inbox, receivedAt } of arrived) for (const pass of passers) pass(inbox, receivedAt);
  });

  const listen = async (listener: EmailListener, inbox: string, receivedAt: number) => {
    if (stopping.signal.aborted) return;
    const json = await inboxes.briefAt(inbox, receivedAt);
    // The email was deleted or has expired.
    if (json === null) return;
    const email: NewEmail = JSON.parse(Buffer.from(json, 'latin1').toString());
    const ending = new AbortController();
    const about = { inbox: bareInbox(inbox), signal: AbortSignal.any([ending.signal, stopping.signal]) };
    const tooLate = () => {
      const error = new Error(`it took more than ${LISTEN_LIMIT_MS / 1_000} s`);
      ending.abort(error);
      return error;
    };
    const listened = async () => listener(email, about);
    await inTime(clock, LISTEN_LIMIT_MS, () => Promise.race([listened(), over]), tooLate);
  };

  return {
    add(plugin: string, listener: EmailListener): void {
      const turns = new Semaphore(AT_ONCE);
      let waiting = 0;
      const failed = (error: unknown) => {
        const message = `The plugin ${plugin} failed to handle a new email: ${messageLine(error)}.`;
        lines.write(`${plugin} failed`, 'warn', {}, message);
      };
      passers.push((inbox, receivedAt) => {
        if (waiting >= MAX_WAITING) {
          const message = `The plugin ${plugin} missed an email: it has more than ${MAX_WAITING} emails to handle.`;
          lines.write(`${plugin} is slow`, 'warn', {}, message);
          return;
        }
        waiting += 1;
        const passed = turns.run(async () => {
          waiting -= 1;
          await listen(listener, inbox, receivedAt);
        });
        const run = passed.catch(failed).finally(() => running.delete(run));
        running.add(run);
      });
    },
    async stop(): Promise<void> {
      stopping.abort(new Error('the service stops'));
      const all = async () => void (await Promise.all(running));
      await inTime(clock, STOP_LIMIT_MS, all).catch(() => {});
      giveUp();
      lines.stop();
    },
  };
}
