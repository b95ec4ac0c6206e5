import type { Log } from './log.js';

/** What was opened, and is closed again in reverse. */
export class Closing {
  readonly #log: Log;
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> }[] = [];
  #closed: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Remembers how to close a part that has been opened. `name` is what the log calls it. */
  add(name: string, close: () => Promise<void>): void {
    this.#parts.push({ name, close });
  }

  /**
   * Closes every part, the last one first, each after the one before it. One that fails is logged and keeps no other open; this then
   * rejects when all are done. Called again, it waits for the same.
   */
  all(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    const failed: string[] = [];
    for (const { name, close } of this.#parts.reverse()) {
      try {
        await close();
      } catch (error) {
        this.#log.error({ err: error }, `Closing ${name} failed.`);
        failures.push(error);
        failed.push(name);
      }
    }
    if (failures.length > 0) {
      throw new AggregateError(
        failures,
        `Mayfly did not stop cleanly: closing ${failed.join(' and ')} failed. See the log.`,
      );
    }
  }
}
