import type { Clock } from './clock.js';

/** A destination for lines about mail, such as pino. Facts hold no content, credentials or inbox names. */
export interface LineLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const PERIOD_MS = 60_000;

interface Counted {
  message: string;
  others: number;
  /** Logs the number of lines since the last one. */
  writeOthers(): void;
  cancel(): void;
}

export type CountedLines = ReturnType<typeof countedLines>;

/** Logs lines that clients cause, once a minute for each kind, with a count. Clients must not name kinds. */
export function countedLines({ log, after }: Pick<Clock, 'after'> & { readonly log: LineLog }) {
  const kinds = new Map<string, Counted>();
  let isStopped = false;

  function wait(kind: string, counted: Counted): void {
    kinds.set(kind, counted);
    counted.cancel = after(PERIOD_MS, () => {
      if (counted.others === 0) kinds.delete(kind);
      else {
        counted.writeOthers();
        wait(kind, counted);
      }
    });
  }

  return {
    write(kind: string, level: 'info' | 'warn', facts: object, message: string): void {
      const known = kinds.get(kind);
      if (known !== undefined || isStopped) {
        log.debug({ kind, ...facts }, message);
        if (known !== undefined) Object.assign(known, { message, others: known.others + 1 });
        return;
      }
      log[level]({ kind, ...facts, count: 1 }, message);
      const counted: Counted = {
        ...{ message, others: 0, cancel: () => {} },
        writeOthers() {
          const { message, others } = counted;
          if (others > 0) log[level]({ kind, count: others }, `${message} (${others} more within a minute)`);
          counted.others = 0;
        },
      };
      wait(kind, counted);
    },

    stop(): void {
      isStopped = true;
      for (const counted of kinds.values()) {
        counted.cancel();
        counted.writeOthers();
      }
      kinds.clear();
    },
  };
}
