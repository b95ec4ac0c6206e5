import { type Clock, inTime } from '../base/clock.js';
import { CountedLines } from '../base/counted-lines.js';
import type { Log } from '../base/log.js';
import type { Inboxes } from '../inbox/inboxes.js';
import { outsideSpace } from '../inbox/spaces.js';
import { Semaphore } from '../limits/semaphore.js';
import { type EmailListener, messageLine, type NewEmail } from './define.js';

/** Emails that wait for one listener, each as the name of its inbox and its time. */
const MAX_WAITING = 10_000;

/** Emails that one listener has at a time. */
const AT_ONCE = 8;

/** A listener that takes longer is told to end, and the next email gets its turn. */
const LISTEN_LIMIT_MS = 30_000;

/** How long a stop waits for listeners that are at work. */
const STOP_LIMIT_MS = 5_000;

export interface EmailListenersOptions {
  readonly inboxes: Pick<Inboxes, 'briefAt' | 'changes'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Listening {
  readonly plugin: string;
  readonly listener: EmailListener;
  readonly turns: Semaphore;
  waiting: number;
}

/** Passes new emails to plugins, after their delivery: a slow or failing listener costs only its own emails. */
export class EmailListeners {
  readonly #options: EmailListenersOptions;
  readonly #lines: CountedLines;
  readonly #all: Listening[] = [];
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #giveUp = () => {};
  readonly #over = new Promise<void>((resolve) => {
    this.#giveUp = resolve;
  });

  constructor(options: EmailListenersOptions) {
    this.#options = options;
    this.#lines = new CountedLines({ log: options.log, after: (ms, wake) => options.clock.after(ms, wake) });
    options.inboxes.changes.listen((_, arrived) => {
      for (const { inbox, receivedAt } of arrived) this.#stored(inbox, receivedAt);
    });
  }

  add(plugin: string, listener: EmailListener): void {
    this.#all.push({ plugin, listener, turns: new Semaphore(AT_ONCE), waiting: 0 });
  }

  #stored(inbox: string, receivedAt: number): void {
    for (const one of this.#all) {
      if (one.waiting >= MAX_WAITING) {
        const why = `more than ${MAX_WAITING} emails wait for it`;
        this.#lines.write(`${one.plugin} is slow`, 'warn', {}, `The plugin ${one.plugin} missed an email: ${why}.`);
        continue;
      }
      one.waiting += 1;
      const run = one.turns.run(() => this.#listen(one, inbox, receivedAt)).catch((error) => this.#failed(one, error));
      this.#running.add(run);
      void run.finally(() => this.#running.delete(run));
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'));
    const all = async () => void (await Promise.all(this.#running));
    await inTime(this.#options.clock, STOP_LIMIT_MS, all).catch(() => {});
    this.#giveUp();
    this.#lines.stop();
  }

  async #listen(one: Listening, inbox: string, receivedAt: number): Promise<void> {
    one.waiting -= 1;
    if (this.#stopping.signal.aborted) return;
    const { inboxes, clock } = this.#options;
    const json = await inboxes.briefAt(inbox, receivedAt);
    // It was deleted, or has expired.
    if (json === null) return;
    const email: NewEmail = JSON.parse(Buffer.from(json, 'latin1').toString());
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#stopping.signal]);
    const about = { inbox: outsideSpace(inbox), signal };
    const tooLate = () => {
      const error = new Error(`it took more than ${LISTEN_LIMIT_MS / 1_000} s`);
      ending.abort(error);
      return error;
    };
    const listened = async () => one.listener(email, about);
    await inTime(clock, LISTEN_LIMIT_MS, () => Promise.race([listened(), this.#over]), tooLate);
  }

  #failed({ plugin }: Listening, error: unknown): void {
    this.#lines.write(
      `${plugin} failed`,
      'warn',
      {},
      `The plugin ${plugin} failed with a new email: ${messageLine(error)}.`,
    );
  }
}
