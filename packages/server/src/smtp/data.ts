import { notStoredErrors, type SmtpError, smtpErrors } from '../errors.js';
import { type Ending, type IncomingMail, StoreAwayError } from '../inbox/inboxes.js';
import type { MessageBytes } from '../limits/client-memory.js';
import type { Refusal } from '../limits/quota.js';
import type { SmtpContext } from './context.js';
import type { Emit } from './observer.js';
import { type Reply, type ReplyValues, refusal, replies } from './replies.js';

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

/** Only this sequence needs attention; everything between is copied in one go. */
const LINE_WITH_DOT = Buffer.from('\r\n.');

/** The end of a piece may begin such a sequence, so it is read byte by byte. */
const BORDER_BYTES = LINE_WITH_DOT.length - 1;

/** One read of a socket, and one byte: a CR may be held back from the previous piece. */
const SCRATCH_BYTES = 64 * 1024 + 1;

/** Shared by all decoders: each piece is copied from here before the next is read, so nothing is allocated. */
const SCRATCH = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

/** What the bytes so far end with. `dot` and `dot-cr` are held back: they may belong to the terminator. */
type State = 'text' | 'cr' | 'line-start' | 'dot' | 'dot-cr' | 'end';

export interface Decoded {
  /** The message's bytes without transparency dots. Valid until any decoder reads its next piece. */
  readonly content: Uint8Array;
  /** Where in the piece the message ended, terminator included; null if it continues. */
  readonly end: number | null;
}

/**
 * Decodes what follows DATA (RFC 5321 section 4.5.2), in pieces cut anywhere. A lone dot ends the message; other
 * leading dots are removed. SMTP smuggling: only CRLF begins a line and ends the lone dot's. A server that accepts a
 * bare LF or CR can be made to see a second mail (D19); here bare ones are content.
 */
export class DotDecoder {
  // The CRLF of the DATA command begins the first line.
  #state: State = 'line-start';

  decode(bytes: Uint8Array): Decoded {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const content = piece.length < SCRATCH_BYTES ? SCRATCH : Buffer.allocUnsafeSlow(piece.length + 1);
    let length = 0;
    let state = this.#state;
    for (let at = 0; at < piece.length; at += 1) {
      if (state === 'text') {
        const end = plainEnd(piece, at);
        length += piece.copy(content, length, at, end);
        at = end;
      }
      const byte = piece[at] as number;
      const next = after(state, byte);
      if (next === 'end') return { content: content.subarray(0, length), end: at + 1 };
      if (state === 'dot-cr') content[length++] = CR;
      if (next !== 'dot' && next !== 'dot-cr') content[length++] = byte;
      state = next;
    }
    this.#state = state;
    return { content: content.subarray(0, length), end: null };
  }
}

/** The end of the bytes that are certainly content, from `start` within a line. */
function plainEnd(piece: Buffer, start: number): number {
  const next = piece.indexOf(LINE_WITH_DOT, start);
  return next >= 0 ? next : Math.max(start, piece.length - BORDER_BYTES);
}

function after(state: State, byte: number): State {
  if (byte === CR) return state === 'dot' ? 'dot-cr' : 'cr';
  if (byte === LF && state === 'cr') return 'line-start';
  if (byte === LF && state === 'dot-cr') return 'end';
  return byte === DOT && state === 'line-start' ? 'dot' : 'text';
}

/** Block sizes: for text, for HTML mail, and for the largest small message. */
const SIZES = [4, 16, 64].map((kib) => kib * 1024);

const KEPT = 32;

/** Reusable memory for messages: allocations outside V8's heap make it scan the heap, a fifth of a mail's cost. */
const BLOCKS: readonly Uint8Array[][] = SIZES.map(() => []);

/** A block of at least this size with arbitrary content; null beyond the largest. */
function takeBlock(bytes: number): Uint8Array | null {
  const size = SIZES.findIndex((room) => bytes <= room);
  return size < 0 ? null : (BLOCKS[size]?.pop() ?? Buffer.allocUnsafeSlow(SIZES[size] as number));
}

