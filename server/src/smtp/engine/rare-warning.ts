import type { SmtpLog } from '../smtp-log.js';

/** How long the same warning is not repeated. */
const PAUSE_MS = 60_000;

export interface RareWarningOptions {
  readonly log: SmtpLog;
  readonly message: string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * A warning that clients can bring about as often as they like, and that is written once a minute for that reason. The others are for
 * who debugs; the next one that is written says how many there were.
 */
export class RareWarning {
  readonly #options: RareWarningOptions;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #others = 0;

  constructor(options: RareWarningOptions) {
    this.#options = options;
  }

  give(facts: object): void {
    const { log, message, now } = this.#options;
    const sinceMs = now() - this.#writtenAt;
    // A clock that was set back has no past to wait for.
    if (sinceMs >= 0 && sinceMs < PAUSE_MS) {
      this.#others += 1;
      log.debug(facts, message);
      return;
    }
    log.warn(this.#others === 0 ? facts : { ...facts, othersBefore: this.#others }, message);
    this.#writtenAt = now();
    this.#others = 0;
  }
}
