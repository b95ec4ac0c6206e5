import { notStoredErrors, type SmtpError, smtpErrors } from '../errors.js';
import { type Ending, type IncomingMail, StoreAwayError } from '../inbox/inboxes.js';
import type { MessageBytes } from '../limits/client-memory.js';
import type { Refusal } from '../limits/quota.js';
import type { SmtpContext } from './context.js';
import type { Emit } from './observer.js';
import { type Reply, type ReplyValues, refusal, replies } from './replies.js';

const CR = 0x0d;
const LF = 0x0a;

const TERMINATOR = Buffer.from('\r\n.\r\n');
const LINE_WITH_DOT = TERMINATOR.subarray(0, 3);
const LINE_END = TERMINATOR.subarray(0, 2);
const NOTHING = TERMINATOR.subarray(0, 0);

export interface Decoded {
  /** The message's bytes without transparency dots. */
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
  /** The end of what was read, where the terminator may begin. The CRLF of the DATA command begins the first line. */
  #tail = LINE_END;

  /** Decodes a piece, in place. */
  decode(piece: Buffer): Decoded {
    const before = this.#tail.length;
    const bytes = before === 0 ? piece : Buffer.concat([this.#tail, piece]);
    // The tail's line end was content already, its dot and what follows was not.
    const start = Math.min(before, LINE_END.length);
    let length = 0;
    let from = 0;
    const keepUntil = (end: number) => {
      if (from > length) bytes.copyWithin(length, from, end);
      length += end - from;
    };
    for (let at = bytes.indexOf(LINE_WITH_DOT); at >= 0; at = bytes.indexOf(LINE_WITH_DOT, from)) {
      const [next, last] = [bytes[at + 3], bytes[at + 4]];
      const isTerminator = (next ?? CR) === CR && (last ?? LF) === LF;
      keepUntil(at + LINE_END.length);
      if (isTerminator) {
        this.#tail = TERMINATOR.subarray(0, bytes.length - at);
        return {
          content: bytes.subarray(start, length),
          end: last === undefined ? null : at + TERMINATOR.length - before,
        };
      }
      from = at + LINE_WITH_DOT.length;
    }
    keepUntil(bytes.length);
    const ends = (tail: Buffer) => bytes.subarray(length - tail.length, length).equals(tail);
    this.#tail = [LINE_END, LINE_END.subarray(0, 1)].find(ends) ?? NOTHING;
    return { content: bytes.subarray(start, length), end: null };
  }
}

const NO_ROOM: Readonly<Record<Refusal, SmtpError>> = {
  'client-full': smtpErrors.tooMuchFromClient,
  'all-taken': smtpErrors.tooMuchInFlight,
};

/** Copied as a whole when it grows. */
const SMALL_BYTES = 64 * 1024;

const GROWTH_BYTES = 1024 * 1024;

/**
 * The content of an incoming message. Past a limit it is dropped, and only its length counted. A large one lies in
 * shared memory that grows in place: copying 10 MB, to join or to hand to a thread, would stop the event loop for 10
 * ms. A small one does not: growing memory reserves address space for the largest message.
 */
class Content {
  /** Why it was dropped. */
  dropped: SmtpError | null = null;
  length = 0;
  readonly #maxBytes: number;
  readonly #held: MessageBytes;
  readonly #decoder = new DotDecoder();
  #memory: Uint8Array = NOTHING;
  #shared: SharedArrayBuffer | null = null;

  constructor(maxBytes: number, held: MessageBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  /** Adds what follows DATA, and returns where in it the message ended, terminator included; null if it continues. */
  add(bytes: Buffer): number | null {
    const { content, end } = this.#decoder.decode(bytes);
    this.length += content.length;
    if (this.length > this.#maxBytes) this.#drop(smtpErrors.messageTooLarge);
    else if (this.dropped === null) this.#keep(content);
    return end;
  }

  /** The whole content, possibly in shared memory, unless it was dropped. In flight until `release`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.length);
  }

  /** Frees the memory for other messages, once the content is stored or unwanted. May be repeated. */
  release(): void {
    this.#held.release();
    this.#memory = NOTHING;
    this.#shared = null;
  }

  #drop(error: SmtpError): void {
    this.dropped = error;
    this.release();
  }

  #keep(content: Uint8Array): void {
    const refused = this.#held.take(content.length);
    if (refused !== null) this.#drop(NO_ROOM[refused]);
    else if (this.length <= SMALL_BYTES) this.#memory = Buffer.concat([this.#memory, content]);
    else {
      if (this.length > this.#memory.length) this.#grow();
      this.#memory.set(content, this.length - content.length);
    }
  }

  #grow(): void {
    const bytes = Math.min(this.length + GROWTH_BYTES, this.#maxBytes);
    const before = this.#memory;
    this.#shared?.grow(bytes);
    this.#shared ??= new SharedArrayBuffer(bytes, { maxByteLength: this.#maxBytes });
    this.#memory = new Uint8Array(this.#shared);
    if (before.buffer !== this.#shared) this.#memory.set(before);
  }
}

type Envelope = Pick<IncomingMail, 'client' | 'envelopeFrom' | 'recipients'>;

/** A message from DATA to the reply. */
export class Message {
  readonly content: Content;
  readonly #context: SmtpContext;
  readonly #envelope: Envelope;
  readonly #emit: Emit;
  readonly #askedAt: number;
  #isHurried = false;
  #endDelay = () => {};

  constructor(context: SmtpContext, envelope: Envelope, emit: Emit) {
    this.#context = context;
    this.#envelope = envelope;
    this.#emit = emit;
    this.content = new Content(context.settings['max-message'], context.inFlight.open(envelope.client));
    this.#askedAt = context.monotonic();
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
    this.content.release();
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
    const { inbox, settings, log } = this.#context;
    const { bytes: raw, dropped } = this.content;
    if (dropped !== null) return { reply: this.#refuse(dropped, { limit: settings['max-message'] }) };
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
 * Reports a message that arrives too slowly (D13): with the idle time alone, a byte a minute would hold a connection
 * and its memory almost forever. The first period is free: people type mail. Returns the end of the watch.
 */
export function watchContent(
  content: Content,
  { settings }: SmtpContext,
  fault: (error: SmtpError) => void,
): () => void {
  const speed = settings['smtp-data-speed'];
  let before: number | null = null;
  let isOver = false;
  const isSlow = (least: number) => {
    const isLess = before !== null && content.length - before < least;
    before = content.length;
    return isLess;
  };
  // After a stall of our event loop, what has arrived is read first: our slowness is not the client's.
  const check = (error: SmtpError, isFault: () => boolean) => () => {
    setImmediate(() => {
      if (!isOver && isFault()) fault(error);
    });
  };
  const late = setTimeout(
    check(smtpErrors.dataTooLate, () => true),
    settings['smtp-data-time'],
  ).unref();
  const slow =
    speed &&
    setInterval(
      check(smtpErrors.dataTooSlow, () => isSlow(speed.bytes)),
      speed.periodMs,
    ).unref();
  return () => {
    isOver = true;
    clearTimeout(late);
    if (slow) clearInterval(slow);
  };
}
