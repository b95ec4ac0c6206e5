import type { SecureContext } from 'node:tls';
import { toldBy, type Visit } from '../../attempts/book.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { type SmtpError, smtpErrors } from '../../errors.js';
import type { Offered } from '../mail-log.js';
import { Message } from '../message.js';
import { type Extensions, replies, replyLine } from '../reply.js';
import { Session, type SessionContext } from '../session.js';
import { type AuthAnswer, type AuthStep, beginAuth, continueAuth } from './auth.js';
import { isHttpRequest } from './other-protocols.js';
import type { Peer } from './peer.js';

/** At so many commands that are not known a client is sent away. A mail that is sent makes good for them. */
const MAX_UNKNOWN_COMMANDS = 10;

/** RFC 5321 section 4.5.3.1.2 limits a domain to 255 octets; some clients send a little more. */
const MAX_HELLO_LENGTH = 300;

const SPACE_OR_TAB = /[ \t]/;
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

export interface DialogueContext extends SessionContext {
  readonly extensions: Extensions;
  /** What STARTTLS is served with; null where it is not offered. */
  readonly secureContext: (() => SecureContext) | null;
  /** Whether credentials are taken over TLS only, but from trusted peers (D21). */
  readonly credentialsNeedTls: boolean;
}

/**
 * What comes after a reply: another command, the content of a mail, a TLS handshake, or nothing more: the client has
 * said QUIT, or is dismissed and may not know yet.
 */
export type Next = 'command' | 'content' | 'handshake' | 'quit' | 'dismissed';

/**
 * What a client has done so far: at first nothing, then EHLO or HELO alone, then something that is logged or says why
 * it came.
 */
type Done = 'nothing' | 'hello' | 'more';

/** Answers one command, given what stands behind its verb, and the whole line. */
type Answer = (dialogue: Dialogue, argument: string, line: string) => MaybePromise<string>;

/**
 * What one client is answered, command by command (RFC 5321 section 4.1). It knows of no socket: `answer` takes a line
 * and returns the reply as it goes over the wire, and `next` tells what is to come then.
 */
