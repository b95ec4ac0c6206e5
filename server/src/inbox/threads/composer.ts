import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { AT_ONCE_BYTES, AtOnce, type Compose } from './at-once.js';
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

/**
 * Turns messages into what the store keeps of them (D20): in threads; small ones on the event loop where they come
 * alone, or while there is no thread.
 */
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
    await this.#atOnce.warmUp();
  }

  /** Composes a message; where it cannot be read, with its raw text alone. */
  async compose(composition: Composition, by: Composing): Promise<Composed> {
    try {
      return await this.#compose(composition, by);
    } catch (error) {
      const bytes = composition.raw.length;
      this.#log.error({ err: error, bytes }, 'a message could not be parsed; its raw text is kept');
      return composeUnread(composition);
    }
  }

  async #compose(composition: Composition, { client, isAlone }: Composing): Promise<Composed> {
    const { raw, ...details } = composition;
    const atOnce = this.#atOnce;
    const isSmall = raw.length <= AT_ONCE_BYTES;
    // A thread has it read before the event loop has loaded what reads.
    if (isSmall && !atOnce.isLoaded && !this.#threads.hasOne) await atOnce.load();
    const mayReadHere = isSmall && atOnce.isLoaded;
    if (mayReadHere && isAlone && this.#threads.isIdle && atOnce.pauseMs() === 0) return atOnce.read(composition);
    const onLoop = {
      pauseMs: () => atOnce.pauseMs(),
      read: () => {
        const { index, record, summary } = atOnce.read(composition);
        return [index, record, summary];
      },
    };
    const toRead = { client, pieces: [raw], ...(mayReadHere && { onLoop }) };
    const [index, record, summary] = await this.#threads.run('compose', details, toRead);
    return { index, record, summary };
  }
}

/** Reading mail is loaded when it is needed: not before the service is ready. */
async function loadCompose(): Promise<Compose> {
  const { readMail } = await import('../../mail/read-mail.js');
  return (composition) => composeFrom(readMail(composition.raw), composition);
}
