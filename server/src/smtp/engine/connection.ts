import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type AttemptBook, toldBy, type Visit } from '../../attempts/book.js';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { RoundBudget, type Rounds } from '../../fairness/event-loop.js';
import { DotDecoder } from '../dot-decoder.js';
import type { Message } from '../message.js';
import { greeting, type Reply, replyLine } from '../reply.js';
import { Channel, type ChannelReader } from './channel.js';
import { type DataTimeLimits, DataWatch, type TooLong } from './data-time.js';
import { Dialogue, type DialogueContext } from './dialogue.js';
import { LineReader } from './line-reader.js';
import { isTls, spokeTooSoon } from './other-protocols.js';
import type { Peer } from './peer.js';
import { beginsLikeHeader } from './proxy-header.js';

/** How long a client that is sent away may take to read its last reply and close its side. */
const CLOSING_MS = 5_000;

/** The same while the service stops. */
export const STOPPING_MS = 200;

export interface ConnectionContext extends DialogueContext, DataTimeLimits {
  /** How long a client may be silent, and how long a TLS handshake may take. */
  readonly idleTimeoutMs: number;
  readonly rounds: Rounds;
  readonly attempts: AttemptBook;
  readonly isStopping: boolean;
}

/**
 * How a connection begins on which something was read before: what came that was not taken, and whether the client is
 * greeted.
 */
export interface Opening {
  readonly received: Buffer;
  readonly isGreeted: boolean;
}

const TOO_LONG: Readonly<Record<TooLong, SmtpError>> = { late: smtpErrors.dataTooLate, slow: smtpErrors.dataTooSlow };

/**
 * What comes next: nothing yet, a command, content, nothing before the command or the mail is answered, or a TLS
 * handshake.
 */
type State = 'greeting' | 'command' | 'content' | 'answering' | 'storing' | 'handshake';

export class Connection implements ChannelReader {
  readonly #context: ConnectionContext;
  readonly #peer: Peer;
  readonly #budget: RoundBudget;
  readonly #channel: Channel;
  readonly #dialogue: Dialogue;
  readonly #visit: Visit;
  readonly #lines = new LineReader();
  readonly #isGreeted: boolean;
  #state: State = 'greeting';
  /** Whether a proxy has said whose connection it is. */
  readonly #isIntroduced: boolean;
  #hasSpoken = false;
  /** Whether TLS was begun, and nothing was said under it so far. */
  #tlsIsUnused = false;
  /** Whether we have ended the connection, and not the client. */
  #isDismissed = false;
  #failure: string | null = null;
  #hasEnded = false;
  #message: Message | null = null;
  #decoder: DotDecoder | null = null;
  #dataWatch: DataWatch | null = null;
  #stored: Promise<void> = Promise.resolve();

