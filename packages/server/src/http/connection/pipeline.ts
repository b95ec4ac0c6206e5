import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { HeldBytes } from '../../limits/client-memory.js';
import type { Peers } from './peers.js';

/** Bytes for Node's parser at a time while a request's length is unknown; few requests fit. */
const PORTION_BYTES = 1_024;

/** Bytes a client may send ahead of its answer before reading stops. Until then, its leaving is noticed. */
const MAX_AHEAD_BYTES = 16 * 1024;

/** Ends a head, and a chunked body (RFC 9112 sections 2.1 and 7.1). */
const BLANK_LINE = Buffer.from('\r\n\r\n');

const NOTHING = Buffer.alloc(0);

/** How a request may begin (RFC 9112 section 3). */
const BEGINNINGS = METHODS.map((method) => `${method} `);
const LONGEST_BEGINNING = Math.max(...BEGINNINGS.map(({ length }) => length));

const PIPELINE = Symbol('pipeline');

interface PipedSocket extends Socket {
  [PIPELINE]?: Pipeline;
}

export interface PipelineContext {
  readonly peers: Peers;
  readonly underWay: UnderWay;
  /** Counts what clients send ahead of answers. */
  readonly held: HeldBytes;
}

interface Written {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

type Done = (error?: Error | null) => void;

/**
 * A stream between a socket and Node's HTTP server, which takes any (`server.emit('connection')`). Gives Node's parser
 * one request, and the next once that is answered (RFC 9112 section 9.3.2). Left alone, Node begins every request it
 * reads, thousands from 64 KiB, and holds their answers until the client reads them.
 *
 * The socket is read in paused mode: what the client sent too early stays in the socket's own buffer, which is bounded
 * by its high-water mark and one read of 64 KiB.
 */
export class Pipeline extends Duplex {
  readonly #socket: PipedSocket;
  readonly #context: PipelineContext;
  #portion: Buffer = NOTHING;
  #rest: Buffer = NOTHING;
  #counted = 0;
  /** The end of the last portion, if a blank line may have begun in it. */
  #tail: Buffer = NOTHING;
  /** Bytes to come of a request's body, if its head told the length. */
  #bodyLeft = 0;
  #isParsing = false;
  #awaitsAnswer = false;
  /** Whether the client closed its side. */
  #isEnded = false;
  /** Nothing more goes to the parser. */
  #isOver = false;
  #isReleased = false;

  /** Reads a socket that nobody else reads. Nothing is parsed before a server listens. */
  constructor(socket: Socket, context: PipelineContext) {
    super({ decodeStrings: false });
    this.#socket = socket;
    this.#context = context;
    this.#socket[PIPELINE] = this;
    this.on('resume', resumed);
    socket.on('readable', readable).on('end', ended).on('timeout', timedOut).on('close', closed);
  }

