import type { Log } from './log.js';

interface Part {
  readonly name: string;
  readonly close: () => Promise<void>;
}

export class Closing {
  readonly #log: Log;
  readonly #steps: Part[][] = [];
  #closed: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, close: () => Promise<void>): void {
    this.#steps.push([{ name, close }]);
  }

  /** Adds a part that closes at the same time as the part added before it. */
  addBeside(name: string, close: () => Promise<void>): void {
    this.#steps.at(-1)?.push({ name, close });
  }

  /** Closes all parts, the last added first. Logs failures, and rejects at the end if there were any. Idempotent. */
  all(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const failed: string[] = [];
    const errors: unknown[] = [];
    const closePart = async ({ name, close }: Part) => {
      try {
        await close();
      } catch (error) {
        this.#log.error({ err: error }, `Closing ${name} failed.`);
        failed.push(name);
        errors.push(error);
      }
    };
    for (const step of this.#steps.reverse()) await Promise.all(step.map(closePart));
    if (failed.length === 0) return;
    const parts = failed.join(' and ');
    throw new AggregateError(errors, `Mayfly did not stop cleanly: closing ${parts} failed. See the log.`);
  }
}

/** If `start` fails, closes the parts that have started, logs their failures, and throws the error of `start`. */
export async function closedOnFailure<T>(log: Log, start: (closing: Closing) => Promise<T>): Promise<T> {
  const closing = new Closing(log);
  try {
    return await start(closing);
  } catch (error) {
    await closing.all().catch(() => {});
    throw error;
  }
}
