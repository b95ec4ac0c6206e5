import { type SmtpError, smtpErrors } from '../errors.js';
import { StoreAwayError } from '../inbox/inboxes.js';
import type { IncomingMail, MailSlot, Outcome } from '../inbox/incoming.js';
import type { InFlight } from './in-flight.js';
import { Content, type Dropped } from './message-content.js';
import { type Reply, refusal, replies } from './reply.js';
import type { SmtpEvents } from './smtp-events.js';
import type { SmtpLog } from './smtp-log.js';

/** What the messages share. */
export interface MessageContext {
  readonly maxMessageBytes: number;
  readonly inFlight: InFlight;
  readonly inbox: MailSlot;
  readonly log: SmtpLog;
  /** Left out where nobody counts. */
  readonly events?: SmtpEvents | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Whom a message is from and for. */
export type Envelope = Pick<IncomingMail, 'client' | 'envelopeFrom' | 'recipients'>;

const dropped: Readonly<Record<Dropped, SmtpError>> = {
  'too-large': smtpErrors.messageTooLarge,
  'client-full': smtpErrors.tooMuchFromClient,
  'all-taken': smtpErrors.tooMuchInFlight,
};

const notStored: Readonly<Record<Exclude<Outcome, 'stored'>, SmtpError>> = {
  'inbox-full': smtpErrors.inboxFull,
  'store-full': smtpErrors.storeFull,
};

/** One message from the 354 until it is answered. */
export class Message {
  readonly #context: MessageContext;
  readonly #envelope: Envelope;
  readonly #content: Content;
  #isWhole = false;
  /** When its content was asked for, by a clock that never goes back; 0 where nobody counts. */
  readonly #askedAt: number;

  constructor(context: MessageContext, envelope: Envelope) {
    this.#context = context;
    this.#envelope = envelope;
    this.#askedAt = context.events === undefined ? 0 : performance.now();
    this.#content = new Content(context.maxMessageBytes, context.inFlight.open(envelope.client));
  }

  /** Whether the client has sent all of it and waits for the answer. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Takes the next bytes of its content; they are copied. */
  add(bytes: Uint8Array): void {
    this.#content.add(bytes);
  }

  /** Stores the message, which has come in whole now, and resolves to the answer. Never rejects. */
  async store(): Promise<Reply> {
    const { inbox, log, maxMessageBytes, events } = this.#context;
    const { client, envelopeFrom, recipients } = this.#envelope;
    const receivedAt = this.#context.now();
    this.#isWhole = true;
    events?.contentReceived(performance.now() - this.#askedAt);
    try {
      const raw = this.#content.whole();
      if (typeof raw === 'string') return this.#refuse(dropped[raw], { limit: maxMessageBytes });
      const outcome = await inbox.deliver({ client, raw, envelopeFrom, recipients, receivedAt });
      if (outcome !== 'stored') return this.#refuse(notStored[outcome]);
      events?.messageStored(raw.length);
      return replies.stored;
    } catch (error) {
      log.error({ err: error, client }, 'A mail could not be stored.');
      return this.#refuse(error instanceof StoreAwayError ? smtpErrors.storeAway : smtpErrors.internal);
    } finally {
      this.#content.release();
    }
  }

  /** Lets go of a message that will not come in whole: for this error, or because the client has left. */
  abandon(error: SmtpError | null): void {
    this.#content.release();
    if (error === null) this.#context.events?.messageLost();
    else this.#context.events?.messageRefused(error);
  }

  #refuse(error: SmtpError, values?: Readonly<Record<string, string | number>>): Reply {
    this.#context.events?.messageRefused(error);
    return refusal(error, values);
  }
}
