import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type AttemptBook, toldBy, type Visit } from '../../attempts/book.js';
import { type SmtpError, smtpErrors } from '../../errors.js';
import { RoundBudget, type Rounds } from '../../limits/event-loop.js';
import { DotDecoder } from '../dot-decoder.js';
import type { Message } from '../message.js';
import { greeting, type Reply, type ReplyValues, refusal, replyLine } from '../reply.js';
import { Channel, type ChannelReader } from './channel.js';
import { type DataTimeLimits, DataWatch, type TooLong } from './data-time.js';
import { Dialogue, type DialogueContext } from './dialogue.js';
import { isTls, LineReader, spokeTooSoon } from './line-reader.js';
import type { Peer } from './peer.js';
import { beginsLikeHeader } from './proxy-header.js';

/** Time for a dismissed client to read its last reply and close its side. */
const CLOSING_MS = 5_000;

/** Time for the first bytes of TLS. A client that waits longer speaks plain SMTP and waits for the greeting. */
const CLIENT_HELLO_MS = 10_000;

/** The same during a stop. */
export const STOPPING_MS = 200;

export interface ConnectionContext extends DialogueContext, DataTimeLimits {
  /** The longest silence, and the longest TLS handshake. */
  readonly idleTimeoutMs: number;
  readonly rounds: Rounds;
  readonly attempts: AttemptBook;
  readonly isStopping: boolean;
  /** The ports that SMTP listens on, for refusals: `tls` is for TLS from the first byte. */
  readonly ports: { readonly plain: number; readonly tls: number | null };
}

/** How a connection starts that was already read from: its untaken bytes, and whether the client was greeted. */
export interface Opening {
  readonly received: Buffer;
  readonly isGreeted: boolean;
}

const TOO_LONG: Readonly<Record<TooLong, SmtpError>> = { late: smtpErrors.dataTooLate, slow: smtpErrors.dataTooSlow };

