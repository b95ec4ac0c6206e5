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
 * leading dots are removed. SMTP smuggling: only CRLF begins a line and ends the lone dot's. A server that accepts a
 * bare LF or CR can be made to see a second mail (D19); here bare ones are content.
 */
export class DotDecoder {
  /** The end of what was read, where the terminator may begin. The CRLF of the DATA command begins the first line. */
  #tail = LINE_END;

  /** Decodes a piece, in place. `end` is where in it the message ended, terminator included; null if it continues. */
  decode(piece: Buffer): { readonly content: Uint8Array; readonly end: number | null } {
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

/** Copied as a whole when it grows. */
const SMALL_BYTES = 64 * 1024;

const GROWTH_BYTES = 1024 * 1024;

/**
 * The content of an incoming message. Past a limit it is dropped, and only its length counted. A large one lies in
 * shared memory that grows in place: copying 10 MB, to join or to hand to a thread, would stop the event loop for 10
 * ms. A small one does not: growing memory reserves address space for the largest message.
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
      log.error({ err: error, client: envelope.client }, 'A mail could not be stored.');
      return { reply: refuse(smtpErrors.internal) };
    }
  };
  return {
    content,
    /** Stores the complete message and resolves to the reply; to null if the address asks for none. */
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
    /** Skips the delay that an address asks for, now or later: the client does not wait, or the service stops. */
    hurry(): void {
      isHurried = true;
      endDelay();
    },
  };
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
  let before = Number.NaN;
  let isOver = false;
  // After a stall of our event loop, what has arrived is read first: our slowness is not the client's.
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
