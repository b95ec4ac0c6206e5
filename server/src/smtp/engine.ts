import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { type SmtpError, smtpErrors } from '../errors.js';
import { type AddressRange, clientKey, isInRanges, isLoopback } from '../limits/client-address.js';
import { withAnswer } from '../limits/limiter.js';
import type { NoSlot, Slots } from '../limits/slots.js';
import type { TlsIdentity } from './certificate.js';
import { DotDecoder } from './dot-decoder.js';
import { Message } from './message.js';
import { engineErrors, type Reply, refusal, replies } from './reply.js';
import { Session, type SessionContext } from './session.js';

/** Longest command line, in bytes. RFC 4954 section 4 asks for 12,288, for long credentials. */
const MAX_COMMAND_BYTES = 16 * 1024;

/** How many connections may be told at one moment that they are one too many. Those beyond are closed without a word. */
const MAX_REFUSALS = 100;

/** How long a client is given, when the service stops, to read its last reply and close its side. */
const LINGER_MS = 200;

/** Commands of smtp-server that are no business of this service; some are jokes. */
const DISABLED_COMMANDS = ['XCLIENT', 'XFORWARD', 'LHLO', 'WIZ', 'SHELL', 'KILL'];

const NO_SLOT: Readonly<Record<NoSlot, SmtpError>> = {
  'client-full': smtpErrors.tooManyConnections,
  'all-taken': smtpErrors.allConnectionsTaken,
};

export interface EngineOptions extends SessionContext {
  readonly maxConnections: number;
  readonly idleTimeoutMs: number;
  readonly dataTimeoutMs: number;
  readonly tls: TlsIdentity;
  readonly connections: Slots;
  /** Addresses that may send credentials without TLS, besides loopback (D21). */
  readonly trusted: readonly AddressRange[];
}

/**
 * smtp-server, made to fit. The one file that imports it. It reads lines and speaks TLS and AUTH; what differs here from
 * what it does by itself is in the overrides below, each of which stops compiling when a new version drops its method.
 */
export class Engine extends SMTPServer {
  readonly settings: EngineOptions;
  readonly #connections = new Set<Connection>();
  #stopping = false;

