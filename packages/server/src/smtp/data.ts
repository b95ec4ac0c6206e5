import { type ErrorValues, notStoredErrors, type SmtpError, smtpErrors } from '../errors.js';
import { type Ending, type IncomingMail, StoreAwayError } from '../inbox/inboxes.js';
import type { MessageBytes } from '../limits/client-memory.js';
import type { Refusal } from '../limits/quota.js';
import type { SmtpContext } from './context.js';
import type { Emit } from './observer.js';
import { refusal, refusalReply, replies } from './replies.js';

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

const TERMINATOR = Buffer.from('\r\n.\r\n');
const LINE_WITH_DOT = TERMINATOR.subarray(0, 3);
const LINE_END = TERMINATOR.subarray(0, 2);
const NOTHING = TERMINATOR.subarray(0, 0);

/**
 * Decodes what follows DATA (RFC 5321 section 4.5.2), in pieces cut anywhere. A lone dot ends the message; other
 * leading dots are removed. Only CRLF ends a line; a bare LF or CR is content. A server that accepts a bare LF or CR as
 * a line end can be made to see a second message (SMTP smuggling, D19).
 */
export class DotDecoder {
  /** The last bytes read, which may begin the terminator. Initially DATA's CRLF, as the first line may be the dot. */
  #tail = LINE_END;

