import { type ErrorValues, recipientErrors, type SmtpError, smtpErrors } from '../errors.js';
import type { IncomingMail } from '../inbox/inboxes.js';
import { type AuthExchange, authenticate, offeredMechanisms } from './auth.js';
import type { SmtpContext } from './context.js';
import { Message } from './data.js';
import { type Emit, type Ended, emitTo, type RefusedPart, type SmtpSession } from './observer.js';
import { readMail, readRcpt } from './path.js';
import type { Peer } from './proxies.js';
import { type Refused, refusal, refusalReply, replies } from './replies.js';

/** Maximum number of unknown commands before the client is dismissed. A completed message resets the count. */
const MAX_UNKNOWN_COMMANDS = 10;

/** RFC 5321 section 4.5.3.1.2 limits a domain to 255 octets; some clients send slightly more. */
const MAX_HELLO_LENGTH = 300;

/** "Service closing transmission channel" (RFC 5321 section 4.2.3). */
const CLOSING = '421 ';

/** HTTP methods end the connection. Otherwise a web page could make a browser post SMTP commands to this port. */
export const HTTP_METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI'],
]);

const SPACE_OR_TAB = /[ \t]/;
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/** Errors that only follow from an earlier one, if a pipelining client continues after a refused MAIL or RCPT. */
const OUT_OF_ORDER: ReadonlySet<SmtpError> = new Set<SmtpError>([smtpErrors.mailFirst, smtpErrors.recipientFirst]);

/** The state after a reply. `quit` closes the connection immediately; `dismissed` lets the client read the reply. */
export type Next = 'command' | 'content' | 'storing' | 'handshake' | 'quit' | 'dismissed';

type Answer = (transaction: Transaction, argument: string, line: string) => string | Promise<string>;

const AFTER_HELLO: ReadonlySet<string> = new Set(['MAIL', 'RCPT', 'DATA', 'AUTH']);
const WITHOUT_ARGUMENT: ReadonlySet<string> = new Set(['RSET', 'QUIT', 'STARTTLS']);

