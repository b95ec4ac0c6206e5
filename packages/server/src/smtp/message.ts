import { type OpenAttempt, toldBy } from '../attempts/book.js';
import type { LineLog } from '../base/counted-lines.js';
import { notStoredErrors, type SmtpError, smtpErrors } from '../errors.js';
import { type Ending, type IncomingMail, type MailSlot, StoreAwayError } from '../inbox/inboxes.js';
import type { InFlight } from '../limits/client-memory.js';
import type { MailLog } from './mail-log.js';
import { Content, type Dropped } from './message-content.js';
import { type Reply, refusal, replies } from './reply.js';

/** What SMTP reports to the metrics. No method may throw or block. Errors are rows of the table. */
export interface SmtpEvents {
  connected(): void;
  disconnected(): void;
  /** Refused before anything but a proxy's header was read. */
  connectionRefused(error: SmtpError): void;
  /** A message's content is complete, `ms` after it was requested. */
  contentReceived(ms: number): void;
  messageStored(bytes: number): void;
  /** MAIL, RCPT, DATA or a message was refused. */
  messageRefused(error: SmtpError): void;
  messageLost(): void;
}

export interface MessageContext {
  readonly maxMessageBytes: number;
  readonly inFlight: InFlight;
  readonly inbox: MailSlot;
  readonly log: LineLog;
  readonly mailLog: MailLog;
  readonly events?: SmtpEvents | undefined;
  now(): number;
  after(delayMs: number, wake: () => void): () => void;
}

export type Envelope = Pick<IncomingMail, 'client' | 'envelopeFrom' | 'recipients'>;

const dropped: Readonly<Record<Dropped, SmtpError>> = {
  'too-large': smtpErrors.messageTooLarge,
  'client-full': smtpErrors.tooMuchFromClient,
  'all-taken': smtpErrors.tooMuchInFlight,
};

export class Message {
  readonly #context: MessageContext;
  readonly #envelope: Envelope;
  readonly #attempt: OpenAttempt;
  readonly #content: Content;
  #isWhole = false;
  #isHurried = false;
  #endDelay: (() => void) | null = null;
  /** When 354 was sent, on the monotonic clock; 0 without metrics. */
  readonly #askedAt: number;

  constructor(context: MessageContext, envelope: Envelope, attempt: OpenAttempt) {
    this.#context = context;
    this.#envelope = envelope;
    this.#attempt = attempt;
    this.#askedAt = context.events === undefined ? 0 : performance.now();
    this.#content = new Content(context.maxMessageBytes, context.inFlight.open(envelope.client));
  }

  /** The client has sent everything and awaits the answer. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(bytes: Uint8Array): void {
    this.#content.add(bytes);
  }

  /**
   * Stores the complete message and resolves to the answer; to null if the address asks for none. Never rejects.
   */
  async store(): Promise<Reply | null> {
    const { reply, ending } = await this.#store();
    if (ending === undefined) return reply;
    // Its bytes are released by now; the client holds one of its connections meanwhile.
    if (ending.delayMs > 0 && !this.#isHurried) await this.#delay(ending.delayMs);
    return ending.isLost ? null : reply;
  }

  /** Ends the delay that an address has asked for, now or later: the client has left, or the service stops. */
  hurry(): void {
    this.#isHurried = true;
    this.#endDelay?.();
  }

  #delay(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#context.after(delayMs, resolve);
      this.#endDelay = () => {
        cancel();
        resolve();
      };
    });
  }

  async #store(): Promise<{ readonly reply: Reply; readonly ending?: Ending | undefined }> {
    const { inbox, log, mailLog, maxMessageBytes, events } = this.#context;
    const { client, envelopeFrom, recipients } = this.#envelope;
    const receivedAt = this.#context.now();
    this.#isWhole = true;
    this.#attempt.received();
    events?.contentReceived(performance.now() - this.#askedAt);
    try {
      const raw = this.#content.whole();
      if (typeof raw === 'string') return { reply: this.#refuse(dropped[raw], { limit: maxMessageBytes }) };
      const delivered = await inbox.deliver({ client, raw, envelopeFrom, recipients, receivedAt });
      const { ending } = delivered;
      if (!delivered.stored) {
        const error = delivered.reason === 'rehearsed' ? delivered.error : notStoredErrors[delivered.reason];
        return { reply: this.#refuse(error), ending };
      }
      this.#attempt.kept(delivered.receivedAt);
      events?.messageStored(raw.length);
      mailLog.stored({ client, bytes: raw.length, recipients: recipients.length });
      return { reply: replies.stored, ending };
    } catch (error) {
      if (error instanceof StoreAwayError) {
        mailLog.storeAway(error.message);
        return { reply: this.#refuse(smtpErrors.storeAway) };
      }
      log.error({ err: error, client }, 'A mail could not be stored.');
      return { reply: this.#refuse(smtpErrors.internal) };
    } finally {
      this.#attempt.end();
      this.#content.release();
    }
  }

  /** Drops an incomplete message: for an error that the connection logs, or null because the client left. */
  abandon(error: SmtpError | null): void {
    const { events, mailLog } = this.#context;
    this.#content.release();
    if (error !== null) this.#attempt.refused(toldBy(error));
    this.#attempt.end();
    if (error === null) events?.messageLost();
    else events?.messageRefused(error);
    // Idling alone is for debugging; idling within a mail is not.
    if (error === null || error === smtpErrors.idleTooLong) mailLog.mailLost(this.#envelope.client);
  }

  #refuse(error: SmtpError, values?: Readonly<Record<string, string | number>>): Reply {
    this.#attempt.refused(toldBy(error, values));
    this.#context.events?.messageRefused(error);
    this.#context.mailLog.refused(error, this.#envelope.client, values);
    return refusal(error, values);
  }
}
