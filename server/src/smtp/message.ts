import { type OpenAttempt, toldBy } from '../attempts/book.js';
import { type SmtpError, smtpErrors } from '../errors.js';
import type { InFlight } from '../fairness/client-memory.js';
import { type Appended, type IncomingMail, type MailSlot, StoreAwayError } from '../inbox/inboxes.js';
import type { SmtpLog } from './counted-lines.js';
import type { MailLog } from './mail-log.js';
import { Content, type Dropped } from './message-content.js';
import { type Reply, refusal, replies } from './reply.js';
import type { SmtpEvents } from './smtp-events.js';

export interface MessageContext {
  readonly maxMessageBytes: number;
  readonly inFlight: InFlight;
  readonly inbox: MailSlot;
  readonly log: SmtpLog;
  readonly mailLog: MailLog;
  readonly events?: SmtpEvents | undefined;
  now(): number;
}

export type Envelope = Pick<IncomingMail, 'client' | 'envelopeFrom' | 'recipients'>;

const dropped: Readonly<Record<Dropped, SmtpError>> = {
  'too-large': smtpErrors.messageTooLarge,
  'client-full': smtpErrors.tooMuchFromClient,
  'all-taken': smtpErrors.tooMuchInFlight,
};

const notStored: Readonly<Record<Extract<Appended, { stored: false }>['reason'], SmtpError>> = {
  'inbox-full': smtpErrors.inboxFull,
  'store-full': smtpErrors.storeFull,
  'disk-full': smtpErrors.diskFull,
};

export class Message {
  readonly #context: MessageContext;
  readonly #envelope: Envelope;
  readonly #attempt: OpenAttempt;
  readonly #content: Content;
  #isWhole = false;
  /** When its content was asked for, by a clock that never goes back; 0 without metrics. */
  readonly #askedAt: number;

  constructor(context: MessageContext, envelope: Envelope, attempt: OpenAttempt) {
    this.#context = context;
    this.#envelope = envelope;
    this.#attempt = attempt;
    this.#askedAt = context.events === undefined ? 0 : performance.now();
    this.#content = new Content(context.maxMessageBytes, context.inFlight.open(envelope.client));
  }

  /** Whether the client has sent all of it and waits for the answer. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(bytes: Uint8Array): void {
    this.#content.add(bytes);
  }

  /** Stores the message, which has come in whole now, and resolves to the answer. Never rejects. */
  async store(): Promise<Reply> {
    const { inbox, log, mailLog, maxMessageBytes, events } = this.#context;
    const { client, envelopeFrom, recipients } = this.#envelope;
    const receivedAt = this.#context.now();
    this.#isWhole = true;
    this.#attempt.received();
    events?.contentReceived(performance.now() - this.#askedAt);
    try {
      const raw = this.#content.whole();
      if (typeof raw === 'string') return this.#refuse(dropped[raw], { limit: maxMessageBytes });
      const appended = await inbox.deliver({ client, raw, envelopeFrom, recipients, receivedAt });
      if (!appended.stored) return this.#refuse(notStored[appended.reason]);
      this.#attempt.kept(appended.receivedAt);
      events?.messageStored(raw.length);
      mailLog.stored({ client, bytes: raw.length, recipients: recipients.length });
      return replies.stored;
    } catch (error) {
      if (error instanceof StoreAwayError) {
        mailLog.storeAway(error.message);
        return this.#refuse(smtpErrors.storeAway);
      }
      log.error({ err: error, client }, 'A mail could not be stored.');
      return this.#refuse(smtpErrors.internal);
    } finally {
      this.#attempt.end();
      this.#content.release();
    }
  }

  /** Drops a message that will not arrive whole: for an error that the connection logs, or since the client left. */
  abandon(error: SmtpError | null): void {
    const { events, mailLog } = this.#context;
    this.#content.release();
    if (error !== null) this.#attempt.refused(toldBy(error));
    this.#attempt.end();
    if (error === null) events?.messageLost();
    else events?.messageRefused(error);
    // That a connection idles is a line for debugging; that a mail was begun on it is not.
    if (error === null || error === smtpErrors.idleTooLong) mailLog.mailLost(this.#envelope.client);
  }

  #refuse(error: SmtpError, values?: Readonly<Record<string, string | number>>): Reply {
    this.#attempt.refused(toldBy(error, values));
    this.#context.events?.messageRefused(error);
    this.#context.mailLog.refused(error, this.#envelope.client, values);
    return refusal(error, values);
  }
}