function giveBack(block: Uint8Array): void {
  const kept = BLOCKS[SIZES.indexOf(block.length)];
  if (kept !== undefined && kept.length < KEPT) kept.push(block);
}

const NO_ROOM: Readonly<Record<Refusal, SmtpError>> = {
  'client-full': smtpErrors.tooMuchFromClient,
  'all-taken': smtpErrors.tooMuchInFlight,
};

const GROWTH_BYTES = 1024 * 1024;

const NOTHING = new Uint8Array(0);

/**
 * The content of an incoming message. Past a limit it is dropped, and only its length counted. A large one lies in
 * shared memory that grows in place: copying 10 MB, to join or to hand to a thread, would stop the event loop for 10
 * ms. A small one does not: growing memory reserves address space for the largest message.
 */
export class Content {
  /** Why it was dropped. */
  dropped: SmtpError | null = null;
  readonly #maxBytes: number;
  readonly #held: MessageBytes;
  readonly #decoder = new DotDecoder();
  #memory: Uint8Array = NOTHING;
  #block: Uint8Array | null = null;
  #shared: SharedArrayBuffer | null = null;
  #length = 0;

  constructor(maxBytes: number, held: MessageBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  /** Adds what follows DATA, and returns where in it the message ended, terminator included; null if it continues. */
  add(bytes: Uint8Array): number | null {
    const { content, end } = this.#decoder.decode(bytes);
    this.#length += content.length;
    if (this.#length > this.#maxBytes) this.#drop(smtpErrors.messageTooLarge);
    else if (this.dropped === null) this.#keep(content);
    return end;
  }

  /** The whole content, possibly in shared memory, unless it was dropped. In flight until `release`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#held.bytes);
  }

  /** Frees the memory for other messages, once the content is stored or unwanted. May be repeated. */
  release(): void {
    this.#held.release();
    this.#letGo();
    this.#memory = NOTHING;
    this.#shared = null;
  }

  #drop(error: SmtpError): void {
    this.dropped = error;
    this.release();
  }

  #keep(content: Uint8Array): void {
    const before = this.#held.bytes;
    const refused = this.#held.take(content.length);
    if (refused !== null) {
      this.#drop(NO_ROOM[refused]);
      return;
    }
    if (this.#held.bytes > this.#memory.length) this.#grow();
    this.#memory.set(content, before);
  }

  #grow(): void {
    const sharedBytes = Math.min(this.#held.bytes + GROWTH_BYTES, this.#maxBytes);
    if (this.#shared !== null) {
      this.#shared.grow(sharedBytes);
      this.#memory = new Uint8Array(this.#shared);
      return;
    }
    const before = this.#memory;
    const block = takeBlock(this.#held.bytes);
    if (block === null) this.#shared = new SharedArrayBuffer(sharedBytes, { maxByteLength: this.#maxBytes });
    this.#memory = block ?? new Uint8Array(this.#shared as SharedArrayBuffer);
    this.#memory.set(before);
    this.#letGo();
    this.#block = block;
  }

  #letGo(): void {
    if (this.#block !== null) giveBack(this.#block);
    this.#block = null;
  }
}

type Envelope = Pick<IncomingMail, 'client' | 'envelopeFrom' | 'recipients'>;

/** A message from DATA to the reply. */
export class Message {
  readonly #context: SmtpContext;
  readonly #envelope: Envelope;
  readonly #emit: Emit;
  readonly #content: Content;
  readonly #askedAt: number;
  #isHurried = false;
  #endDelay = () => {};

  constructor(context: SmtpContext, envelope: Envelope, emit: Emit) {
    this.#context = context;
    this.#envelope = envelope;
    this.#emit = emit;
    this.#content = new Content(context.maxMessageBytes, context.inFlight.open(envelope.client));
    this.#askedAt = context.monotonic();
  }

  /** Takes content, and returns where in it the message ended; null if it continues. */
  add(bytes: Uint8Array): number | null {
    return this.#content.add(bytes);
  }

  /** Forgets an incomplete message. */
  drop(): void {
    this.#content.release();
  }

  /**
   * Stores the complete message and resolves to the reply; to null if the address asks for none. Where the client is
   * known not to wait, a delay that the address asks for is skipped.
   */
  async store(isHurried: boolean): Promise<Reply | null> {
    this.#isHurried = isHurried;
    const receivedAt = this.#context.now();
    this.#emit('received', this.#context.monotonic() - this.#askedAt);
    const { reply, ending } = await this.#deliver(receivedAt);
    this.#content.release();
    // The client holds one of its connections meanwhile.
    if (ending !== undefined && ending.delayMs > 0 && !this.#isHurried) await this.#delay(ending.delayMs);
    return ending?.isLost ? null : reply;
  }

  /** Ends the delay of the reply, now or later: the client has left, or the service stops. */
  hurry(): void {
    this.#isHurried = true;
    this.#endDelay();
  }

  #delay(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#context.after(delayMs, resolve);
      this.#endDelay = () => {
        cancel();
        resolve();
      };
    });
  }

  async #deliver(receivedAt: number): Promise<{ readonly reply: Reply; readonly ending?: Ending | undefined }> {
    const { inbox, maxMessageBytes, log } = this.#context;
    const { bytes: raw, dropped } = this.#content;
    if (dropped !== null) return { reply: this.#refuse(dropped, { limit: maxMessageBytes }) };
    try {
      const delivered = await inbox.deliver({ ...this.#envelope, raw, receivedAt });
      const { ending } = delivered;
      if (!delivered.stored) {
        const error = delivered.reason === 'rehearsed' ? delivered.error : notStoredErrors[delivered.reason];
        return { reply: this.#refuse(error), ending };
      }
      this.#emit('stored', { bytes: raw.length, receivedAt: delivered.receivedAt });
      return { reply: replies.stored, ending };
    } catch (error) {
      if (error instanceof StoreAwayError) {
        this.#emit('storeAway', error.message);
        return { reply: this.#refuse(smtpErrors.storeAway) };
      }
      log.error({ err: error, client: this.#envelope.client }, 'A mail could not be stored.');
      return { reply: this.#refuse(smtpErrors.internal) };
    }
  }

  #refuse(error: SmtpError, values?: ReplyValues): Reply {
    const refused = refusal(error, values);
    this.#emit('refused', refused, 'message');
    return refused;
  }
}

/**
 * Whether content arrives fast enough (D13): with the idle time alone, a byte a minute would hold a connection and its
 * memory almost forever. The first period is free: people type mail. Reports a fault once.
 */
export class DataWatch {
  readonly #leastBytes: number;
  readonly #periodMs: number;
  readonly #fault: (error: SmtpError) => void;
  #leftMs: number;
  #bytes = 0;
  #isFirst = true;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor({ dataTimeoutMs, leastSpeed }: SmtpContext, fault: (error: SmtpError) => void) {
    this.#leastBytes = leastSpeed?.bytes ?? 0;
    this.#periodMs = leastSpeed?.periodMs ?? dataTimeoutMs;
    this.#leftMs = dataTimeoutMs;
    this.#fault = fault;
    this.#awaitCheck();
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #awaitCheck(): void {
    const waitMs = Math.min(this.#periodMs, this.#leftMs);
    this.#leftMs -= waitMs;
    // After a stall of our event loop, what has arrived is read first: our slowness is not the client's.
    this.#timer = setTimeout(() => setImmediate(this.#check), waitMs).unref();
  }

  readonly #check = (): void => {
    if (this.#isOver) return;
    if (this.#leftMs <= 0) this.#fault(smtpErrors.dataTooLate);
    else if (!this.#isFirst && this.#bytes < this.#leastBytes) this.#fault(smtpErrors.dataTooSlow);
    else {
      this.#isFirst = false;
      this.#bytes = 0;
      this.#awaitCheck();
    }
  };
}
