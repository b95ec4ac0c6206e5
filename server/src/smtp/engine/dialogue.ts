import type { SecureContext } from 'node:tls';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { type Soon, withAnswer } from '../../soon.js';
import { Message } from '../message.js';
import { type Reply, replies, replyLine } from '../reply.js';
import { Session, type SessionContext } from '../session.js';
import { type AuthAnswer, type AuthStep, beginAuth, continueAuth } from './auth.js';
import type { Extensions } from './extensions.js';
import type { Peer } from './peer.js';

/** At so many commands that are not known a client is sent away. A mail that is sent makes good for them. */
const MAX_UNKNOWN_COMMANDS = 10;

/** RFC 5321 section 4.5.3.1.2 limits a domain to 255 octets; some clients send a little more. */
const MAX_HELLO_LENGTH = 300;

/** What HTTP requests begin with. A web page can make a browser post to this port, with commands in the body. */
const HTTP_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI']);

const SPACE_OR_TAB = /[ \t]/;
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/** Replies to EHLO and HELO have no enhanced code (RFC 2034 section 3). */
const badHello: Reply = { ...smtpErrors.badHello, enhanced: null };

/** What the dialogues share. */
export interface DialogueContext extends SessionContext {
  readonly extensions: Extensions;
  /** What STARTTLS is served with: later while a certificate is being made for it, and null where that failed. */
  secureContext(): Soon<SecureContext | null>;
}

/**
 * What comes after a reply: another command, the content of a mail, a TLS handshake, or nothing more: the client has said
 * QUIT, or is dismissed and may not know yet.
 */
export type Next = 'command' | 'content' | 'handshake' | 'quit' | 'dismissed';

/** Answers one command, given what stands behind its verb, and the whole line. */
type Answer = (dialogue: Dialogue, argument: string, line: string) => Soon<string>;

/**
 * What one client is answered, command by command (RFC 5321 section 4.1). It knows of no socket: `answer` takes a line
 * and returns the reply as it goes over the wire, and `next` tells what is to come then.
 */
