import type { SecureContext } from 'node:tls';
import { toldBy, type Visit } from '../../attempts/book.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { spaceOf } from '../../inbox/spaces/space.js';
import type { Offered } from '../mail-log.js';
import { Message } from '../message.js';
import { type Extensions, type ReplyValues, refusal, replies, replyLine } from '../reply.js';
import { Session, type SessionContext } from '../session.js';
import { type AuthAnswer, type AuthStep, beginAuth, continueAuth, refusedCredentials } from './auth.js';
import { isHttpRequest } from './line-reader.js';
import type { Peer } from './peer.js';

/** Unknown commands before dismissal. A completed mail resets the count. */
const MAX_UNKNOWN_COMMANDS = 10;

/** RFC 5321 section 4.5.3.1.2 limits a domain to 255 octets; some clients send slightly more. */
const MAX_HELLO_LENGTH = 300;

/** "Service closing transmission channel" (RFC 5321 section 4.2.3). */
const CLOSING = 421;

const SPACE_OR_TAB = /[ \t]/;
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

export interface DialogueContext extends SessionContext {
  readonly extensions: Extensions;
  /** TLS for STARTTLS; null if it is not offered. */
  readonly secureContext: (() => SecureContext) | null;
  /** Whether credentials need TLS, except from trusted peers (D21). */
  readonly credentialsNeedTls: boolean;
}

/** What follows a reply. `quit` ends at once; `dismissed` clients may not expect the end. */
export type Next = 'command' | 'content' | 'handshake' | 'quit' | 'dismissed';

/** What the client did so far: nothing, only EHLO or HELO, or something that is logged or says why it came. */
type Done = 'nothing' | 'hello' | 'more';

/** Answers a command; `argument` follows the verb. */
type Answer = (dialogue: Dialogue, argument: string, line: string) => MaybePromise<string>;

/** The replies to one client (RFC 5321 section 4.1), without a socket. `next` says what follows the last reply. */
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

  /** The message whose content follows; null except after 354. */
  get message(): Message | null {
    return this.#message;
  }

  /** The context for the handshake; null except after a 220 to STARTTLS. */
  get secureContext(): SecureContext | null {
    return this.#secureContext;
  }

  /** What a client was offered that sent only EHLO or HELO; null for others. */
  get offeredInVain(): Offered | null {
    // A balancer without a client checks our health.
    if (this.#done !== 'hello' || this.#peer.header !== null) return null;
    const offered = this.#context.secureContext === null ? 'not offered' : 'offered';
    return {
      startTls: this.#isSecure ? 'in use' : offered,
      auth: this.#takesCredentials ? 'offered' : 'not offered',
    };
  }

  /** Answers one line. Only while a command is expected and no answer pending; shared limits answer with a promise. */
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

  endMail(code: number): void {
    this.#message = null;
    this.#next = code === CLOSING ? 'dismissed' : 'command';
    this.#unknownCommands = 0;
    this.#session.reset();
  }

  /** Starts over under TLS: what was said in cleartext is forgotten (RFC 3207 section 4.2). */
  beginSecure(): void {
    this.#isSecure = true;
    this.#visit.tls = 'yes';
    this.#saidHello = false;
    // In clear, the client meant a space: its mail must not silently come outside of it (D66).
    if (this.#isAuthenticated && this.#hasSpaces) this.#session.needsSignIn = 'STARTTLS has ended your sign-in';
    this.#isAuthenticated = false;
    this.#visit.auth = 'no';
    this.#enter(null);
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

  /** Also drops an open transaction (RFC 5321 section 4.1.4). Null if the argument is fine. */
  #hello(argument: string): string | null {
    if (argument === '' || argument.length > MAX_HELLO_LENGTH || SPACE_OR_CONTROL.test(argument)) {
      // Replies to EHLO and HELO have no enhanced code (RFC 2034 section 3).
      this.#refuse(smtpErrors.badHello);
      return replyLine({ ...smtpErrors.badHello, enhanced: null });
    }
    this.#saidHello = true;
    this.#visit.hello = argument;
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

  #rcpt(line: string): MaybePromise<string> {
    this.#done = 'more';
    return withAnswer(this.#session.rcpt(line), (reply) => {
      // RFC 5321 section 3.8: a server that says this closes the connection. Only rehearsals do.
      if (reply.code === CLOSING) this.#next = 'dismissed';
      return replyLine(reply);
    });
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
      this.#noteAuth('refused');
      return this.#refuse(smtpErrors.tlsFirst);
    }
    if (this.#isAuthenticated) return this.#refuse(smtpErrors.authIsDone);
    if (this.#session.isOpen) return this.#refuse(smtpErrors.mailIsOpen);
    return this.#authenticate(beginAuth(argument, this.#hasSpaces));
  }

  #authenticate(answer: AuthAnswer): string {
    const { reply, next, error } = this.#signedIn(answer);
    this.#authStep = next;
    this.#done = 'more';
    this.#isAuthenticated = reply === replies.authenticated;
    if (next === null) this.#noteAuth(this.#isAuthenticated ? 'accepted' : 'refused');
    if (error !== null) this.#refuse(error.row, error.values);
    return replyLine(reply);
  }

  get #hasSpaces(): boolean {
    return this.#context.spaceRate !== null;
  }

  #noteAuth(auth: 'accepted' | 'refused'): void {
    this.#visit.auth = auth;
    const isLost = auth === 'refused' && this.#hasSpaces;
    this.#session.needsSignIn = isLost ? 'AUTH was refused on this connection' : null;
  }

  /** With spaces, the credentials are those of one (D66). */
  #signedIn(answer: AuthAnswer): AuthAnswer {
    if (answer.credentials === null || !this.#hasSpaces) return answer;
    const space = spaceOf(answer.credentials);
    if (space === null) return refusedCredentials(smtpErrors.badSpace, answer.isToken);
    this.#enter(space);
    return answer;
  }

  #enter(space: string | null): void {
    this.#session.space = space;
    this.#visit.space = space;
  }

  #verify(argument: string): string {
    return argument === '' ? this.#refuse(smtpErrors.badVerify) : replyLine(replies.notVerified);
  }

  #dismiss(error: SmtpError): string {
    this.#next = 'dismissed';
    return this.#refuse(error);
  }

  /** Refuses outside of a mail transaction: the session logs its own refusals. */
  #refuse(error: SmtpError, values?: ReplyValues): string {
    this.#done = 'more';
    this.#visit.refused(error, toldBy(error, values));
    this.#context.mailLog.refused(error, this.#peer.client, values);
    return replyLine(refusal(error, values));
  }
}
