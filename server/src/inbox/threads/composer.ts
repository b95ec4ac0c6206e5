import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { AtOnce, type Compose } from './at-once.js';
import { type Composed, type Composition, composeFrom, composeUnread } from './composition.js';
import type { ReadingThreads } from './reading-threads.js';

export interface ComposerOptions {
  readonly threads: ReadingThreads;
  readonly clock: Clock;
  readonly log: Log;
  /** What reads on the event loop, when it is not the service's own. */
  readonly load?: () => Promise<Compose>;
}

export interface Composing {
  readonly client: string;
  /** Whether no other message is on its way into the store. */
  readonly isAlone: boolean;
}

/** Turns messages into what the store keeps of them (D20): in threads, except for a small one that comes alone. */
export class Composer {
  readonly #log: Log;
  readonly #threads: ReadingThreads;
  readonly #atOnce: AtOnce;

  constructor({ threads, clock, log, load = loadCompose }: ComposerOptions) {
    this.#log = log;
    this.#threads = threads;
    this.#atOnce = new AtOnce(clock, load);
  }

  /** Begins what the first messages would otherwise wait for. Rejects when what reads cannot be loaded. */
  async warmUp(): Promise<void> {
    await this.#threads.warmUp();
    await this.#atOnce.warmUp();
  }

  /** Composes a message; where it cannot be read, with its raw text alone. */
  async compose(composition: Composition, { client, isAlone }: Composing): Promise<Composed> {
    const { raw, ...details } = composition;
    try {
      if (isAlone && this.#threads.isIdle && this.#atOnce.mayRead(raw.length)) return this.#atOnce.read(composition);
      const [index, record, summary] = await this.#threads.run('compose', details, { client, pieces: [raw] });
      return { index, record, summary };
    } catch (error) {
      this.#log.error({ err: error, bytes: raw.length }, 'a message could not be parsed; its raw text is kept');
      return composeUnread(composition);
    }
  }
}

/** Reading mail is loaded when it is needed: not before the service is ready. */
async function loadCompose(): Promise<Compose> {
  const { readMail } = await import('../../mail/read-mail.js');
  return (composition) => composeFrom(readMail(composition.raw), composition);
}