export class Dialogue {
  static readonly #verbs: ReadonlyMap<string, Answer> = new Map<string, Answer>([
    ['EHLO', (dialogue, argument) => dialogue.#ehlo(argument)],
    ['HELO', (dialogue, argument) => dialogue.#helo(argument)],
    ['MAIL', (dialogue, _, line) => dialogue.#afterHello() ?? withAnswer(dialogue.#session.mail(line), replyLine)],
    ['RCPT', (dialogue, _, line) => dialogue.#afterHello() ?? replyLine(dialogue.#session.rcpt(line))],
    ['DATA', (dialogue, _, line) => dialogue.#afterHello() ?? dialogue.#data(line)],
    ['RSET', (dialogue, argument) => dialogue.#reset(argument)],
    ['NOOP', () => replyLine(replies.ok)],
    ['QUIT', (dialogue, argument) => dialogue.#quit(argument)],
    ['STARTTLS', (dialogue, argument) => dialogue.#startTls(argument)],
    ['AUTH', (dialogue, argument) => dialogue.#afterHello() ?? dialogue.#auth(argument)],
    ['VRFY', (_, argument) => replyLine(argument === '' ? smtpErrors.badVerify : replies.notVerified)],
    ['HELP', () => replyLine(replies.help)],
  ]);

  readonly #context: DialogueContext;
  readonly #peer: Peer;
  readonly #session: Session;
  #next: Next = 'command';
  #message: Message | null = null;
  #secureContext: SecureContext | null = null;
  #saidHello = false;
  #isSecure = false;
  #isAuthenticated = false;
  #authStep: AuthStep | null = null;
  #unknownCommands = 0;

  constructor(context: DialogueContext, peer: Peer) {
    this.#context = context;
    this.#peer = peer;
    this.#session = new Session(context, peer.client);
  }

  /** What the client is to send next, by the last answer. */
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

  /**
   * Answers one line. Only to be called while a command comes next, and not while an answer is awaited: it comes later only where
   * a limit is one that several processes share, or where STARTTLS has no certificate yet.
   */
  answer(line: string): Soon<string> {
    if (this.#authStep !== null) return this.#authenticate(continueAuth(this.#authStep, line));
    const end = line.search(SPACE_OR_TAB);
    const verb = (end < 0 ? line : line.slice(0, end)).toUpperCase();
    const answer = Dialogue.#verbs.get(verb);
    if (answer !== undefined) return answer(this, end < 0 ? '' : line.slice(end).trim(), line);
    if (HTTP_METHODS.has(verb) && line.includes(' HTTP/')) return this.#dismiss(smtpErrors.notHttp);
    this.#unknownCommands += 1;
    if (this.#unknownCommands < MAX_UNKNOWN_COMMANDS) return replyLine(smtpErrors.unknownCommand);
    return this.#dismiss(smtpErrors.tooManyUnknown);
  }

  /** Goes back to commands, for the content has come and the mail is answered. */
  endMail(): void {
    this.#message = null;
    this.#next = 'command';
    this.#unknownCommands = 0;
    this.#session.reset();
  }

  /** Begins anew under TLS: all that was said in clear is forgotten (RFC 3207 section 4.2). */
  beginSecure(): void {
    this.#isSecure = true;
    this.#saidHello = false;
    this.#isAuthenticated = false;
    this.#next = 'command';
    this.#session.reset();
  }

  #ehlo(argument: string): string {
    const auth = !this.#isAuthenticated && this.#takesCredentials;
    return this.#hello(argument) ?? this.#context.extensions.reply({ startTls: !this.#isSecure, auth });
  }

  #helo(argument: string): string {
    return this.#hello(argument) ?? `250 ${this.#context.hostname}\r\n`;
  }

  /** Drops the mail that was begun, too (RFC 5321 section 4.1.4). Null when the argument is fine. */
  #hello(argument: string): string | null {
    if (argument === '' || argument.length > MAX_HELLO_LENGTH || SPACE_OR_CONTROL.test(argument)) {
      return replyLine(badHello);
    }
    this.#saidHello = true;
    this.#session.reset();
    return null;
  }

  #afterHello(): string | null {
    return this.#saidHello ? null : replyLine(smtpErrors.helloFirst);
  }

  #data(line: string): string {
    const answer = this.#session.data(line);
    if (!(answer instanceof Message)) return replyLine(answer);
    this.#message = answer;
    this.#next = 'content';
    return replyLine(replies.sendContent);
  }

  #reset(argument: string): string {
    if (argument !== '') return replyLine(smtpErrors.noArgument);
    this.#session.reset();
    return replyLine(replies.reset);
  }

  #quit(argument: string): string {
    if (argument !== '') return replyLine(smtpErrors.noArgument);
    this.#next = 'quit';
    return replyLine(replies.bye);
  }

  #startTls(argument: string): Soon<string> {
    if (argument !== '') return replyLine(smtpErrors.noArgument);
    if (this.#isSecure) return replyLine(smtpErrors.tlsIsOn);
    return withAnswer(this.#context.secureContext(), (secureContext) => {
      if (secureContext === null) return replyLine(smtpErrors.noTls);
      this.#secureContext = secureContext;
      this.#next = 'handshake';
      return replyLine(replies.startTls);
    });
  }

  get #takesCredentials(): boolean {
    return this.#isSecure || this.#peer.isTrusted;
  }

  #auth(argument: string): string {
    if (!this.#takesCredentials) return replyLine(smtpErrors.tlsFirst);
    if (this.#isAuthenticated) return replyLine(smtpErrors.authIsDone);
    if (this.#session.isOpen) return replyLine(smtpErrors.mailIsOpen);
    return this.#authenticate(beginAuth(argument));
  }

  #authenticate({ reply, next }: AuthAnswer): string {
    this.#authStep = next;
    this.#isAuthenticated = reply === replies.authenticated;
    return replyLine(reply);
  }

  #dismiss(error: SmtpError): string {
    this.#next = 'dismissed';
    return replyLine(error);
  }
}
