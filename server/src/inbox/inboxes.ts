import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { EmailGoneError, type Recipient, type Store } from '../store/store.js';
import { type AcceptedDomains, type RefusedRecipient, recipientOf } from './address.js';
import { Arrivals } from './arrivals.js';
import type { IncomingMail, MailSlot, Outcome } from './incoming.js';
import { PassedOver } from './passed-over.js';
import { emailPieces, inboxPieces, messagePieces } from './read.js';
import { emailAt, type Selection, select } from './selecting.js';
import { Composer } from './threads/composer.js';
import type { Inspection } from './threads/inspect.js';
import { type Inspecting, Inspector } from './threads/inspector.js';
import type { ReadingThreads } from './threads/reading-threads.js';
import { inTurns, Turns } from './turns.js';
import { waitForEmail } from './waiting.js';

export { EmailGoneError };

/** What the inboxes are made of. */
export interface InboxesOptions {
  readonly store: Store;
  readonly domains: AcceptedDomains;
  /** Whether each email is shown with `raw` too (D16). */
  readonly compat: boolean;
  /** What reads mail. Its owner closes it, after the last delivery, as the store. */
  readonly threads: ReadingThreads;
  readonly clock: Clock;
  readonly log: Log;
}

/** All inboxes: the only way in (for SMTP) and out (for HTTP). Times are in milliseconds since the epoch. */
export class Inboxes implements MailSlot {
  readonly #options: InboxesOptions;
  readonly #composer: Composer;
  readonly #inspector: Inspector;
  readonly #arrivals = new Arrivals();
  readonly #passedOver = new PassedOver();
  // Each kind of work takes turns among its like: neither mail nor a large answer queues behind those who filter.
  readonly #turns = { looking: new Turns(), answering: new Turns() };
  /** How many messages are on their way into the store. */
  #delivering = 0;

  constructor(options: InboxesOptions) {
    this.#options = options;
    this.#composer = new Composer(options);
    this.#inspector = new Inspector(options.threads);
  }

  recipientOf(address: string): Recipient | RefusedRecipient {
    return recipientOf(address, this.#options.domains);
  }

  /** Begins what the first mails would otherwise wait for. Rejects when that fails; they are read all the same. */
  async warmUp(): Promise<void> {
    await this.#composer.warmUp();
  }

  async deliver(mail: IncomingMail): Promise<Outcome> {
    this.#delivering += 1;
    try {
      return await this.#deliver(mail);
    } finally {
      this.#delivering -= 1;
    }
  }

  async #deliver({ client, raw, envelopeFrom, recipients, receivedAt }: IncomingMail): Promise<Outcome> {
    const { store, clock } = this.#options;
    const domain = recipients[0]?.to.split('@')[1];
    const generatedId = `<${randomUUID()}@${domain}>`;
    const isAlone = this.#delivering === 1;
    const { index, record } = await this.#composer.compose({ raw, envelopeFrom, generatedId }, { client, isAlone });
    const appended = await store.append({ receivedAt, recipients, index, content: [record, raw] }, clock.now());
    if (!appended.stored) return appended.reason;
    for (const inbox of new Set(recipients.map((recipient) => recipient.inbox))) this.#arrivals.announce(inbox);
    return 'stored';
  }

  /**
   * The JSON of an InboxResponse: the emails that match, newest first. In bounded pieces, which may throw as `inboxPieces`.
   * Looking for them ends when the signal is aborted; what was found by then is nobody's to read.
   */
  async read(inbox: string, selection: Selection, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { store, clock } = this.#options;
    const emails = await select({ store, turns: this.#turns.looking }, { inbox, selection, now: clock.now(), signal });
    return inTurns(inboxPieces(store, emails, this.#options), this.#turns.answering);
  }

  /**
   * Waits for an email that matches (see `waitForEmail`). Resolves to its JSON, in bounded pieces, or to null when none came
   * in time or the signal was aborted.
   */
  async wait(inbox: string, selection: Selection, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null> {
    const { store, clock } = this.#options;
    const [arrivals, passedOver] = [this.#arrivals, this.#passedOver];
    const waiting = { store, clock, arrivals, passedOver, turns: this.#turns.looking };
    const email = await waitForEmail(waiting, inbox, selection, signal);
    return email === null ? null : inTurns(emailPieces(store, email, this.#options), this.#turns.answering);
  }

  /**
   * The message of one email, byte for byte what DATA carried, or null when there is no email with this `receivedAt`.
   * In bounded pieces, which may throw `EmailGoneError`.
   */
  async message(inbox: string, receivedAt: number): Promise<AsyncIterable<Uint8Array> | null> {
    const { store, clock } = this.#options;
    const email = await emailAt(store, inbox, receivedAt, clock.now());
    return email === null ? null : inTurns(messagePieces(store, email), this.#turns.answering);
  }

  /** What an inspection of one email's message finds, in UTF-8, or null as in `message`. Rejects with `InspectorBusyError`. */
  async inspect(inbox: string, receivedAt: number, inspection: Inspection, by: Inspecting): Promise<Uint8Array | null> {
    const message = await this.message(inbox, receivedAt);
    if (message === null) return null;
    return this.#inspector.inspect(message, inspection, by).catch((error) => {
      if (error instanceof EmailGoneError) return null;
      throw error;
    });
  }

  /** Clears an inbox: from now on it shows none of the emails that it has. */
  async clear(inbox: string): Promise<void> {
    const { store, clock } = this.#options;
    await store.clear(inbox, clock.now());
  }

  /** Puts an address on the waitlist; one that is on it stays as it is (D18). */
  async joinWaitlist(email: string): Promise<void> {
    await this.#options.store.joinWaitlist(email.toLowerCase(), this.#options.clock.now());
  }
}