  /** Decodes a piece in place. `end` is the offset after the terminator; null if the message continues. */
  decode(piece: Buffer): { readonly content: Uint8Array; readonly end: number | null } {
    // After a line's end, only a dot can begin the terminator.
    const before = this.#tail === LINE_END && piece[0] !== DOT ? 0 : this.#tail.length;
    const bytes = before === 0 ? piece : Buffer.concat([this.#tail, piece]);
    // The CRLF that begins the tail was already returned as content; the bytes after it were not.
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
        const end = last === undefined ? null : at + TERMINATOR.length - before;
        return { content: bytes.subarray(start, length), end };
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

/** Up to this size, the content is in ordinary memory, and is copied whenever it grows. */
const SMALL_BYTES = 64 * 1024;

const GROWTH_BYTES = 1024 * 1024;

type Envelope = Pick<IncomingMail, 'client' | 'envelopeFrom' | 'recipients'>;

/**
 * An incoming message. Past a limit its content is dropped, and only the length is counted. Large content is in shared
 * memory that grows in place, because copying 10 MB would block the event loop for 10 ms. Small content is in ordinary
 * memory, because growable memory reserves address space for the largest message.
 */
export class Message {
  /** The content's bytes so far, also if they were dropped. */
  length = 0;
  readonly #context: SmtpContext;
  readonly #envelope: Envelope;
  readonly #emit: Emit;
  readonly #held: MessageBytes;
  readonly #askedAt: number;
  readonly #decoder = new DotDecoder();
  #dropped: SmtpError | null = null;
  #memory: Uint8Array = NOTHING;
  #shared: SharedArrayBuffer | null = null;
  #isHurried = false;
  #endDelay = () => {};

  constructor(context: SmtpContext, envelope: Envelope, emit: Emit) {
    this.#context = context;
    this.#envelope = envelope;
    this.#emit = emit;
    this.#held = context.inFlight(envelope.client);
    this.#askedAt = context.monotonic();
  }

  /** Adds bytes that follow DATA. Returns the offset after the terminator; null if the message continues. */
  add(bytes: Buffer): number | null {
    const { content, end } = this.#decoder.decode(bytes);
    this.length += content.length;
    if (this.length > this.#context.settings['max-message']) this.#drop(smtpErrors.messageTooLarge);
    else if (this.#dropped === null && content.length > 0) this.#keep(content);
    return end;
  }

  /** Stores the complete message. Resolves to the reply, or to null if the address simulates a lost reply. */
  async store(): Promise<string | null> {
    const { now, monotonic, after } = this.#context;
    const receivedAt = now();
    this.#emit('received', monotonic() - this.#askedAt);
    const { reply, ending } = await this.#deliver(receivedAt);
    this.release();
    if (ending !== undefined && ending.delayMs > 0 && !this.#isHurried) {
      await new Promise<void>((resolve) => {
        const cancel = after(ending.delayMs, resolve);
        this.#endDelay = () => {
          cancel();
          resolve();
        };
      });
    }
    return ending?.isLost ? null : reply;
  }

  /** Skips a simulated delay, now or later, because the client does not wait or the service stops. */
  hurry(): void {
    this.#isHurried = true;
    this.#endDelay();
  }

  /** Frees the memory for other messages. Idempotent. */
  release(): void {
    this.#held.release();
    this.#memory = NOTHING;
    this.#shared = null;
  }

  async #deliver(receivedAt: number): Promise<{ readonly reply: string; readonly ending?: Ending | undefined }> {
    const { settings, inbox, log } = this.#context;
    const { client, envelopeFrom, recipients } = this.#envelope;
    if (this.#dropped !== null) return { reply: this.#refuse(this.#dropped, { limit: settings['max-message'] }) };
    try {
      // Counts as in flight until `release`.
      const raw = this.#memory.subarray(0, this.length);
      const delivered = await inbox.deliver({ client, envelopeFrom, recipients, raw, receivedAt });
      const { ending } = delivered;
      if (!delivered.stored) {
        const error = delivered.reason === 'rehearsed' ? delivered.error : notStoredErrors[delivered.reason];
        return { reply: this.#refuse(error), ending };
      }
      this.#emit('stored', { bytes: this.length, receivedAt: delivered.receivedAt });
      return { reply: replies.stored, ending };
    } catch (error) {
      if (error instanceof StoreAwayError) {
        this.#emit('storeAway', error.message);
        return { reply: this.#refuse(smtpErrors.storeAway) };
      }
      log.error({ err: error, client }, 'Storing a message failed.');
      return { reply: this.#refuse(smtpErrors.internal) };
    }
  }

  #refuse(error: SmtpError, values?: ErrorValues): string {
    const refused = refusal(error, values);
    this.#emit('refused', refused, 'message');
    return refusalReply(refused);
  }

  #drop(error: SmtpError): void {
    this.#dropped = error;
    this.release();
  }

  #keep(content: Uint8Array): void {
    const refused = this.#held.take(content.length);
    if (refused !== null) this.#drop(NO_ROOM[refused]);
    // Most small messages arrive in one piece. It is copied only if its memory holds mainly commands, which do not count.
    else if (this.#memory.length === 0 && this.length <= SMALL_BYTES) {
      this.#memory = content.buffer.byteLength > 2 * content.length ? new Uint8Array(content) : content;
    } else if (this.length <= SMALL_BYTES) this.#memory = Buffer.concat([this.#memory, content]);
    else {
      if (this.length > this.#memory.length) this.#grow();
      this.#memory.set(content, this.length - content.length);
    }
  }

  #grow(): void {
    const maxBytes = this.#context.settings['max-message'];
    const bytes = Math.min(this.length + GROWTH_BYTES, maxBytes);
    const before = this.#memory;
    this.#shared?.grow(bytes);
    this.#shared ??= new SharedArrayBuffer(bytes, { maxByteLength: maxBytes });
    this.#memory = new Uint8Array(this.#shared);
    if (before.buffer !== this.#shared) this.#memory.set(before);
  }
}

/**
 * Calls `fault` for a message that arrives too slowly (D13). With the idle time as the only limit, a client that sends
 * a byte per minute would hold a connection and its memory almost forever. The first period is not measured, so
 * that a person can type a message. Returns a function that ends the check.
 */
export function watchContent(message: Message, { settings }: SmtpContext, fault: (error: SmtpError) => void) {
  const speed = settings['smtp-data-speed'];
  let before = Number.NaN;
  let isOver = false;
  // After a stall of the event loop, first reads what has arrived, because the delay is ours and not the client's.
  const checkLater = (check: () => void) => () => setImmediate(() => isOver || check());
  const tooLate = checkLater(() => fault(smtpErrors.dataTooLate));
  const tooSlow = checkLater(() => {
    const isSlow = speed !== null && message.length - before < speed.bytes;
    before = message.length;
    if (isSlow) fault(smtpErrors.dataTooSlow);
  });
  const timers = [setTimeout(tooLate, settings['smtp-data-time']), speed && setInterval(tooSlow, speed.periodMs)];
  for (const timer of timers) timer?.unref();
  return () => {
    isOver = true;
    for (const timer of timers) clearTimeout(timer ?? undefined);
  };
}