  /** Takes over a socket that was not read from yet, or one with its opening, which is paused. */
  constructor(context: ConnectionContext, socket: Socket, peer: Peer, opening: Opening | null) {
    this.#context = context;
    this.#peer = peer;
    this.#budget = new RoundBudget(context.rounds);
    this.#channel = new Channel(socket, this, this.#budget, context.idleTimeoutMs, opening?.received ?? null);
    this.#visit = context.attempts.visit(peer.client);
    this.#dialogue = new Dialogue(context, peer, this.#visit);
    socket.once('close', this.#closed);
    this.#isGreeted = opening?.isGreeted ?? false;
    this.#isIntroduced = opening !== null;
    // In the first turn libuv is told to watch the socket; in the second it has read what was there before the
    // greeting. Behind a proxy nobody can tell whether the client was too soon: what came with the header waits.
    setImmediate(() => (opening === null ? setImmediate(this.#begin) : this.#begin()));
  }

  get isBusy(): boolean {
    return this.#state === 'storing' || this.#state === 'answering';
  }

  /** Resolves when the mail that has come in last is stored, or dropped. */
  get stored(): Promise<void> {
    return this.#stored;
  }

  /** Says that the service stops and closes: now, or once the mail that is coming in is answered. */
  stop(): void {
    if (this.#state === 'content' || this.#state === 'storing') return;
    this.cut();
  }

  /** Says the same in the middle of a mail, or before it is answered, and closes: the time to finish is over. */
  cut(): void {
    // Nothing can be said in a handshake: it would be cleartext in the middle of TLS.
    if (this.#state === 'handshake') this.destroy();
    else this.#dismiss(smtpErrors.stopping, STOPPING_MS);
  }

  destroy(): void {
    this.#isDismissed = true;
    this.#channel.destroy();
  }

  take(bytes: Buffer): number {
    if (!this.#hasSpoken) this.#hearFirst(bytes);
    let at = 0;
    while (at < bytes.length && !this.#channel.isClosing && !this.#budget.isSpent) {
      if (this.#state === 'command') at = this.#takeLine(bytes, at);
      else if (this.#state === 'content') at = this.#takeContent(bytes, at);
      else break;
    }
    return at;
  }

  /** A client that closes its side after its last mail still gets the answer to it. */
  ended(): void {
    this.#hasEnded = true;
    if (!this.isBusy && this.#state !== 'greeting') this.#channel.leave();
  }

  idle(): void {
    // The client is not idle while it waits for us. The answer begins the idle time anew.
    if (this.isBusy) return;
    if (this.#state === 'handshake') this.destroy();
    else this.#dismiss(smtpErrors.idleTooLong);
  }

  failed(error: NodeJS.ErrnoException): void {
    this.#failure = error.code ?? null;
    this.#context.log.debug({ client: this.#peer.client, reason: error.message }, 'An SMTP connection failed.');
  }

  /** The client is told and does not wait for ever. */
  broke(error: unknown): void {
    this.#context.log.error(
      { err: error, client: this.#peer.client },
      'An SMTP connection failed because of an internal error.',
    );
    this.#dismiss(smtpErrors.internal);
  }

  readonly #begin = (): void => {
    if (this.#channel.isClosing) return;
    this.#state = 'command';
    if (!this.#isGreeted) this.#channel.say(greeting(this.#context.hostname));
    this.#channel.flush();
    if (this.#hasEnded) this.#channel.leave();
    else this.#channel.readOn();
  };

  #hearFirst(bytes: Buffer): void {
    this.#hasSpoken = true;
    if (!this.#isIntroduced && beginsLikeHeader(bytes)) this.#context.mailLog.unlistedProxy(this.#peer.client);
    if (this.#state === 'greeting') this.#dismiss(spokeTooSoon(bytes));
    else if (isTls(bytes)) this.#dismiss(smtpErrors.notSmtps);
  }

  /** Takes a line, or the beginning of one, and answers it. Returns where the next one begins. */
  #takeLine(bytes: Buffer, start: number): number {
    const end = this.#lines.read(bytes, start);
    const { line } = this.#lines;
    if (line === null) {
      if (this.#lines.isTooLong) this.#dismiss(smtpErrors.commandTooLong);
      return end;
    }
    this.#budget.spend();
    this.#tlsIsUnused = false;
    const reply = this.#dialogue.answer(line);
    if (reply instanceof Promise) {
      this.#state = 'answering';
      reply.then(this.#answerLater).catch(this.#fail);
      return end;
    }
    this.#channel.say(reply);
    const { next } = this.#dialogue;
    if (next === 'command') return end;
    if (next === 'content') {
      this.#expectContent();
      return end;
    }
    if (next === 'handshake') this.#shakeHands();
    else if (next === 'quit') this.#channel.leave();
    else this.#channel.close(CLOSING_MS);
    // Nothing that was said in clear may run under TLS, nor anything after QUIT.
    return bytes.length;
  }

  #expectContent(): void {
    this.#state = 'content';
    this.#message = this.#dialogue.message;
    this.#decoder = new DotDecoder();
    this.#dataWatch = new DataWatch(this.#context, (tooLong) => this.#dismiss(TOO_LONG[tooLong]));
  }

  /** Takes content up to its end. Returns where the commands go on. */
  #takeContent(bytes: Buffer, start: number): number {
    const message = this.#message as Message;
    const decoder = this.#decoder as DotDecoder;
    this.#dataWatch?.add(bytes.length - start);
    const { content, end } = decoder.decode(bytes.subarray(start));
    message.add(content);
    this.#budget.spend(content.length);
    if (end === null) return bytes.length;
    this.#dataWatch?.stop();
    this.#state = 'storing';
    this.#stored = message.store().then(this.#answerMail).catch(this.#fail);
    return start + end;
  }

  readonly #answerMail = (reply: Reply): void => {
    this.#message = null;
    if (this.#channel.isClosing) return;
    this.#dialogue.endMail();
    this.#answerLater(replyLine(reply));
  };

  readonly #answerLater = (reply: string): void => {
    if (this.#channel.isClosing) return;
    this.#state = 'command';
    this.#channel.say(reply);
    if (this.#context.isStopping) {
      this.stop();
      return;
    }
    this.#channel.flush();
    if (this.#hasEnded) this.#channel.leave();
    else this.#channel.readOn();
  };

  readonly #fail = (error: unknown): void => this.broke(error);

  #shakeHands(): void {
    this.#state = 'handshake';
    this.#tlsIsUnused = true;
    this.#channel.secure(this.#dialogue.secureContext as SecureContext, () => {
      this.#state = 'command';
      this.#dialogue.beginSecure();
    });
  }

  #dismiss(error: SmtpError, lingerMs = CLOSING_MS): void {
    if (this.#channel.isClosing) return;
    this.#isDismissed = true;
    this.#context.mailLog.refused(error, this.#peer.client);
    this.#visit.refused(error, toldBy(error));
    this.#abandon(error);
    this.#channel.say(replyLine(error));
    this.#channel.close(lingerMs);
  }

  readonly #closed = (): void => {
    if (!this.#isDismissed) this.#explainEnd();
    this.#abandon(null);
    this.#visit.left({ tlsIsUnused: this.#tlsIsUnused, isProxy: this.#peer.header !== null });
  };

  /** Tells of a client that has left before it sent a mail, where it may have had a reason. */
  #explainEnd(): void {
    const { client } = this.#peer;
    const offered = this.#dialogue.offeredInVain;
    if (this.#tlsIsUnused) this.#context.mailLog.tlsEnded(client, this.#failure);
    else if (offered !== null) this.#context.mailLog.leftWithoutMail(client, offered);
  }

  /**
   * Lets go of a mail that will not come in whole, for this reason. One that has is stored, however the connection
   * ends.
   */
  #abandon(error: SmtpError | null): void {
    this.#dataWatch?.stop();
    if (this.#message?.isWhole === false) this.#message.abandon(error);
    this.#message = null;
  }
}
