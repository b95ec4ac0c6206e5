import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HeldBytes } from '../../fairness/client-memory.js';
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

/**
 * Undocumented, but Node's HTTP server uses it. The documented `pause()` does not do: that server undoes it for bodies
 * and answers, and the stream still fills its buffer of 64 KiB. A stream in between would double the buffers of
 * thousands of connections. If a Node version lacks this, reading does not stop, and the test of requests that "are not
 * read any more" fails.
 */
interface ParsedSocket extends Socket {
  readonly _handle?: { reading: boolean; readStart(): void; readStop(): void } | null;
  [PIPELINE]?: Pipeline;
}

export interface PipelineContext {
  readonly peers: Peers;
  readonly underWay: UnderWay;
  /** Counts what clients send ahead of answers. */
  readonly held: HeldBytes;
}

/**
 * Gives Node's parser one request, and the next once that is answered (RFC 9112 section 9.3.2). Left alone, Node begins
 * every request it reads, thousands from 64 KiB, and holds their answers until the client reads them.
 */
export class Pipeline {
  readonly #socket: ParsedSocket;
  readonly #context: PipelineContext;
  readonly #parse: (bytes: Buffer) => void;
  #portion: Buffer = NOTHING;
  #rest: Buffer = NOTHING;
  #counted = 0;
  /** The end of the last portion, if a blank line may have begun in it. */
  #tail: Buffer = NOTHING;
  /** Bytes to come of a request's body, if its head told the length. */
  #bodyLeft = 0;
  #isParsing = false;
  #isStopped = false;
  #awaitsAnswer = false;
  #isOver = false;

  /** Goes between a socket and Node's server, which just began to listen. Nothing may be read yet. */
  constructor(socket: Socket, context: PipelineContext) {
    // Undocumented, too. If Node's server reads in another way, the first connection throws.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) throw new Error('Node does not read requests from the event "data" any more.');
    this.#socket = socket;
    this.#context = context;
    this.#parse = parse;
    this.#socket[PIPELINE] = this;
    socket.off('data', parse).on('data', take).on('resume', goOn);
  }

  /** That of a connection which Node's parser reads. */
  static of(socket: Duplex): Pipeline | undefined {
    return (socket as ParsedSocket)[PIPELINE];
  }

  /** What Node's parser is at, and everything after. */
  get unparsed(): Buffer {
    return Buffer.concat([this.#portion, this.#rest]);
  }

  /** Leaves the connection to another protocol with the unparsed bytes. */
  handOver(): void {
    const rest = this.#rest;
    this.leave();
    if (rest.length > 0) this.#socket.unshift(rest);
  }

  drop(): void {
    this.leave();
    this.#socket.resume();
  }

  take(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.goOn();
  }

  goOn(): void {
    if (this.#isParsing || this.#isOver || this.#socket.destroyed) return;
    this.#isParsing = true;
    while (this.#rest.length > 0 && this.#mayParse()) this.#parsePortion();
    this.#isParsing = false;
    if (this.#isOver) return;
    if (this.#rest.length > 0) {
      this.#rest = owned(this.#rest);
      this.#awaitAnswer();
    }
    this.#count(this.#rest.length);
    if (this.#rest.length > MAX_AHEAD_BYTES) this.#stopReading();
    else this.#startReading();
  }

  /** Whether the next bytes are due: they belong to an incomplete request, or none is before them. */
  #mayParse(): boolean {
    const socket = this.#socket;
    // Node pauses the connection briefly to read a body.
    if (!socket.writable || socket.isPaused()) return false;
    const last = this.#context.underWay.of(socket).at(-1);
    // A body of unknown length: the parser ends the connection before the request passes for one without a body.
    return last === undefined || !last.req.complete || !mayBeginRequest(this.#rest);
  }

  #parsePortion(): void {
    const { underWay } = this.#context;
    const before = underWay.of(this.#socket).at(-1);
    const end = this.#portionEnd();
    const portion = this.#rest.subarray(0, end);
    this.#bodyLeft = Math.max(0, this.#bodyLeft - end);
    this.#portion = portion;
    // A view, even of nothing, would keep the bytes of a request for as long as its stream is open.
    this.#rest = end === this.#rest.length ? NOTHING : this.#rest.subarray(end);
    this.#parse(portion);
    this.#portion = NOTHING;
    const last = underWay.of(this.#socket).at(-1);
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
    const last = this.#context.underWay.of(this.#socket).at(-1);
    if (this.#awaitsAnswer || last === undefined) return;
    this.#awaitsAnswer = true;
    last.once('close', () => {
      this.#awaitsAnswer = false;
      this.goOn();
    });
  }

  #count(bytes: number): void {
    if (bytes === this.#counted) return;
    // Few connections are counted, so the others need not tell that they close.
    if (this.#counted === 0) this.#socket.on('close', leave);
    else if (bytes === 0) this.#socket.off('close', leave);
    this.#counted = bytes;
    const { peers, held } = this.#context;
    const { client } = peers.of(this.#socket);
    held.set(this.#socket, { client, bytes, cut: () => this.#socket.destroy() });
  }

  #stopReading(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    // After this turn: the stream asks for more once it handed on what it has, and then not again.
    queueMicrotask(() => {
      const handle = this.#socket._handle;
      if (!this.#isStopped || !handle?.reading) return;
      handle.reading = false;
      handle.readStop();
    });
  }

  #startReading(): void {
    const handle = this.#socket._handle;
    if (!this.#isStopped) return;
    this.#isStopped = false;
    if (!handle || handle.reading) return;
    handle.reading = true;
    handle.readStart();
  }

  /** Ends it. Leaving twice is fine. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rest = NOTHING;
    this.#count(0);
    this.#startReading();
    this.#socket.off('data', take).off('resume', goOn);
  }
}

// The listeners are the same for all: thousands of connections are open.

function take(this: ParsedSocket, bytes: Buffer): void {
  this[PIPELINE]?.take(bytes);
}

function goOn(this: ParsedSocket): void {
  this[PIPELINE]?.goOn();
}

function leave(this: ParsedSocket): void {
  this[PIPELINE]?.leave();
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
  isIdle(socket: Socket): boolean {
    return this.#begun.has(socket) ? this.of(socket).length === 0 : socket.bytesRead === 0;
  }
}

function isUnderWay({ req, writableFinished }: ServerResponse): boolean {
  return !req.complete || !writableFinished;
}
