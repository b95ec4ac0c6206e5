import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ErrorValues, type SmtpError, smtpErrors } from '../errors.js';
import { RoundBudget } from '../limits/event-loop.js';
import type { Handshakes, SmtpContext } from './context.js';
import { type Message, watchContent } from './data.js';
import { beginsLikeHeader, type Opening, type Peer } from './proxies.js';
import { greeting } from './replies.js';
import { HTTP_METHODS, Transaction } from './transaction.js';

const LF = 0x0a;
const CR = 0x0d;

/** A TLS record of type handshake (RFC 8446 section 5.1). No command begins with this byte. */
const TLS_HANDSHAKE = 0x16;

const HTTP_START_BYTES = 8;

/** Longest command line in bytes without its line end. RFC 4954 section 4 requires 12,288, for long credentials. */
const MAX_COMMAND_BYTES = 16 * 1024;

/** Maximum input while a reply is pending. With more, reading pauses, and a simulated delay of the reply ends. */
const MAX_AHEAD_BYTES = 32 * 1024;

/** Bytes that a client sends after the last reply to it are dropped. After this many, the socket is destroyed. */
export const MAX_DROPPED_BYTES = 1024 * 1024;

/** How long a dismissed client may take to read its last reply and close its side. */
const CLOSING_MS = 5_000;

/** Like `CLOSING_MS`, during a stop. */
export const STOPPING_MS = 200;

/** Maximum wait for the first bytes of TLS. A client silent for longer speaks plain SMTP and expects the greeting. */
const CLIENT_HELLO_MS = 10_000;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * One connection: handles bytes, deadlines and closing; `Transaction` makes the replies. Replies to pipelined commands
 * leave in one write (RFC 2920 section 3.2). The socket is paused while the client has unread replies. While a reply is
 * pending, a bounded amount is still read, because otherwise Node does not report that the client has left.
 */
export class Connection {
  /** Resolves once the socket is closed and its last message is stored or dropped. */
  readonly closed: Promise<void>;
  readonly #context: SmtpContext;
  readonly #peer: Peer;
  readonly #opening: Opening | null;
  readonly #transaction: Transaction;
  readonly #budget = new RoundBudget();
  #socket: Socket;
  #phase: 'greeting' | 'tls' | 'handshake' | 'commands';
  #input = NOTHING;
  #replies = '';
  #hasSpoken = false;
  #isWaiting = false;
  #isClosing = false;
  /** Whether the client has closed its side. `#input` may still hold commands. */
  #hasEnded = false;
  #droppedBytes = 0;
  #failure: string | null = null;
  #wake = () => {};
  #stopWatch = () => {};
  /** Deadline for the first bytes of TLS, for the handshake, or for the client to close after our last reply. */
  #deadline: NodeJS.Timeout | undefined;

