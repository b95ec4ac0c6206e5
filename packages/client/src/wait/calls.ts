import type { Readiness } from 'mayfly-protocol/wire';
import { EXPLAINED_MS, MAX_WAIT_MS, MOST_LIKELY_SECONDS } from './bounds.js';
import { Deadline, rejectAborted, sleep } from './deadline.js';
import { MayflyError } from './errors.js';
import type { InboxApi } from './inbox-api.js';
import { retried } from './retry.js';
import type { Settings } from './settings.js';
import type { Transport } from './transport.js';

export interface OwnInbox {
  readonly api: InboxApi;
  /** When the name was generated, by `now()`; undefined if the caller chose the name. */
  readonly madeAt: number | undefined;
}

export class Calls {
  readonly #transport: Transport;
  readonly #settings: Settings;
  /** The newest inboxes of this Mayfly object, by address. The error message of a timeout lists their mail. */
  readonly own = new Map<string, OwnInbox>();
  isOfTest = false;
  /** How long after its timeout a failed call may take to explain the failure. Evaluated at the timeout. */
  spareMs = () => EXPLAINED_MS;

  constructor(transport: Transport, settings: Settings) {
    this.#transport = transport;
    this.#settings = settings;
  }

  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  /**
   * Runs a call within `timeoutMs`. After that, `ending` limits the time to explain a failure. If the caller aborts,
   * rejects with the signal's reason, not with an error that the abort caused. If the service has never answered,
   * rejects with `MayflyNetworkError`: after `connectTimeout` if no connection opens, otherwise at the timeout.
   */
  async within<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal, ending: Deadline) => Promise<T>,
    connectTimeoutMs = this.#settings.connectTimeoutMs,
  ): Promise<T> {
    const ending = new Deadline(MAX_WAIT_MS, signal);
    const deadline = new Deadline(timeoutMs, ending.signal);
    // If the process was suspended, the wait ends after its deadline, so the explanation's time starts only then.
    void deadline.over.then(() => ending.postpone(Math.min(timeoutMs, this.spareMs())));
    const transport = this.#transport;
    let why: unknown;
    void sleep(connectTimeoutMs, deadline.signal).then(async () => {
      if (transport.isReached || deadline.signal.aborted) return;
      const found = await transport.unreached();
      if (found.mayAnswer || transport.isReached) return;
      why = found.error;
      ending.end();
    });
    try {
      return await run(deadline.signal, ending);
    } catch (error) {
      rejectAborted(signal);
      // Does not blame the service for silence in a very short timeout or while this process was suspended.
      const isTold = transport.isReached || ((deadline.late || timeoutMs <= MOST_LIKELY_SECONDS) && !transport.trouble);
      if (deadline.signal.aborted && !(isTold && error instanceof MayflyError)) {
        why ??= (await transport.unreached()).error;
      }
      throw why ?? error;
    } finally {
      ending.end();
      rejectAborted(signal);
    }
  }

  async ready(timeoutMs = this.timeoutMs, signal?: AbortSignal, connectTimeoutMs = timeoutMs): Promise<void> {
    const isRight = ({ status }: Readiness) => status === 'ready';
    const ask = (signal: AbortSignal) => this.#transport.json({ path: '/readyz', signal }, isRight);
    await this.within(timeoutMs, signal, (signal) => retried(signal, ask), connectTimeoutMs);
  }

  tried<T>(attempt: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.within(this.timeoutMs, signal, (signal) => retried(signal, attempt));
  }
}
