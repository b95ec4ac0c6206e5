import type { Socket } from 'node:net';
import { type SmtpError, smtpErrors } from '../errors.js';
import { RoundBudget } from '../limits/event-loop.js';
import { MAX_DROPPED_BYTES } from '../limits/refusals.js';
import type { SmtpContext } from './context.js';
import { DataWatch, type Message } from './data.js';
import { faultOfFirst, LineReader, otherPort } from './lines.js';
import type { Opening, Peer } from './proxies.js';
import { beginsLikeHeader } from './proxy-header.js';
import { greeting, type ReplyValues } from './replies.js';
import type { Handshakes } from './tls.js';
import { Transaction } from './transaction.js';

/** Input that waits while an answer is made. A client that sends more does not wait for its answer. */
const MAX_AHEAD_BYTES = 32 * 1024;

/** Time for a dismissed client to read its last reply and close its side. */
const CLOSING_MS = 5_000;

/** The same during a stop. */
export const STOPPING_MS = 200;

/** Time for the first bytes of TLS. A client that waits longer speaks plain SMTP and waits for the greeting. */
const CLIENT_HELLO_MS = 10_000;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * One connection: its bytes, its time and its end; `Transaction` has the answers. Input is read in portions, never more
 * than one ahead. Replies to a portion go out in one write (RFC 2920 section 3.2). Nothing is read while the client has
 * unread replies, or past its share of an event-loop turn. While an answer is made, a bounded amount is read on: only so
 * does the end of the client arrive.
 */
export class Connection {
  /** Resolves once the latest answer is made: its message is stored or dropped. */
  answered: Promise<void> = Promise.resolve();
  readonly #context: SmtpContext;
  readonly #peer: Peer;
  readonly #opening: Opening | null;
  readonly #transaction: Transaction;
  readonly #budget = new RoundBudget();
  readonly #lines = new LineReader();
  #socket: Socket;
  /** What the client may send. Nothing before the greeting; the bytes of a handshake are not seen here. */
  #expected: 'nothing' | 'tls' | 'handshake' | 'command';
  #input = NOTHING;
  /** How much of the input is taken. */
  #at = 0;
  #replies = '';
  #hasSpoken = false;
  #isAnswering = false;
  /** Whether input waits for the next turn, or until the client has read its replies. */
  #isHeldBack = false;
  #isClosing = false;
  /** Whether the client closed its side after the input. */
  #hasEnded = false;
  #droppedBytes = 0;
  #failure: string | null = null;
  #dataWatch: DataWatch | null = null;
  /** Of the first bytes of TLS, of the handshake, or of the client's end after its last reply. */
  #deadline: NodeJS.Timeout | undefined;

