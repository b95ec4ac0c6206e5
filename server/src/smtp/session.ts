import { type SmtpError, smtpErrors } from '../errors.js';
import type { IncomingMail } from '../inbox/incoming.js';
import type { Limiter } from '../limits/limiter.js';
import { type Soon, withAnswer } from '../soon.js';
import { isMailbox, isSender, mailParameters, parsePath } from './envelope.js';
import { Message, type MessageContext } from './message.js';
import { type Reply, refusal, replies } from './reply.js';

/** What the sessions share. */
export interface SessionContext extends MessageContext {
  /** Domain that `<postmaster>` is at (RFC 5321 section 4.1.1.3). */
  readonly hostname: string;
  readonly maxRecipients: number;
  readonly mailRate: Limiter;
}

/**
 * What one client is answered to MAIL, RCPT and DATA (RFC 5321 section 3.3). It knows of no socket: whoever has it reads
 * the commands and sends the replies.
 */
export class Session {
  readonly #context: SessionContext;
  /** What stands for the client where clients are counted. */
  readonly #client: string;
  #sender: string | null = null;
  #recipients: IncomingMail['recipients'][number][] = [];

  constructor(context: SessionContext, client: string) {
    this.#context = context;
    this.#client = client;
  }

  /** Whether a mail is begun: MAIL was accepted, and neither answered at the end of DATA nor dropped since. */
  get isOpen(): boolean {
    return this.#sender !== null;
  }

  /** Answers MAIL, later only where the limit is one that several processes share. */
  mail(line: string): Soon<Reply> {
    const { maxMessageBytes, mailRate } = this.#context;
    if (this.#sender !== null) return this.#refuse(smtpErrors.mailIsOpen);
    const path = parsePath('mail', line);
    if (path === null || !isSender(path.address)) return this.#refuse(smtpErrors.badSender);
    const parameters = mailParameters(path.parameters);
    if ('code' in parameters) return this.#refuse(parameters);
    if (Number(parameters.get('SIZE')) > maxMessageBytes) {
      return this.#refuse(smtpErrors.messageTooLarge, { limit: maxMessageBytes });
    }
    return withAnswer(mailRate.take(this.#client, performance.now()), (waitMs) => {
      if (waitMs > 0) return this.#refuse(smtpErrors.tooManyMails, { seconds: Math.ceil(waitMs / 1000) });
      this.#sender = path.address;
      return replies.senderAccepted;
    });
  }

  rcpt(line: string): Reply {
    const path = parsePath('rcpt', line);
    if (path === null) return this.#refuse(smtpErrors.badRecipient);
    if (this.#sender === null) return this.#refuse(smtpErrors.mailFirst);
    if (path.parameters !== '') return this.#refuse(smtpErrors.unknownParameter);
    const address = path.address.toLowerCase() === 'postmaster' ? `postmaster@${this.#context.hostname}` : path.address;
    if (!isMailbox(address)) return this.#refuse(smtpErrors.badRecipient);
    const recipient = this.#context.inbox.recipientOf(address);
    if (recipient === 'bad-name') return this.#refuse(smtpErrors.badRecipientName);
    if (recipient === 'foreign-domain') return this.#refuse(smtpErrors.foreignDomain);
    if (this.#recipients.length >= this.#context.maxRecipients) return this.#refuse(smtpErrors.tooManyRecipients);
    this.#recipients.push(recipient);
    return replies.recipientAccepted;
  }

  /** Answers DATA: with the message that is to come, or with what is wrong. */
  data(line: string): Message | Reply {
    if (line.trim().length > 'DATA'.length) return this.#refuse(smtpErrors.noArgument);
    if (this.#sender === null) return this.#refuse(smtpErrors.mailFirst);
    if (this.#recipients.length === 0) return this.#refuse(smtpErrors.recipientFirst);
    return new Message(this.#context, {
      client: this.#client,
      envelopeFrom: this.#sender,
      recipients: this.#recipients,
    });
  }

  /** Forgets the transaction that is under way, if any. */
  reset(): void {
    this.#sender = null;
    this.#recipients = [];
  }

  /** The reply that tells why MAIL, RCPT or DATA is refused. */
  #refuse(error: SmtpError, values?: Readonly<Record<string, string | number>>): Reply {
    this.#context.events?.messageRefused(error);
    return refusal(error, values);
  }
}
