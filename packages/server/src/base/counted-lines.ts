import type { Clock } from './clock.js';

/** A destination for lines about mail, such as pino. Facts hold no content, credentials or inbox names. */
export interface LineLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const PERIOD_MS = 60_000;

type Options = Pick<Clock, 'after'> & { readonly log: LineLog };

interface Counted {
  readonly level: 'info' | 'warn';
  message: string;
  others: number;
  cancel(): void;
}

/**
 * Logs lines that clients can cause at will. For a minute after the first line of a kind, logs further ones only at
 * debug level, then one line with their number. Each kind needs a timer and memory, so clients must not name kinds.
 */
export class CountedLines {
  readonly #options: Options;
  readonly #counted = new Map<string, Counted>();
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  write(kind: string, level: 'info' | 'warn', facts: object, message: string): void {
    const { log } = this.#options;
    const counted = this.#counted.get(kind);
    if (counted === undefined && !this.#isStopped) {
      log[level]({ kind, ...facts, count: 1 }, message);
      this.#await(kind, { level, message, others: 0, cancel: () => {} });
      return;
    }
    log.debug({ kind, ...facts }, message);
    if (counted === undefined) return;
    counted.message = message;
    counted.others += 1;
  }

  stop(): void {
    this.#isStopped = true;
    for (const [kind, counted] of this.#counted) {
      counted.cancel();
      this.#writeOthers(kind, counted);
    }
    this.#counted.clear();
  }

  #await(kind: string, counted: Counted): void {
    this.#counted.set(kind, counted);
    counted.cancel = this.#options.after(PERIOD_MS, () => {
      if (counted.others === 0) this.#counted.delete(kind);
      else {
        this.#writeOthers(kind, counted);
        this.#await(kind, counted);
      }
    });
  }

  #writeOthers(kind: string, counted: Counted): void {
    const { level, message, others } = counted;
    if (others > 0) this.#options.log[level]({ kind, count: others }, `${message} (${others} more within a minute)`);
    counted.others = 0;
  }
}
