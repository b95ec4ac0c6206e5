import type { Inbox, ReceivedEmail } from 'mayfly-client';
import { isPassing, pauseMs } from 'mayfly-client/retry';

/** Longest wait of the client, which reopens its streams and comes back from failures by itself. */
const WAIT_MS = 86_400_000;

/** After an email the next stream is opened so much later, so that a flood of mail opens no more than ten a second. */
const STREAM_PAUSE_MS = 100;

/** Lists are so far apart, so that a flood leaves most of the fetch limit (20 in 10 s) to whoever looks at the mail. */
const LIST_PAUSE_MS = 2_000;

/**
 * What comes into an inbox, as it comes. A stream gives only the newest email after a moment, so a list follows and gives
 * those that came at the same time. An email may be given several times.
 */
export class Feed {
  readonly #inbox: Inbox;
  readonly #onEmails: (emails: readonly ReceivedEmail[]) => void;
  /** All emails up to here were given. */
  #listedUpTo = new Date(0);
  /** The newest email that was given. */
  #newest = new Date(0);

  constructor(inbox: Inbox, onEmails: (emails: readonly ReceivedEmail[]) => void) {
    this.#inbox = inbox;
    this.#onEmails = onEmails;
  }

  /**
   * Gives what is there, even if that is nothing, or what has come since the last run; then what comes, until the signal is aborted.
   * Rejects then, and with a `MayflyError` that trying again does not mend; the signal is to be aborted after that too.
   */
  async run(signal: AbortSignal): Promise<void> {
    await this.#list(signal);
    await Promise.all([this.#listen(signal), this.#fillGaps(signal)]);
  }

  async #listen(signal: AbortSignal): Promise<never> {
    for (;;) {
      const email = await this.#inbox.waitForEmail({ after: this.#newest, timeout: WAIT_MS, signal });
      this.#give([email]);
      await pause(STREAM_PAUSE_MS, signal);
    }
  }

  async #fillGaps(signal: AbortSignal): Promise<never> {
    for (;;) {
      await pause(LIST_PAUSE_MS, signal);
      if (this.#newest > this.#listedUpTo) await this.#list(signal);
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    for (let failures = 1; ; failures++) {
      try {
        const emails = await this.#inbox.emails({ after: this.#listedUpTo, signal });
        this.#give(emails);
        this.#listedUpTo = emails[0]?.receivedAt ?? this.#listedUpTo;
        return;
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        await pause(pauseMs(failures, error), signal);
      }
    }
  }

  #give(emails: readonly ReceivedEmail[]): void {
    const [newest] = emails;
    if (newest !== undefined && newest.receivedAt > this.#newest) this.#newest = newest.receivedAt;
    this.#onEmails(emails);
  }
}

/** Resolves after a time; rejects when the signal is aborted. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