  /** Takes over an unread socket, or a paused one with its opening. */
  constructor(context: SmtpContext, socket: Socket, peer: Peer, opening: Opening | null) {
    this.#context = context;
    this.#socket = socket;
    this.#peer = peer;
    this.#opening = opening;
    this.#transaction = new Transaction(context, peer);
    this.#transaction.emit('connected');
    this.#expected = peer.beginsWithTls ? 'tls' : 'nothing';
    if (peer.beginsWithTls) this.#awaitClientHello();
    if (opening !== null) {
      this.#input = opening.received;
      // Behind a proxy it cannot be told what came before the greeting: what came with the header waits.
      this.#isHeldBack = true;
    }
    socket.once('close', this.#closed);
    this.#listen();
    // In the first turn libuv starts watching the socket; by the second it has read what came before the greeting.
    setImmediate(() => (opening === null ? setImmediate(this.#begin) : this.#begin()));
  }

  /** Announces the stop and closes: now, or once the incoming message is answered. */
  stop(): void {
    const { next } = this.#transaction;
    if (next === 'storing') this.#transaction.message?.hurry();
    else if (next !== 'content') this.cut();
  }

  /** Announces the stop and closes, even within a message: the grace period is over. */
  cut(): void {
    // A reply during a handshake would be cleartext within TLS.
    if (this.#expected === 'handshake' || this.#expected === 'tls') this.destroy();
    else this.#dismiss(smtpErrors.stopping, STOPPING_MS);
  }

  readonly destroy = (): void => {
    this.#transaction.isDismissed = true;
    this.#socket.destroy();
  };

  #listen(): void {
    const socket = this.#socket;
    socket.on('data', this.#received).on('end', this.#ended).on('error', this.#failed).on('timeout', this.#idle);
    socket.setTimeout(this.#context.idleTimeoutMs);
  }

  readonly #begin = (): void => {
    if (this.#isOver) return;
    if (this.#expected === 'nothing') this.#greet();
    this.#goOn();
  };

  #greet(): void {
    this.#expected = 'command';
    if (this.#opening?.isGreeted !== true) this.#replies += greeting(this.#context.hostname);
    this.#flush();
  }

  readonly #received = (bytes: Buffer): void => {
    if (this.#isClosing) {
      this.#droppedBytes += bytes.length;
      if (this.#droppedBytes > MAX_DROPPED_BYTES) this.#socket.destroy();
      return;
    }
    this.#input = this.#hasInput ? Buffer.concat([this.#input.subarray(this.#at), bytes]) : bytes;
    this.#at = 0;
    if (!this.#isAnswering && !this.#isHeldBack) this.#goOn();
    else if (this.#isTooFarAhead) {
      this.#socket.pause();
      this.#transaction.message?.hurry();
    }
  };

  readonly #ended = (): void => {
    this.#hasEnded = true;
    // A client that has left would hold its connection for as long as a simulated delay.
    this.#transaction.message?.hurry();
    if (!this.#isAnswering && !this.#isHeldBack) this.#goOn();
  };

  get #hasInput(): boolean {
    return this.#at < this.#input.length;
  }

  /** Input that is used up must not stay in memory while its answer is made. */
  #took(end: number): void {
    this.#at = end;
    if (this.#hasInput) return;
    this.#input = NOTHING;
    this.#at = 0;
  }

  get #isTooFarAhead(): boolean {
    return this.#input.length - this.#at > MAX_AHEAD_BYTES;
  }

  /** Whether the last reply was given, or none can be given any more. */
  get #isOver(): boolean {
    return this.#isClosing || this.#socket.destroyed;
  }

  readonly #goOn = (): void => {
    this.#isHeldBack = false;
    if (!this.#isOver && !this.#isAnswering) this.answered = this.#answerInput();
  };

  /** Answers what has arrived, until it is used up or must wait. Never rejects. */
  async #answerInput(): Promise<void> {
    this.#isAnswering = true;
    try {
      if (!this.#hasSpoken && this.#hasInput) this.#hearFirst(this.#input);
      while (this.#hasInput && this.#expected === 'command' && !this.#isOver && !this.#budget.isSpent) {
        if (this.#transaction.next !== 'content') await this.#takeLine();
        else if (this.#takeContent()) await this.#store();
      }
    } catch (error) {
      const message = 'An SMTP connection failed because of an internal error.';
      this.#context.log.error({ err: error, client: this.#peer.client }, message);
      // The client gets a reply instead of having to wait.
      this.#dismiss(smtpErrors.internal);
    }
    this.#isAnswering = false;
    if (!this.#isOver && this.#expected !== 'handshake') this.#awaitInput();
  }

  #awaitInput(): void {
    this.#flush();
    const waitsForClient = this.#socket.writableNeedDrain;
    if (waitsForClient || this.#hasInput || this.#budget.isSpent) {
      this.#isHeldBack = true;
      this.#socket.pause();
      if (waitsForClient) this.#socket.once('drain', this.#goOn);
      else setImmediate(this.#goOn);
    } else if (!this.#hasEnded) this.#socket.resume();
    // A client that closes its side after its last message still gets the answer.
    else if (this.#expected !== 'nothing') this.#leave();
  }

  /** Reads a line or its beginning, and answers it. */
  async #takeLine(): Promise<void> {
    this.#took(this.#lines.read(this.#input, this.#at));
    const { line, isTooLong } = this.#lines;
    if (isTooLong) this.#dismiss(smtpErrors.commandTooLong);
    if (line === null) return;
    this.#budget.spend();
    const reply = await this.#slowly(this.#transaction.answer(line));
    if (this.#isOver) return;
    this.#replies += reply;
    const { next } = this.#transaction;
    if (next === 'content') this.#dataWatch = new DataWatch(this.#context, (error) => this.#dismiss(error));
    else if (next === 'handshake') this.#shakeHands(null);
    else if (next === 'quit') this.#leave();
    else if (next === 'dismissed') this.#close(CLOSING_MS);
  }

  /** Reads content; returns whether the message is complete. */
  #takeContent(): boolean {
    const bytes = this.#input.subarray(this.#at);
    const end = (this.#transaction.message as Message).add(bytes);
    const taken = end ?? bytes.length;
    this.#took(this.#at + taken);
    this.#dataWatch?.add(taken);
    this.#budget.spend(taken);
    return end !== null;
  }

  async #store(): Promise<void> {
    this.#dataWatch?.stop();
    const isHurried = this.#context.isStopping || this.#hasEnded || this.#isTooFarAhead;
    const reply = await this.#slowly(this.#transaction.store(isHurried));
    if (reply === null) this.destroy();
    if (reply === null || this.#isOver) {
      this.#transaction.replyLost();
      return;
    }
    this.#replies += reply;
    if (this.#transaction.next === 'dismissed') this.#close(CLOSING_MS);
    else if (this.#context.isStopping) this.stop();
  }

  /** If an answer takes longer than a turn of the event loop, the replies before it leave. */
  async #slowly<T>(answer: Promise<T>): Promise<T> {
    if (this.#replies === '') return answer;
    const slow = setImmediate(this.#flush);
    try {
      return await answer;
    } finally {
      clearImmediate(slow);
    }
  }

  readonly #flush = (): void => {
    if (this.#replies === '') return;
    const replies = this.#replies;
    this.#replies = '';
    if (!this.#socket.destroyed) this.#socket.write(replies);
  };

  #awaitClientHello(): void {
    const waitMs = Math.min(CLIENT_HELLO_MS, this.#context.idleTimeoutMs);
    const late = () => {
      if (this.#expected === 'tls') this.#refuseFirst(smtpErrors.tlsOnly);
    };
    // After a stall of our event loop, what has arrived is read first.
    this.#deadline = setTimeout(() => setImmediate(late), waitMs).unref();
  }

  #hearFirst(bytes: Buffer): void {
    this.#hasSpoken = true;
    if (this.#opening === null && beginsLikeHeader(bytes)) this.#transaction.emit('unlistedProxy');
    if (this.#expected === 'handshake') return;
    const fault = faultOfFirst(bytes, this.#expected);
    if (fault !== null) this.#refuseFirst(fault);
    else if (this.#expected === 'tls') this.#shakeHands(bytes);
  }

  /** Refuses a client by its first bytes, in clear. Where it took the wrong one of two ports, it is told the other. */
  #refuseFirst(error: SmtpError): void {
    this.#dismiss(error, CLOSING_MS, otherPort(this.#context.ports));
  }

  /**
   * Shakes hands within the idle time; handshake bytes are no sign of life. No cleartext may run under TLS, so the input
   * is dropped. Where TLS begins with the `hello`, the client is greeted under it.
   */
  #shakeHands(hello: Buffer | null): void {
    this.#flush();
    clearTimeout(this.#deadline);
    this.#input = NOTHING;
    this.#expected = 'handshake';
    this.#transaction.tlsIsUnused = true;
    // Bytes that flow from the socket now are lost to the handshake.
    this.#socket.off('data', this.#received).off('end', this.#ended).off('timeout', this.#idle).setTimeout(0);
    this.#deadline = setTimeout(this.destroy, this.#context.idleTimeoutMs).unref();
    (this.#context.handshakes as Handshakes).begin(this.#socket, hello, {
      secured: (socket) => {
        clearTimeout(this.#deadline);
        this.#socket = socket;
        this.#listen();
        this.#transaction.beginSecure();
        if (hello === null) this.#expected = 'command';
        else this.#greet();
      },
      failed: this.#failed,
    });
  }

  readonly #idle = (): void => {
    if (this.#isClosing) this.#socket.destroy();
    // A client that waits for us is not idle. The answer restarts the idle time.
    else if (this.#isAnswering) return;
    else if (this.#expected === 'tls') this.#refuseFirst(smtpErrors.tlsOnly);
    else this.#dismiss(smtpErrors.idleTooLong);
  };

  readonly #failed = (error: NodeJS.ErrnoException): void => {
    this.#failure = error.code ?? null;
    this.#transaction.replyLost();
    this.#context.log.debug({ client: this.#peer.client, reason: error.message }, 'An SMTP connection failed.');
    // Node closes no socket for an error of TLS after the handshake.
    this.#socket.destroy();
  };

  #dismiss(error: SmtpError, lingerMs = CLOSING_MS, values?: ReplyValues): void {
    if (this.#isOver) return;
    this.#replies += this.#transaction.dismiss(error, values);
    this.#close(lingerMs);
  }

  /** Closes our side and drops input until the client closes or time is up: unread bytes would reset the last reply. */
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
    this.#dataWatch?.stop();
    clearTimeout(this.#deadline);
  }

  readonly #closed = (): void => {
    this.#end();
    this.#transaction.end(this.#failure);
  };
}