  /** Undefined for a socket that was refused. */
  static of(socket: Socket): Pipeline | undefined {
    return (socket as PipedSocket)[PIPELINE];
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** Whether the socket is closed, or about to be. */
  get isClosed(): boolean {
    return this.destroyed || this.#socket.destroyed;
  }

  /** Whether another protocol has the connection. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** What Node's parser is at, and everything after. */
  get unparsed(): Buffer {
    return Buffer.concat([this.#portion, this.#rest]);
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  /** As of a socket: Node's server calls it after the last answer. */
  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  /** Leaves the connection to another protocol, and returns the bytes behind the request. */
  release(): { readonly socket: Socket; readonly head: Buffer } {
    const [socket, head] = [this.#socket, this.#rest];
    this.#isReleased = true;
    socket.off('readable', readable).off('end', ended).off('timeout', timedOut).off('close', closed).setTimeout(0);
    this.destroy();
    return { socket, head };
  }

  /** Drops what comes. Reading goes on, to notice the client's end. */
  dropInput(): void {
    this.#leave();
    this.#socket.off('readable', readable).resume();
    this.resume();
  }

  /** Gives the parser what is due, and reads more. */
  goOn(): void {
    if (this.#isParsing || this.#isOver || this.isClosed) return;
    this.#isParsing = true;
    do while (this.#rest.length > 0 && this.#mayParse()) this.#parsePortion();
    while (this.#readMore());
    this.#isParsing = false;
    if (this.#isOver) return;
    if (this.#isEnded && (this.#rest.length === 0 || this.readableFlowing === true)) {
      // Nobody waits for the answers to requests that were sent ahead.
      this.#leave();
      this.push(null);
      return;
    }
    if (this.#rest.length > 0) {
      this.#rest = owned(this.#rest);
      this.#awaitAnswer();
    }
    this.#count(this.#rest.length + this.#socket.readableLength);
  }

  /** The client closed its side. */
  ended(): void {
    this.#isEnded = true;
    if (this.#isOver) this.push(null);
    else this.goOn();
  }

  #readMore(): boolean {
    if (this.#isOver || this.#rest.length > MAX_AHEAD_BYTES) return false;
    const bytes = this.#socket.read() as Buffer | null;
    if (bytes === null) return false;
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    return true;
  }

  /** Whether the next bytes are due: they belong to an incomplete request, or none is before them. */
  #mayParse(): boolean {
    // Node pauses the connection briefly to read a body, and does not listen before a connection's turn.
    if (!this.writable || this.readableFlowing !== true || this.readableLength > 0 || this.#isOver) return false;
    const last = this.#context.underWay.of(this).at(-1);
    // A body of unknown length: the parser ends the connection before the request passes for one without a body.
    return last === undefined || !last.req.complete || !mayBeginRequest(this.#rest);
  }

  #parsePortion(): void {
    const { underWay } = this.#context;
    const before = underWay.of(this).at(-1);
    const end = this.#portionEnd();
    const portion = this.#rest.subarray(0, end);
    this.#bodyLeft = Math.max(0, this.#bodyLeft - end);
    this.#portion = portion;
    // A view, even of nothing, would keep the bytes of a request for as long as its stream is open.
    this.#rest = end === this.#rest.length ? NOTHING : this.#rest.subarray(end);
    // Parsed before this returns: the stream flows and is empty.
    this.push(portion);
    this.#portion = NOTHING;
    const last = underWay.of(this).at(-1);
    if (last !== before) this.#bodyLeft = Number(last?.req.headers['content-length'] ?? 0);
  }

  /** Where the next portion ends: after a body or a blank line, so that none holds two requests. */
  #portionEnd(): number {
    const tail = this.#tail;
    this.#tail = NOTHING;
    if (this.#bodyLeft > 0) return Math.min(this.#rest.length, this.#bodyLeft);
    const most = Math.min(this.#rest.length, PORTION_BYTES);
    const read = Buffer.concat([tail, this.#rest.subarray(0, most)]);
    const blank = read.indexOf(BLANK_LINE);
    if (blank >= 0) return blank + BLANK_LINE.length - tail.length;
    this.#tail = read.subarray(1 - BLANK_LINE.length);
    return most;
  }

  #awaitAnswer(): void {
    const last = this.#context.underWay.of(this).at(-1);
    if (this.#awaitsAnswer || last === undefined) return;
    this.#awaitsAnswer = true;
    last.once('close', () => {
      this.#awaitsAnswer = false;
      this.goOn();
    });
  }

  #count(bytes: number): void {
    if (bytes === this.#counted) return;
    this.#counted = bytes;
    const { peers, held } = this.#context;
    const { client } = peers.of(this);
    held.set(this, { client, bytes, cut: () => this.destroy() });
  }

  #leave(): void {
    this.#isOver = true;
    this.#rest = NOTHING;
    this.#count(0);
  }

  override _read(): void {
    // Bytes come when they are due (see `goOn`).
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: Done): void {
    this.#send([{ chunk, encoding }], done);
  }

  override _writev(chunks: Written[], done: Done): void {
    this.#socket.cork();
    this.#send(chunks, done);
  }

  /** Is done as soon as the system has taken all: what is left counts as unread (`UnreadAnswers`). */
  #send(chunks: readonly Written[], done: Done): void {
    const socket = this.#socket;
    let isDone = false;
    const once: Done = (error) => {
      if (isDone) return;
      isDone = true;
      done(error);
    };
    const last = chunks.length - 1;
    for (const [n, { chunk, encoding }] of chunks.entries()) {
      if (n < last) socket.write(chunk, encoding);
      else socket.write(chunk, encoding, once);
    }
    if (socket.writableCorked > 0) socket.uncork();
    if (socket.writableLength === 0 && !socket.destroyed) once();
  }

  override _final(done: Done): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#leave();
    if (!this.#isReleased) this.#socket.destroy();
    done(error);
  }
}

// The listeners are the same for all: thousands of connections are open.

function resumed(this: Pipeline): void {
  this.goOn();
}

function readable(this: PipedSocket): void {
  this[PIPELINE]?.goOn();
}

function ended(this: PipedSocket): void {
  this[PIPELINE]?.ended();
}

function timedOut(this: PipedSocket): void {
  this[PIPELINE]?.emit('timeout');
}

function closed(this: PipedSocket): void {
  this[PIPELINE]?.destroy();
}

/** Whether bytes may begin a request, after blank lines that some clients send (RFC 9112 section 2.2). */
function mayBeginRequest(bytes: Buffer): boolean {
  const start = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  if (start < 0) return true;
  const text = bytes.toString('latin1', start, start + LONGEST_BEGINNING);
  return BEGINNINGS.some((beginning) => beginning.startsWith(text) || text.startsWith(beginning));
}

function owned(bytes: Buffer): Buffer {
  if (bytes.length * 2 > bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** The requests of each connection that are incomplete or whose answers have not left. */
export class UnderWay {
  /** In order; some may be over. */
  readonly #begun = new WeakMap<Duplex, ServerResponse[]>();

  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const underWay = this.of(socket);
    // One that is filled by `push` has room for seventeen.
    if (underWay.length === 0) this.#begun.set(socket, [response]);
    else underWay.push(response);
  }

  of(socket: Duplex): ServerResponse[] {
    const begun = this.#begun.get(socket) ?? [];
    const over = begun.findIndex(isUnderWay);
    if (over !== 0) begun.splice(0, over < 0 ? begun.length : over);
    return begun;
  }

  /** Whether everything is answered, or nothing was ever sent. */
  isIdle(pipeline: Pipeline): boolean {
    return this.#begun.has(pipeline) ? this.of(pipeline).length === 0 : pipeline.bytesRead === 0;
  }
}

function isUnderWay({ req, writableFinished }: ServerResponse): boolean {
  return !req.complete || !writableFinished;
}