  constructor(settings: EngineOptions) {
    super({
      name: settings.hostname,
      banner: 'Mayfly',
      heloResponse: '%s',
      size: settings.maxMessageBytes,
      cert: settings.tls.cert,
      key: settings.tls.key,
      minVersion: 'TLSv1.2',
      authMethods: ['PLAIN', 'LOGIN'],
      authOptional: true,
      allowInsecureAuth: true,
      // Any credentials do, and nothing is kept of them (D21).
      onAuth: (_credentials, _session, callback) => callback(null, { user: 'anyone' }),
      hideENHANCEDSTATUSCODES: false,
      disabledCommands: DISABLED_COMMANDS,
      disableReverseLookup: true,
      socketTimeout: settings.idleTimeoutMs,
      maxCommandLength: MAX_COMMAND_BYTES,
      logger: false,
    });
    this.settings = settings;
    this.server.maxConnections = settings.maxConnections + MAX_REFUSALS;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions): void {
    const connection = new Connection(this, socket, options);
    this.#connections.add(connection);
    connection.once('closed', () => this.#connections.delete(connection));
    connection.init();
  }

  /** Takes no new connections or mail, lets running DATA end, for so long at most, and closes all connections. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const connection of this.#connections) connection.stop();
    await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }
}

class Connection extends SMTPConnection {
  readonly #engine: Engine;
  readonly #client: string;
  readonly #session: Session;
  #freeSlot = () => {};
  #message: Message | null = null;
  #decoder = new DotDecoder();
  #dataTimer: NodeJS.Timeout | undefined;

  constructor(engine: Engine, socket: Socket, options?: SMTPConnectionOptions) {
    super(engine, socket, options);
    this.#engine = engine;
    this.#client = clientKey(this.remoteAddress);
    this.#session = new Session(engine.settings, this.#client);
  }

  /** Says that the service stops and closes: now, or once the mail that is coming in is answered. */
  stop(): void {
    if (this.#message !== null) return;
    this.#say(refusal(smtpErrors.stopping));
    setTimeout(() => this.destroy(), LINGER_MS).unref();
  }

  destroy(): void {
    this._socket.destroy();
  }

  /**
   * The greeting at once: smtp-server waits 100 ms here, to catch clients that talk before it. Those whose bytes are
   * there already are still caught, for `connectionReady` greets one turn of the event loop later.
   */
  override init(): void {
    this._setListeners(() => {
      const refused = this.#engine.isStopping ? smtpErrors.stopping : this.#takeSlot();
      if (refused === null) this.connectionReady();
      else this.#say(refusal(refused));
    });
  }

  /** Says what smtp-server reports in the words and codes of the table of errors. */
  override send(code: number, text?: string | string[] | null, context?: string | false): void {
    const error = typeof text === 'string' ? engineErrors.get(text.replace(`${this.name} `, '')) : undefined;
    if (error === undefined) super.send(code, text, context);
    else super.send(error.code, error.text, context === false ? false : error.enhanced);
  }

  /** Takes an enhanced code in place of one of smtp-server's names for them. */
  override _getEnhancedStatusCode(code: number, context?: string | false): string {
    return context && /^[245]\./.test(context) ? context : super._getEnhancedStatusCode(code, context);
  }

  /** Offers AUTH only where it is taken (RFC 4954 section 4). */
  override handler_EHLO(command: Buffer, callback: () => void): void {
    this.session.disabledCommands = this.#takesCredentials() ? DISABLED_COMMANDS : [...DISABLED_COMMANDS, 'AUTH'];
    super.handler_EHLO(command, callback);
    this.session.disabledCommands = DISABLED_COMMANDS;
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    if (this.#takesCredentials()) {
      super.handler_AUTH(command, callback);
      return;
    }
    this.#say(refusal(smtpErrors.tlsFirst));
    callback();
  }

  override handler_MAIL(command: Buffer, callback: () => void): void {
    void withAnswer(this.#session.mail(command.toString()), (reply) => {
      this.#say(reply);
      callback();
    });
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    this.#say(this.#session.rcpt(command.toString()));
    callback();
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    const answer = this.#session.data(command.toString());
    if (!(answer instanceof Message)) this.#say(answer);
    else if (this._parser !== false) this.#expect(answer, this._parser);
    callback();
  }

  /** RSET, EHLO, HELO, STARTTLS (RFC 3207 section 4.2) and the end of a mail all come here. */
  override _resetSession(): void {
    super._resetSession();
    this.#session.reset();
  }

  /**
   * DATA is read by our own decoder. smtp-server's takes out dots after a bare LF too, which alters the mail, and waits
   * for a turn of the event loop after each dot it takes out.
   */
  override _createParser(): SMTPStream {
    const parser = super._createParser();
    parser._feedDataStream = (chunk, done) => this.#readData(parser, chunk, done);
    return parser;
  }

  /** The client is not idle while it waits for us. */
  override _onTimeout(): void {
    if (this.#message?.isWhole && !this._closing) this._armTimeout();
    else super._onTimeout();
  }

  override _onError(error: Error): void {
    this.#engine.settings.log.debug({ client: this.#client, reason: error.message }, 'An SMTP connection failed.');
    this.close();
  }

  /** Every connection ends here, however it ends. A mail that has come in whole is stored all the same. */
  override _onClose(): void {
    super._onClose();
    clearTimeout(this.#dataTimer);
    if (this.#message?.isWhole === false) this.#message.abandon();
    this.#freeSlot();
    this.emit('closed');
  }

  /** Counts the connection, or answers why it is one too many. */
  #takeSlot(): SmtpError | null {
    const slot = this.#engine.settings.connections.take(this.#client);
    if (typeof slot === 'string') return NO_SLOT[slot];
    this.#freeSlot = slot;
    return null;
  }

  #say(reply: Reply): void {
    super.send(reply.code, reply.text, reply.enhanced ?? false);
  }

  #takesCredentials(): boolean {
    const { trusted } = this.#engine.settings;
    return this.secure || isLoopback(this.remoteAddress) || isInRanges(this.remoteAddress, trusted);
  }

  #expect(message: Message, parser: SMTPStream): void {
    this.#message = message;
    this.#decoder = new DotDecoder();
    parser._dataMode = true;
    // The idle time alone would let a client send a byte a minute for ever.
    this.#dataTimer = setTimeout(
      () => this.#say(refusal(smtpErrors.dataTooSlow)),
      this.#engine.settings.dataTimeoutMs,
    ).unref();
    this.#say(replies.sendContent);
  }

  #readData(parser: SMTPStream, chunk: Buffer, done: () => void): void {
    const message = this.#message;
    const { content, end } = this.#decoder.decode(chunk);
    message?.add(content);
    if (message === null || end === null) {
      // One piece a turn of the event loop: libuv has 32 more at hand, and a dozen large mails would let nobody else in.
      setImmediate(done);
      return;
    }
    parser._dataMode = false;
    const rest = chunk.subarray(end);
    void this.#answer(message).then(() => this._whenWritable(() => parser._write(rest, 'buffer', done)));
  }

  async #answer(message: Message): Promise<void> {
    clearTimeout(this.#dataTimer);
    const reply = await message.store();
    this.#message = null;
    this._unrecognizedCommands = 0;
    this._resetSession();
    this.#say(reply);
    if (this.#engine.isStopping) this.stop();
  }
}
