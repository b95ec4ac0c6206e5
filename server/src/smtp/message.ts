import { type SmtpError, smtpErrors } from '../errors.js';
import type { IncomingMail, MailSlot, Outcome } from '../inbox/incoming.js';
import type { InFlight } from './in-flight.js';
import { Content, type Dropped } from './message-content.js';
import { type Reply, refusal, replies } from './reply.js';
import type { SmtpLog } from './smtp-log.js';

/** What the messages share. */
export interface MessageContext {
  readonly maxMessageBytes: number;
  readonly inFlight: InFlight;
  readonly inbox: MailSlot;
  readonly log: SmtpLog;
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

const outcomes: Readonly<Record<Outcome, Reply>> = {
  stored: replies.stored,
  'inbox-full': refusal(smtpErrors.inboxFull),
  'store-full': refusal(smtpErrors.storeFull),
};

/** One message from the 354 until it is answered. */
export class Message {
  readonly #context: MessageContext;
  readonly #envelope: Envelope;
  readonly #content: Content;
  #isWhole = false;

  constructor(context: MessageContext, envelope: Envelope) {
    this.#context = context;
    this.#envelope = envelope;
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
    const { inbox, log, maxMessageBytes } = this.#context;
    const { client, envelopeFrom, recipients } = this.#envelope;
    const receivedAt = this.#context.now();
    this.#isWhole = true;
    try {
      const raw = this.#content.whole();
      if (typeof raw === 'string') return refusal(dropped[raw], { limit: maxMessageBytes });
      return outcomes[await inbox.deliver({ client, raw, envelopeFrom, recipients, receivedAt })];
    } catch (error) {
      log.error({ err: error, client }, 'A mail could not be stored.');
      return refusal(smtpErrors.internal);
    } finally {
      this.#content.release();
    }
  }

  /** Lets go of a message that will not come in whole. */
  abandon(): void {
    this.#content.release();
  }
}