  constructor(context: SmtpContext, socket: Socket, peer: Peer, opening: Opening | null) {
    this.#context = context;
    this.#socket = socket;
    this.#peer = peer;
    this.#opening = opening;
    this.#input = opening?.received ?? NOTHING;
    this.#phase = peer.beginsWithTls ? 'tls' : 'greeting';
    this.#transaction = new Transaction(context, peer);
    this.#transaction.emit('connected');
    this.#listen();
    const served = this.#serve();
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#end();
        this.#transaction.end(this.#failure);
        resolve(served);
      });
    });
  }

  /** Announces the stop and closes. A message that is being received or stored gets its reply first. */
  stop(): void {
    const { next, message } = this.#transaction;
    if (next === 'storing') message?.hurry();
    else if (next !== 'content') this.cut();
  }

  /** Announces the stop and closes, even in the middle of a message. */
  cut(): void {
    // No reply during a handshake, where it would be cleartext within TLS.
    if (this.#phase === 'handshake' || this.#phase === 'tls') this.destroy();
    else this.#dismiss(smtpErrors.stopping, STOPPING_MS);
  }

  readonly destroy = (): void => {
    this.#transaction.isDismissed = true;
    this.#socket.destroy();
  };

  get #isOver(): boolean {
    return this.#isClosing || this.#socket.destroyed;
  }

  async #serve(): Promise<void> {
    try {
      await this.#begin();
      while (!this.#isOver) await this.#goOn();
    } catch (error) {
      const message = 'An SMTP connection failed because of an internal error.';
      this.#context.log.error({ err: error, client: this.#peer.client }, message);
      // The client gets a reply instead of having to wait.
      this.#dismiss(smtpErrors.internal);
    }
  }

  async #begin(): Promise<void> {
    // Detects early input: libuv starts to watch the socket in the first turn, and has read such input by the second.
    await nextTurn();
    if (this.#opening === null) await nextTurn();
    if (this.#phase === 'tls') await this.#beginTls();
    // Behind a proxy, early input is not checked, because it cannot be distinguished from input after the greeting.
    else if (this.#opening === null) this.#hearFirst();
    if (this.#isOver) return;
    this.#phase = 'commands';
    if (!this.#opening?.isGreeted) this.#replies += greeting(this.#context.hostname);
  }

  async #beginTls(): Promise<void> {
    const late = () => {
      if (this.#phase === 'tls') this.#refuseFirst(smtpErrors.tlsOnly);
    };
    const waitMs = Math.min(CLIENT_HELLO_MS, this.#context.settings['smtp-idle']);
    // `setImmediate`, so that after a stall of the event loop, input that has already arrived is read first.
    this.#deadline = setTimeout(() => setImmediate(late), waitMs).unref();
    while (!this.#isOver && this.#input.length === 0) await this.#wait();
    this.#hearFirst();
    if (!this.#isOver) await this.#shakeHands(this.#input);
  }

  #goOn(): Promise<void> | undefined {
    this.#hearFirst();
    if (this.#isOver) return undefined;
    if (this.#budget.isSpent) return this.#wait();
    if (this.#transaction.next === 'content') {
      return this.#input.length > 0 ? this.#takeContent(this.#transaction.message as Message) : this.#wait();
    }
    const line = this.#nextLine();
    return line === null ? this.#wait() : this.#answer(line);
  }

  /** Flushes replies. Waits for the client to read them and send more, or for the next turn if `#budget` is spent. */
  async #wait(): Promise<void> {
    if (this.#isOver) return;
    this.#flush();
    const isUnread = this.#socket.writableNeedDrain;
    if (!isUnread && this.#budget.isSpent) return nextTurn();
    // A client that closes its side after its last message still gets the reply.
    if (!isUnread && this.#hasEnded) return this.#leave();
    if (isUnread) this.#socket.pause();
    else this.#socket.resume();
    this.#isWaiting = true;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#isWaiting = false;
  }

  readonly #woken = (): void => this.#wake();

  /**
   * The next command line without its end; null while incomplete. A line ends with LF, and a CR before it is dropped.
   * RFC 5321 section 2.3.8 allows only CRLF, but people type into netcat, and a bare LF is harmless in commands (not in
   * content; see `DotDecoder`).
   */
  #nextLine(): string | null {
    const input = this.#input;
    const lineFeed = input.indexOf(LF);
    const end = lineFeed < 0 ? input.length : lineFeed;
    const length = input[end - 1] === CR ? end - 1 : end;
    if (length > MAX_COMMAND_BYTES) this.#dismiss(smtpErrors.commandTooLong);
    if (length > MAX_COMMAND_BYTES || lineFeed < 0) return null;
    this.#took(end + 1);
    return input.toString('utf8', 0, length);
  }

  /** Releases consumed input immediately, because it may be large and the client may send nothing for a long time. */
  #took(bytes: number): void {
    this.#input = bytes < this.#input.length ? this.#input.subarray(bytes) : NOTHING;
  }

  async #answer(line: string): Promise<void> {
    this.#budget.spend();
    const answer = this.#transaction.answer(line);
    const reply = typeof answer === 'string' ? answer : await answer;
    if (this.#isOver) return;
    this.#replies += `${reply}\r\n`;
    const { next, message } = this.#transaction;
    if (next === 'content') {
      this.#stopWatch = watchContent(message as Message, this.#context, (error) => this.#dismiss(error));
    } else if (next === 'handshake') await this.#shakeHands(null);
    else if (next === 'quit') this.#leave();
    else if (next === 'dismissed') this.#close(CLOSING_MS);
  }

  async #takeContent(message: Message): Promise<void> {
    const end = message.add(this.#input);
    const taken = end ?? this.#input.length;
    this.#took(taken);
    this.#budget.spend(taken);
    if (end === null) return;
    this.#stopWatch();
    this.#flush();
    if (this.#context.isStopping || this.#hasEnded || this.#input.length > MAX_AHEAD_BYTES) message.hurry();
    const reply = await this.#transaction.store();
    if (reply === null) this.destroy();
    if (this.#isOver) {
      this.#transaction.replyLost();
      return;
    }
    this.#replies += `${reply}\r\n`;
    if (this.#transaction.next === 'dismissed') this.#close(CLOSING_MS);
    else if (this.#context.isStopping) this.stop();
  }

  #hearFirst(): void {
    if (this.#hasSpoken || this.#input.length === 0) return;
    this.#hasSpoken = true;
    if (this.#opening === null && beginsLikeHeader(this.#input)) this.#transaction.emit('unlistedProxy');
    const isTls = this.#input[0] === TLS_HANDSHAKE;
    const [verb = '', ...rest] = this.#input.toString('latin1', 0, HTTP_START_BYTES).split(' ');
    const isHttp = HTTP_METHODS.has(verb) && rest.length > 0;
    if (this.#phase === 'tls') {
      if (!isTls) this.#refuseFirst(isHttp ? smtpErrors.notHttp : smtpErrors.tlsOnly);
    } else if (isTls) this.#refuseFirst(smtpErrors.notSmtps);
    else if (this.#phase === 'greeting') this.#refuseFirst(isHttp ? smtpErrors.notHttp : smtpErrors.spokeTooSoon);
  }

  /** Sends a refusal for a client's first bytes, in cleartext. On the wrong port, the reply names the right one. */
  #refuseFirst(error: SmtpError): void {
    const { plain, tls } = this.#context.ports;
    const cure =
      tls === null
        ? 'turn it off in the settings of the client, or start the service with --smtps-port'
        : `use port ${tls} for it, or turn it off in the settings of the client`;
    this.#dismiss(error, CLOSING_MS, { port: plain, cure });
  }

  /** Performs the TLS handshake. Drops input other than `hello`, so that no cleartext command runs under TLS. */
  async #shakeHands(hello: Buffer | null): Promise<void> {
    this.#flush();
    this.#input = NOTHING;
    this.#phase = 'handshake';
    this.#transaction.tlsIsUnused = true;
    // Bytes read here would be lost to the handshake, and a late `drain` or `timeout` would end the wait below early.
    this.#socket.off('data', this.#received).off('end', this.#ended).off('drain', this.#woken);
    this.#socket.off('timeout', this.#idle).setTimeout(0);
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(this.destroy, this.#context.settings['smtp-idle']).unref();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      const secured = (socket: Socket) => {
        this.#phase = 'commands';
        this.#socket = socket;
        this.#listen();
        this.#transaction.beginSecure();
        resolve();
      };
      (this.#context.handshakes as Handshakes).begin(this.#socket, hello, { secured, failed: this.#failed });
    });
    if (!this.#isOver) clearTimeout(this.#deadline);
  }

  #listen(): void {
    const socket = this.#socket.on('data', this.#received).on('end', this.#ended).on('drain', this.#woken);
    socket.on('error', this.#failed).on('timeout', this.#idle).setTimeout(this.#context.settings['smtp-idle']);
  }

  readonly #received = (bytes: Buffer): void => {
    if (this.#isClosing) {
      this.#droppedBytes += bytes.length;
      if (this.#droppedBytes > MAX_DROPPED_BYTES) this.#socket.destroy();
      return;
    }
    this.#input = this.#input.length === 0 ? bytes : Buffer.concat([this.#input, bytes]);
    if (!this.#isWaiting && this.#input.length > MAX_AHEAD_BYTES) {
      this.#socket.pause();
      this.#transaction.message?.hurry();
    }
    this.#wake();
  };

  readonly #ended = (): void => {
    this.#hasEnded = true;
    // Otherwise a client that has left would hold its connection for the whole simulated delay.
    this.#transaction.message?.hurry();
    this.#wake();
  };

  readonly #idle = (): void => {
    if (this.#isClosing) this.#socket.destroy();
    // A client that waits for a reply is not idle. The reply restarts the idle time.
    else if (!this.#isWaiting) return;
    else if (this.#phase === 'tls') this.#refuseFirst(smtpErrors.tlsOnly);
    else this.#dismiss(smtpErrors.idleTooLong);
  };

  readonly #failed = (error: NodeJS.ErrnoException): void => {
    this.#failure = error.code ?? null;
    this.#transaction.replyLost();
    this.#context.log.debug({ client: this.#peer.client, reason: error.message }, 'An SMTP connection failed.');
    // Node leaves the socket open after a TLS error that follows the handshake.
    this.#socket.destroy();
  };

  #flush(): void {
    const replies = this.#replies;
    this.#replies = '';
    if (replies !== '' && !this.#socket.destroyed) this.#socket.write(replies);
  }

  #dismiss(error: SmtpError, lingerMs = CLOSING_MS, values?: ErrorValues): void {
    if (this.#isOver) return;
    this.#replies += `${this.#transaction.dismiss(error, values)}\r\n`;
    this.#close(lingerMs);
  }

  /** Closes our side. Reads until the client closes or `lingerMs` is over: unread input would make TCP drop replies. */
  #close(lingerMs: number): void {
    this.#end();
    this.#socket.end();
    this.#socket.resume();
    this.#deadline = setTimeout(this.destroy, lingerMs).unref();
  }

  #leave(): void {
    this.#end();
    this.#socket.destroySoon();
  }

  #end(): void {
    this.#flush();
    this.#isClosing = true;
    this.#input = NOTHING;
    this.#stopWatch();
    clearTimeout(this.#deadline);
    this.#wake();
  }
}