type State = 'greeting' | 'client-hello' | 'command' | 'content' | 'answering' | 'storing' | 'handshake';

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
  readonly #isIntroduced: boolean;
  #hasSpoken = false;
  #helloTimer: NodeJS.Timeout | undefined;
  /** Whether TLS started without a command under it so far. */
  #tlsIsUnused = false;
  /** Whether we ended the connection, not the client. */
  #isDismissed = false;
  #failure: string | null = null;
  #hasEnded = false;
  #message: Message | null = null;
  #decoder: DotDecoder | null = null;
  #dataWatch: DataWatch | null = null;
  #stored: Promise<void> = Promise.resolve();

  /** Takes over an unread socket, or a paused one with its opening. */
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
    if (peer.beginsWithTls) this.#awaitTls();
    // In the first turn libuv starts watching the socket; by the second it has read what came before the greeting.
    // Behind a proxy that cannot be told: what came with the header waits.
    setImmediate(() => (opening === null ? setImmediate(this.#begin) : this.#begin()));
  }

  get isBusy(): boolean {
    return this.#state === 'storing' || this.#state === 'answering';
  }

  /** Resolves once the latest mail is stored or dropped. */
  get stored(): Promise<void> {
    return this.#stored;
  }

  /** Announces the stop and closes: now, or once the incoming mail is answered. */
  stop(): void {
    if (this.#state === 'storing') this.#message?.hurry();
    else if (this.#state !== 'content') this.cut();
  }

  /** Announces the stop and closes, even within a mail: the grace period is over. */
  cut(): void {
    // A reply during a handshake would be cleartext within TLS.
    if (this.#state === 'handshake' || this.#state === 'client-hello') this.destroy();
    else this.#dismiss(smtpErrors.stopping, STOPPING_MS);
  }

  destroy(): void {
    this.#isDismissed = true;
    this.#channel.destroy();
  }

  take(bytes: Buffer): number {
    // Nothing may follow a proxy's header yet.
    if (bytes.length === 0) return 0;
    if (!this.#hasSpoken) this.#hearFirst(bytes);
    if (this.#state === 'handshake') return bytes.length;
    let at = 0;
    while (at < bytes.length && !this.#channel.isClosing && !this.#budget.isSpent) {
      if (this.#state === 'command') at = this.#takeLine(bytes, at);
      else if (this.#state === 'content') at = this.#takeContent(bytes, at);
      else break;
    }
    return at;
  }

  /** Ends a simulated delay: a client that has left would hold its connection for up to a minute. */
  unattended(): void {
    if (this.#state === 'storing') this.#message?.hurry();
  }

  /** A client that closes its side after its last mail still gets the answer. */
  ended(): void {
    this.#hasEnded = true;
    this.unattended();
    if (!this.isBusy && this.#state !== 'greeting') this.#channel.leave();
  }

  idle(): void {
    // The client waits for us and is not idle. The answer restarts the idle time.
    if (this.isBusy) return;
    if (this.#state === 'client-hello') this.#refuseFirst(smtpErrors.tlsOnly);
    else if (this.#state === 'handshake') this.destroy();
    else this.#dismiss(smtpErrors.idleTooLong);
  }

  failed(error: NodeJS.ErrnoException): void {
    this.#failure = error.code ?? null;
    this.#visit.replyLost();
    this.#context.log.debug({ client: this.#peer.client, reason: error.message }, 'An SMTP connection failed.');
  }

  /** The client is told instead of left waiting. */
  broke(error: unknown): void {
    this.#context.log.error(
      { err: error, client: this.#peer.client },
      'An SMTP connection failed because of an internal error.',
    );
    this.#dismiss(smtpErrors.internal);
  }

  readonly #begin = (): void => {
    if (this.#channel.isClosing) return;
    if (this.#state === 'greeting') this.#greet();
    if (this.#hasEnded) this.#channel.leave();
    else this.#channel.readOn();
  };

  #greet(): void {
    this.#state = 'command';
    if (!this.#isGreeted) this.#channel.say(greeting(this.#context.hostname));
    this.#channel.flush();
  }

  #awaitTls(): void {
    this.#state = 'client-hello';
    const waitMs = Math.min(CLIENT_HELLO_MS, this.#context.idleTimeoutMs);
    const late = () => {
      if (this.#state === 'client-hello') this.#refuseFirst(smtpErrors.tlsOnly);
    };
    // After a stall of our event loop, what has arrived is read first.
    this.#helloTimer = setTimeout(() => setImmediate(late), waitMs).unref();
  }

  #hearFirst(bytes: Buffer): void {
    this.#hasSpoken = true;
    if (!this.#isIntroduced && beginsLikeHeader(bytes)) this.#context.mailLog.unlistedProxy(this.#peer.client);
    if (this.#state === 'client-hello') this.#hearClientHello(bytes);
    else if (this.#state === 'greeting') this.#refuseFirst(spokeTooSoon(bytes));
    else if (isTls(bytes)) this.#refuseFirst(smtpErrors.notSmtps);
  }

  #hearClientHello(bytes: Buffer): void {
    clearTimeout(this.#helloTimer);
    const secureContext = this.#context.secureContext?.();
    if (isTls(bytes) && secureContext !== undefined) this.#shakeHands(secureContext, bytes);
    else this.#refuseFirst(spokeTooSoon(bytes) === smtpErrors.notHttp ? smtpErrors.notHttp : smtpErrors.tlsOnly);
  }

  /** Refuses a client by its first bytes, in clear. Where it took the wrong one of two ports, it is told the other. */
  #refuseFirst(error: SmtpError): void {
    const { plain, tls } = this.#context.ports;
    const cure =
      tls === null
        ? 'turn it off in the settings of the client, or start the service with --smtps-port'
        : `use port ${tls} for it, or turn it off in the settings of the client`;
    this.#dismiss(error, CLOSING_MS, { port: plain, cure });
  }

  /** Reads a line or its beginning and answers it. Returns where the next begins. */
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
    if (next === 'handshake') this.#shakeHands(this.#dialogue.secureContext as SecureContext, null);
    else if (next === 'quit') this.#channel.leave();
    else this.#channel.close(CLOSING_MS);
    // No cleartext may run under TLS, and nothing after QUIT.
    return bytes.length;
  }

  #expectContent(): void {
    this.#state = 'content';
    this.#message = this.#dialogue.message;
    this.#decoder = new DotDecoder();
    this.#dataWatch = new DataWatch(this.#context, (tooLong) => this.#dismiss(TOO_LONG[tooLong]));
  }

  /** Reads content to its end. Returns where commands continue. */
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
    if (this.#context.isStopping) message.hurry();
    this.#stored = message.store().then(this.#answerMail).catch(this.#fail);
    return start + end;
  }

  readonly #answerMail = (reply: Reply | null): void => {
    this.#message = null;
    if (reply === null || this.#channel.isClosing) this.#visit.replyLost();
    if (this.#channel.isClosing) return;
    if (reply === null) {
      this.destroy();
      return;
    }
    this.#dialogue.endMail(reply.code);
    this.#answerLater(replyLine(reply));
  };

  readonly #answerLater = (reply: string): void => {
    if (this.#channel.isClosing) return;
    this.#state = 'command';
    this.#channel.say(reply);
    if (this.#dialogue.next === 'dismissed') {
      this.#isDismissed = true;
      this.#channel.close(CLOSING_MS);
      return;
    }
    if (this.#context.isStopping) {
      this.stop();
      return;
    }
    this.#channel.flush();
    if (this.#hasEnded) this.#channel.leave();
    else this.#channel.readOn();
  };

  readonly #fail = (error: unknown): void => this.broke(error);

  /** Where TLS begins with the `hello`, the client is greeted under it. */
  #shakeHands(secureContext: SecureContext, hello: Buffer | null): void {
    this.#state = 'handshake';
    this.#tlsIsUnused = true;
    this.#channel.secure(secureContext, hello, () => {
      this.#dialogue.beginSecure();
      if (hello === null) this.#state = 'command';
      else this.#greet();
    });
  }

  #dismiss(error: SmtpError, lingerMs = CLOSING_MS, values?: ReplyValues): void {
    if (this.#channel.isClosing) return;
    this.#isDismissed = true;
    this.#context.mailLog.refused(error, this.#peer.client, values);
    this.#visit.refused(error, toldBy(error, values));
    this.#abandon(error);
    this.#channel.say(replyLine(refusal(error, values)));
    this.#channel.close(lingerMs);
  }

  readonly #closed = (): void => {
    clearTimeout(this.#helloTimer);
    if (!this.#isDismissed) this.#explainEnd();
    this.#abandon(null);
    this.#visit.left({ tlsIsUnused: this.#tlsIsUnused, isProxy: this.#peer.header !== null });
  };

  #explainEnd(): void {
    const { client } = this.#peer;
    const offered = this.#dialogue.offeredInVain;
    if (this.#tlsIsUnused) this.#context.mailLog.tlsEnded(client, this.#failure);
    else if (offered !== null) this.#context.mailLog.leftWithoutMail(client, offered);
  }

  /** Drops an incomplete mail for this reason. A complete one is stored, however the connection ends. */
  #abandon(error: SmtpError | null): void {
    this.#dataWatch?.stop();
    if (this.#message?.isWhole === false) this.#message.abandon(error);
    else this.#message?.hurry();
    this.#message = null;
  }
}