export class Dialogue {
  static readonly #verbs: ReadonlyMap<string, Answer> = new Map<string, Answer>([
    ['EHLO', (dialogue, argument) => dialogue.#ehlo(argument)],
    ['HELO', (dialogue, argument) => dialogue.#helo(argument)],
    ['MAIL', (dialogue, _, line) => dialogue.#afterHello() ?? dialogue.#mail(line)],
    ['RCPT', (dialogue, _, line) => dialogue.#afterHello() ?? dialogue.#rcpt(line)],
    ['DATA', (dialogue, _, line) => dialogue.#afterHello() ?? dialogue.#data(line)],
    ['RSET', (dialogue, argument) => dialogue.#reset(argument)],
    ['NOOP', () => replyLine(replies.ok)],
    ['QUIT', (dialogue, argument) => dialogue.#quit(argument)],
    ['STARTTLS', (dialogue, argument) => dialogue.#startTls(argument)],
    ['AUTH', (dialogue, argument) => dialogue.#afterHello() ?? dialogue.#auth(argument)],
    ['VRFY', (dialogue, argument) => dialogue.#verify(argument)],
    ['HELP', (dialogue) => replyLine(dialogue.#context.secureContext === null ? replies.help : replies.helpWithTls)],
  ]);

  readonly #context: DialogueContext;
  readonly #peer: Peer;
  readonly #session: Session;
  readonly #visit: Visit;
  #next: Next = 'command';
  #message: Message | null = null;
  #secureContext: SecureContext | null = null;
  #saidHello = false;
  #isSecure = false;
  #isAuthenticated = false;
  #authStep: AuthStep | null = null;
  #unknownCommands = 0;
  #done: Done = 'nothing';

  constructor(context: DialogueContext, peer: Peer, visit: Visit) {
    this.#context = context;
    this.#peer = peer;
    this.#visit = visit;
    this.#session = new Session(context, peer.client, visit);
  }

  get next(): Next {
    return this.#next;
  }

  /** The message whose content comes next; null but after a DATA that was answered with 354. */
  get message(): Message | null {
    return this.#message;
  }

  /** What the handshake is made with; null but after a STARTTLS that was answered with 220. */
  get secureContext(): SecureContext | null {
    return this.#secureContext;
  }

  /** What a client was offered that has said EHLO or HELO and nothing else that tells why it came; null for others. */
  get offeredInVain(): Offered | null {
    // A balancer that speaks for itself looks whether the service is up.
    if (this.#done !== 'hello' || this.#peer.header !== null) return null;
    const offered = this.#context.secureContext === null ? 'not offered' : 'offered';
    return {
      startTls: this.#isSecure ? 'in use' : offered,
      auth: this.#takesCredentials ? 'offered' : 'not offered',
    };
  }

  /**
   * Answers one line. Only to be called while a command comes next, and not while an answer is awaited: it comes later
   * only where a limit is one that several processes share.
   */
  answer(line: string): MaybePromise<string> {
    if (this.#authStep !== null) return this.#authenticate(continueAuth(this.#authStep, line));
    const end = line.search(SPACE_OR_TAB);
    const verb = (end < 0 ? line : line.slice(0, end)).toUpperCase();
    const answer = Dialogue.#verbs.get(verb);
    // What is no verb may be anything, such as credentials.
    this.#visit.lastCommand = answer === undefined ? 'unknown' : verb;
    if (answer !== undefined) return answer(this, end < 0 ? '' : line.slice(end).trim(), line);
    if (isHttpRequest(verb, line)) return this.#dismiss(smtpErrors.notHttp);
    this.#unknownCommands += 1;
    if (this.#unknownCommands < MAX_UNKNOWN_COMMANDS) return this.#refuse(smtpErrors.unknownCommand);
    return this.#dismiss(smtpErrors.tooManyUnknown);
  }

  endMail(): void {
    this.#message = null;
    this.#next = 'command';
    this.#unknownCommands = 0;
    this.#session.reset();
  }

  /** Begins anew under TLS: all that was said in clear is forgotten (RFC 3207 section 4.2). */
  beginSecure(): void {
    this.#isSecure = true;
    this.#visit.tls = 'yes';
    this.#visit.auth = 'no';
    this.#saidHello = false;
    this.#isAuthenticated = false;
    this.#next = 'command';
    this.#session.reset();
  }

  #ehlo(argument: string): string {
    const startTls = this.#context.secureContext !== null && !this.#isSecure;
    const auth = !this.#isAuthenticated && this.#takesCredentials;
    return this.#hello(argument) ?? this.#context.extensions.reply({ startTls, auth });
  }

  #helo(argument: string): string {
    return this.#hello(argument) ?? `250 ${this.#context.hostname}\r\n`;
  }

  /** Drops the mail that was begun, too (RFC 5321 section 4.1.4). Null when the argument is fine. */
  #hello(argument: string): string | null {
    if (argument === '' || argument.length > MAX_HELLO_LENGTH || SPACE_OR_CONTROL.test(argument)) {
      // Replies to EHLO and HELO have no enhanced code (RFC 2034 section 3).
      this.#refuse(smtpErrors.badHello);
      return replyLine({ ...smtpErrors.badHello, enhanced: null });
    }
    this.#saidHello = true;
    if (this.#done === 'nothing') this.#done = 'hello';
    this.#session.reset();
    return null;
  }

  #afterHello(): string | null {
    return this.#saidHello ? null : this.#refuse(smtpErrors.helloFirst);
  }

  #mail(line: string): MaybePromise<string> {
    this.#done = 'more';
    return withAnswer(this.#session.mail(line), replyLine);
  }

  #rcpt(line: string): string {
    this.#done = 'more';
    return replyLine(this.#session.rcpt(line));
  }

  #data(line: string): string {
    this.#done = 'more';
    const answer = this.#session.data(line);
    if (!(answer instanceof Message)) return replyLine(answer);
    this.#message = answer;
    this.#next = 'content';
    return replyLine(replies.sendContent);
  }

  #reset(argument: string): string {
    if (argument !== '') return this.#refuse(smtpErrors.noArgument);
    this.#session.reset();
    return replyLine(replies.reset);
  }

  #quit(argument: string): string {
    if (argument !== '') return this.#refuse(smtpErrors.noArgument);
    this.#next = 'quit';
    return replyLine(replies.bye);
  }

  #startTls(argument: string): string {
    if (argument !== '') return this.#refuse(smtpErrors.noArgument);
    if (this.#isSecure) return this.#refuse(smtpErrors.tlsIsOn);
    this.#visit.tls = 'asked';
    if (this.#context.secureContext === null) return this.#refuse(smtpErrors.noStartTls);
    this.#secureContext = this.#context.secureContext();
    this.#next = 'handshake';
    return replyLine(replies.startTls);
  }

  get #takesCredentials(): boolean {
    return this.#isSecure || this.#peer.isTrusted || !this.#context.credentialsNeedTls;
  }

  #auth(argument: string): string {
    if (!this.#takesCredentials) {
      this.#visit.auth = 'refused';
      return this.#refuse(smtpErrors.tlsFirst);
    }
    if (this.#isAuthenticated) return this.#refuse(smtpErrors.authIsDone);
    if (this.#session.isOpen) return this.#refuse(smtpErrors.mailIsOpen);
    return this.#authenticate(beginAuth(argument));
  }

  #authenticate({ reply, next, error }: AuthAnswer): string {
    this.#authStep = next;
    this.#done = 'more';
    this.#isAuthenticated = reply === replies.authenticated;
    if (next === null) this.#visit.auth = this.#isAuthenticated ? 'accepted' : 'refused';
    return error === null ? replyLine(reply) : this.#refuse(error);
  }

  #verify(argument: string): string {
    return argument === '' ? this.#refuse(smtpErrors.badVerify) : replyLine(replies.notVerified);
  }

  #dismiss(error: SmtpError): string {
    this.#next = 'dismissed';
    return this.#refuse(error);
  }

  /** The reply that tells an error, which is none of a mail: the session logs those. */
  #refuse(error: SmtpError): string {
    this.#done = 'more';
    this.#visit.refused(error, toldBy(error));
    this.#context.mailLog.refused(error, this.#peer.client);
    return replyLine(error);
  }
}
