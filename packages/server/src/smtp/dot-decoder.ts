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
