import type { Clock } from '../base/clock.js';
import { type App, type Reply, whenOver } from '../http/http.js';
import type { Ending } from '../inbox/inboxes.js';

/** Ends requests that sent mail as rehearsals ask for: late, or without an answer (D56). */
export class RehearsedEnds {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #isStopping = false;

  constructor(api: App, clock: Clock) {
    this.#clock = clock;
    // A service that stops answers at once: the mail is stored.
    api.addHook('preClose', async () => {
      this.#isStopping = true;
      for (const wake of this.#waiting) wake();
    });
  }

  /** Resolves when the request may be answered; where its answer is lost, its connection is closed by then. */
  async end({ raw }: Reply, endings: readonly Ending[]): Promise<void> {
    const delayMs = Math.max(0, ...endings.map((ending) => ending.delayMs));
    if (delayMs > 0 && !this.#isStopping) await this.#wait(delayMs, raw);
    if (endings.some(({ isLost }) => isLost)) raw.req.socket.destroy();
  }

  #wait(delayMs: number, response: Reply['raw']): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      const cancel = this.#clock.after(delayMs, wake);
      this.#waiting.add(wake);
      whenOver(response, wake);
    });
  }
}