/** The replies to one client and the state of its mail transaction (RFC 5321 sections 3.3, 4.1), without a socket. */
export class Transaction implements SmtpSession {
  static readonly #verbs: ReadonlyMap<string, Answer> = new Map<string, Answer>([
    ['EHLO', (transaction, argument) => transaction.#ehlo(argument)],
    ['HELO', (transaction, argument) => transaction.#greeted(argument) ?? `250 ${transaction.#context.hostname}`],
    ['MAIL', (transaction, _, line) => transaction.#mail(line)],
    ['RCPT', (transaction, _, line) => transaction.#rcpt(line)],
    ['DATA', (transaction, argument) => transaction.#data(argument)],
    ['RSET', (transaction) => transaction.#reset()],
    ['NOOP', () => replies.ok],
    ['QUIT', (transaction) => transaction.#turn('quit', replies.bye)],
    ['STARTTLS', (transaction) => transaction.#startTls()],
    ['AUTH', (transaction, argument) => transaction.#auth(argument)],
    ['VRFY', (transaction, to) => (to === '' ? transaction.#refuse(smtpErrors.badVerify) : replies.notVerified)],
    ['HELP', (transaction) => transaction.#help()],
  ]);

  readonly client: string;
  readonly isProxy: boolean;
  readonly emit: Emit;
  isDismissed = false;
  /** Whether TLS has begun and no command has been sent since. */
  tlsIsUnused = false;
  message: Message | null = null;
  next: Next = 'command';
  tls: SmtpSession['tls'] = 'no';
  auth: SmtpSession['auth'] = 'no';
  hello: string | null = null;
  adHoc: string | null = null;
  lastCommand: string | null = null;
  readonly #context: SmtpContext;
  readonly #isTrusted: boolean;
  readonly #offersTls: boolean;
  readonly #hasAdHoc: boolean;
  #saidHello = false;
  /** Whether the client did more than EHLO or HELO. If not, the log names the extensions offered. */
  #didMore = false;
  #unknownCommands = 0;
  #exchange: AuthExchange | null = null;
  /** Why MAIL is refused: the client meant to use an ad-hoc workspace, but is not in one (D66). */
  #needsSignIn: string | null = null;

  #sender: string | null = null;
  #recipients: IncomingMail['recipients'][number][] = [];
  #hasRefused = false;
  /** Whether the client has sent a command since its last message, which shows that it got the reply. */
  #hasGoneOn = true;

  constructor(context: SmtpContext, { client, header, isTrusted }: Peer) {
    this.#context = context;
    this.client = client;
    // A proxied client has no `header` by now. Only a balancer's own connection, such as a health check, still has one.
    this.isProxy = header !== null;
    this.#isTrusted = isTrusted;
    this.#offersTls = context.handshakes !== null;
    this.#hasAdHoc = context.adHocRate !== null;
    this.emit = emitTo(context.observe, this);
  }

  /** Returns the reply to one line. Call it only while a command is expected and no other call runs. */
  answer(line: string): string | Promise<string> {
    this.tlsIsUnused = false;
    this.#hasGoneOn = true;
    if (this.#exchange !== null) return this.#authenticate(this.#exchange, line);
    const end = line.search(SPACE_OR_TAB);
    const verb = (end < 0 ? line : line.slice(0, end)).toUpperCase();
    const argument = end < 0 ? '' : line.slice(end).trim();
    const answer = Transaction.#verbs.get(verb);
    if (answer === undefined) return this.#unknown(verb, line);
    this.lastCommand = verb;
    if (AFTER_HELLO.has(verb) && !this.#saidHello) return this.#refuse(smtpErrors.helloFirst);
    if (WITHOUT_ARGUMENT.has(verb) && argument !== '') return this.#refuse(smtpErrors.noArgument);
    return answer(this, argument, line);
  }

  async store(): Promise<string | null> {
    const message = this.message as Message;
    this.next = 'storing';
    const reply = await message.store();
    this.message = null;
    this.#hasGoneOn = false;
    this.#unknownCommands = 0;
    this.next = reply?.startsWith(CLOSING) ? 'dismissed' : 'command';
    this.#reset();
    return reply;
  }

  /** Starts over under TLS, without the state from cleartext commands (RFC 3207 section 4.2). */
  beginSecure(): void {
    this.tls = 'yes';
    this.#saidHello = false;
    // The client signed in to an ad-hoc workspace before TLS, so its mail must not be stored elsewhere (D66).
    if (this.auth === 'accepted' && this.#hasAdHoc) this.#needsSignIn = 'STARTTLS has ended your sign-in';
    this.auth = 'no';
    this.adHoc = null;
    this.next = 'command';
    this.#reset();
  }

  /** Ends the connection from the server's side, and drops an incomplete message. A complete one is stored anyway. */
  dismiss(error: SmtpError, values?: ErrorValues): string {
    this.isDismissed = true;
    return this.#refuse(error, values, this.#dropMessage() ? 'message' : 'command');
  }

  replyLost(): void {
    if (!this.#hasGoneOn) this.emit('replyLost');
  }

  end(reason: string | null): void {
    if (this.#dropMessage()) this.emit('lost');
    if (this.tlsIsUnused) this.tls = 'failed';
    this.emit('ended', { isDismissed: this.isDismissed, reason, offered: this.#offeredInVain() });
  }

  #dropMessage(): boolean {
    this.message?.hurry();
    if (this.next !== 'content') return false;
    this.message?.release();
    this.next = 'command';
    return true;
  }

  #offeredInVain(): Ended['offered'] {
    if (this.hello === null || this.#didMore || this.isProxy) return null;
    const offered = this.#offersTls ? 'offered' : 'not offered';
    return {
      startTls: this.tls === 'yes' ? 'in use' : offered,
      auth: this.#takesCredentials ? 'offered' : 'not offered',
    };
  }

  #ehlo(argument: string): string {
    const { hostname, settings } = this.#context;
    const refused = this.#greeted(argument);
    if (refused !== null) return refused;
    const lines = [hostname, 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];
    const offersAuth = this.auth !== 'accepted' && this.#takesCredentials;
    if (offersAuth) lines.push(`AUTH ${offeredMechanisms(this.#hasAdHoc).join(' ')}`);
    if (this.#offersTls && this.tls !== 'yes') lines.push('STARTTLS');
    return `${lines.map((line) => `250-${line}\r\n`).join('')}250 SIZE ${settings['max-message']}`;
  }

  /** The refusal of an invalid EHLO or HELO; null if it is valid, which ends an open transaction (RFC 5321, 4.1.4). */
  #greeted(argument: string): string | null {
    if (argument === '' || argument.length > MAX_HELLO_LENGTH || SPACE_OR_CONTROL.test(argument)) {
      const { code, text } = this.#refused(smtpErrors.badHello);
      // Replies to EHLO and HELO have no enhanced code (RFC 2034 section 3).
      return `${code} ${text}`;
    }
    this.#saidHello = true;
    this.hello = argument;
    this.#reset();
    return null;
  }

  async #mail(line: string): Promise<string> {
    const { mailRate, adHocRate, settings, monotonic } = this.#context;
    const limit = settings['max-message'];
    this.#didMore = true;
    if (this.#sender !== null) return this.#refuseMail(smtpErrors.mailIsOpen);
    const { address, size, fault } = readMail(line);
    this.emit('mail', address);
    if (address === null) return this.#refuseMail(smtpErrors.badSender);
    if (this.#needsSignIn !== null) return this.#refuseMail(smtpErrors.signInFirst, { reason: this.#needsSignIn });
    if (fault !== null) return this.#refuseMail(fault.error, fault.values);
    if (size > limit) return this.#refuseMail(smtpErrors.messageTooLarge, { limit });
    const waitMs = await mailRate.take(this.client, monotonic());
    if (waitMs > 0) return this.#refuseMail(smtpErrors.tooManyMails, { seconds: Math.ceil(waitMs / 1000) });
    const adHocMs = this.adHoc === null ? 0 : await adHocRate?.take(this.adHoc, monotonic());
    if (adHocMs) return this.#refuseMail(smtpErrors.tooManySpaceMails, { seconds: Math.ceil(adHocMs / 1000) });
    this.#sender = address;
    this.#hasRefused = false;
    return replies.senderAccepted;
  }

  async #rcpt(line: string): Promise<string> {
    const { hostname, inbox, domainList, settings } = this.#context;
    const { address, fault } = readRcpt(line, hostname);
    if (address === null) return this.#refuseMail(smtpErrors.badRecipient);
    if (this.#sender === null) {
      this.emit('recipient', address, null);
      return this.#refuseMail(smtpErrors.mailFirst);
    }
    const refuse = (error: SmtpError, values?: ErrorValues) => {
      this.#hasRefused = true;
      const refused = this.#refused(error, values, 'recipient');
      this.emit('recipient', address, refused);
      const reply = refusalReply(refused);
      // A server that sends a 421 closes the connection (RFC 5321 section 3.8). Here, only plugins can refuse with 421.
      if (reply.startsWith(CLOSING)) this.next = 'dismissed';
      return reply;
    };
    if (fault !== null) return refuse(fault.error, fault.values);
    const recipient = inbox.recipientOf(address, this.adHoc);
    if (typeof recipient === 'string') return refuse(recipientErrors[recipient], { domains: domainList });
    if (this.#recipients.length >= settings['max-recipients']) return refuse(smtpErrors.tooManyRecipients);
    const error = await inbox.refusalOf?.(recipient, this.#sender);
    if (error) return refuse(error);
    this.#recipients.push(recipient);
    this.emit('recipient', address, null);
    return replies.recipientAccepted;
  }

  #data(argument: string): string {
    if (argument !== '') return this.#refuseMail(smtpErrors.noArgument);
    if (this.#sender === null) return this.#refuseMail(smtpErrors.mailFirst);
    if (this.#recipients.length === 0) return this.#refuseMail(smtpErrors.recipientFirst);
    this.emit('data');
    const envelope = { client: this.client, envelopeFrom: this.#sender, recipients: this.#recipients };
    this.message = new Message(this.#context, envelope, this.emit);
    return this.#turn('content', replies.sendContent);
  }

  #turn(next: Next, reply: string): string {
    this.next = next;
    return reply;
  }

  #reset(): string {
    this.emit('reset');
    this.#sender = null;
    this.#recipients = [];
    this.#hasRefused = false;
    return replies.reset;
  }

  #help(): string {
    return `214 2.0.0 EHLO HELO ${this.#offersTls ? 'STARTTLS ' : ''}AUTH MAIL RCPT DATA RSET NOOP VRFY QUIT, as in RFC 5321`;
  }

  #startTls(): string {
    if (this.tls === 'yes') return this.#refuse(smtpErrors.tlsIsOn);
    this.tls = 'asked';
    if (!this.#offersTls) return this.#refuse(smtpErrors.noStartTls);
    return this.#turn('handshake', replies.startTls);
  }

  #unknown(verb: string, line: string): string {
    // Does not keep the line, which may be credentials, as is likely after a refused AUTH: the last command stays AUTH.
    if (this.auth !== 'refused') this.lastCommand = 'unknown';
    const isHttp = HTTP_METHODS.has(verb) && line.includes(' HTTP/');
    this.#unknownCommands += 1;
    if (isHttp || this.#unknownCommands >= MAX_UNKNOWN_COMMANDS) this.next = 'dismissed';
    if (isHttp) return this.#refuse(smtpErrors.notHttp);
    return this.#refuse(this.next === 'dismissed' ? smtpErrors.tooManyUnknown : smtpErrors.unknownCommand);
  }

  get #takesCredentials(): boolean {
    return this.tls === 'yes' || this.#isTrusted || !this.#context.credentialsNeedTls;
  }
  #auth(argument: string): string {
    if (!this.#takesCredentials) return this.#refuseAuth(smtpErrors.tlsFirst);
    if (this.auth === 'accepted') return this.#refuse(smtpErrors.authIsDone);
    if (this.#sender !== null) return this.#refuse(smtpErrors.mailIsOpen);
    return this.#authenticate(authenticate(argument, this.#hasAdHoc), '');
  }

  #authenticate(exchange: AuthExchange, line: string): string {
    this.#didMore = true;
    const { done, value } = exchange.next(line);
    this.#exchange = done ? null : exchange;
    if (!done) {
      if (value.refused !== undefined) this.#refuse(value.refused);
      return `334 ${Buffer.from(value.challenge).toString('base64')}`;
    }
    if ('error' in value) return this.#refuseAuth(value.error, value.values, value.isTold);
    this.adHoc = value.adHoc;
    this.auth = 'accepted';
    this.#needsSignIn = null;
    return replies.authenticated;
  }

  #refuseAuth(error: SmtpError, values?: ErrorValues, isTold = false): string {
    this.auth = 'refused';
    this.#needsSignIn = this.#hasAdHoc ? 'AUTH was refused on this connection' : null;
    return isTold ? refusalReply(refusal(error, values)) : this.#refuse(error, values);
  }

  #refuseMail(error: SmtpError, values?: ErrorValues): string {
    const isConsequence = this.#hasRefused && OUT_OF_ORDER.has(error);
    this.#hasRefused = true;
    return this.#refuse(error, values, isConsequence ? 'consequence' : 'transaction');
  }

  #refuse(error: SmtpError, values?: ErrorValues, part: RefusedPart = 'command'): string {
    return refusalReply(this.#refused(error, values, part));
  }

  #refused(error: SmtpError, values?: ErrorValues, part: RefusedPart = 'command'): Refused {
    this.#didMore = true;
    const refused = refusal(error, values);
    this.emit('refused', refused, part);
    return refused;
  }
}
