import { notStoredErrors, type SmtpError, smtpErrors } from '../errors.js';
import { type Ending, type IncomingMail, StoreAwayError } from '../inbox/inboxes.js';
import type { MessageBytes } from '../limits/client-memory.js';
import type { Refusal } from '../limits/quota.js';
import type { SmtpContext } from './context.js';
import type { Emit } from './observer.js';
import { type ReplyValues, refusal, refusalReply, replies } from './replies.js';

const CR = 0x0d;
const LF = 0x0a;

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
    const before = this.#tail.length;
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

/**
 * The content of an incoming message. Past a limit it is dropped, and only its length is counted. Large content is in
 * shared memory that grows in place, because copying 10 MB would block the event loop for 10 ms. Small content is in
 * ordinary memory, because growable memory reserves address space for the largest message.
 */
class Content {
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

  /** Adds bytes that follow DATA. Returns the offset after the terminator; null if the message continues. */
  add(bytes: Buffer): number | null {
    const { content, end } = this.#decoder.decode(bytes);
    this.length += content.length;
    if (this.length > this.#maxBytes) this.#drop(smtpErrors.messageTooLarge);
    else if (this.dropped === null) this.#keep(content);
    return end;
  }

  /** The content, perhaps in shared memory; empty if it was dropped. It counts as in flight until `release`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.length);
  }

  /** Frees the memory for other messages. Idempotent. */
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

export type Message = ReturnType<typeof openMessage>;

export function openMessage(
  context: SmtpContext,
  envelope: Pick<IncomingMail, 'client' | 'envelopeFrom' | 'recipients'>,
  emit: Emit,
) {
  const { settings, inFlight, inbox, log } = context;
  const content = new Content(settings['max-message'], inFlight.open(envelope.client));
  const askedAt = context.monotonic();
  let isHurried = false;
  let endDelay = () => {};

  const refuse = (error: SmtpError, values?: ReplyValues): string => {
    const refused = refusal(error, values);
    emit('refused', refused, 'message');
    return refusalReply(refused);
  };
  const deliver = async (
    receivedAt: number,
  ): Promise<{ readonly reply: string; readonly ending?: Ending | undefined }> => {
    const { bytes: raw, dropped } = content;
    if (dropped !== null) return { reply: refuse(dropped, { limit: settings['max-message'] }) };
    try {
      const delivered = await inbox.deliver({ ...envelope, raw, receivedAt });
      const { ending } = delivered;
      if (!delivered.stored) {
        return {
          reply: refuse(delivered.reason === 'rehearsed' ? delivered.error : notStoredErrors[delivered.reason]),
          ending,
        };
      }
      emit('stored', { bytes: raw.length, receivedAt: delivered.receivedAt });
      return { reply: replies.stored, ending };
    } catch (error) {
      if (error instanceof StoreAwayError) {
        emit('storeAway', error.message);
        return { reply: refuse(smtpErrors.storeAway) };
      }
      log.error({ err: error, client: envelope.client }, 'Storing a message failed.');
      return { reply: refuse(smtpErrors.internal) };
    }
  };
  return {
    content,
    /** Stores the complete message. Resolves to the reply, or to null if the address simulates a lost reply. */
    async store(): Promise<string | null> {
      const receivedAt = context.now();
      emit('received', context.monotonic() - askedAt);
      const { reply, ending } = await deliver(receivedAt);
      content.release();
      if (ending !== undefined && ending.delayMs > 0 && !isHurried) {
        await new Promise<void>((resolve) => {
          const cancel = context.after(ending.delayMs, resolve);
          endDelay = () => {
            cancel();
            resolve();
          };
        });
      }
      return ending?.isLost ? null : reply;
    },
    /** Skips a simulated delay, now or later, because the client does not wait or the service stops. */
    hurry(): void {
      isHurried = true;
      endDelay();
    },
  };
}

/**
 * Calls `fault` for a message that arrives too slowly (D13). With the idle time as the only limit, a client that sends
 * a byte per minute would hold a connection and its memory almost forever. The first period is not measured, so
 * that a person can type a message. Returns a function that ends the check.
 */
export function watchContent(
  content: Content,
  { settings }: SmtpContext,
  fault: (error: SmtpError) => void,
): () => void {
  const speed = settings['smtp-data-speed'];
  let before = Number.NaN;
  let isOver = false;
  // After a stall of the event loop, first reads what has arrived, because the delay is ours and not the client's.
  const checkLater = (check: () => void) => () => setImmediate(() => isOver || check());
  const tooLate = checkLater(() => fault(smtpErrors.dataTooLate));
  const tooSlow = checkLater(() => {
    const isSlow = speed !== null && content.length - before < speed.bytes;
    before = content.length;
    if (isSlow) fault(smtpErrors.dataTooSlow);
  });
  const timers = [setTimeout(tooLate, settings['smtp-data-time']), speed && setInterval(tooSlow, speed.periodMs)];
  for (const timer of timers) timer?.unref();
  return () => {
    isOver = true;
    for (const timer of timers) clearTimeout(timer ?? undefined);
  };
}
