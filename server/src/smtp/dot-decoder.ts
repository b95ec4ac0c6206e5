const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

/** Only here does something happen; what lies between is taken over in one go. */
const LINE_WITH_DOT = Buffer.from('\r\n.');

/** The end of a piece may hold the beginning of a line with a dot, so it is looked at byte by byte. */
const BORDER_BYTES = LINE_WITH_DOT.length - 1;

/** As much as a socket is read at once, and one byte more: a CR may be held back from the piece before. */
const SCRATCH_BYTES = 64 * 1024 + 1;

/** Shared by all decoders: each piece is copied from here before the next one is read, so nothing is allocated. */
const SCRATCH = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

/** What the bytes so far end with. In `dot` and `dot-cr` these are held back, for they may belong to the terminator. */
type State = 'text' | 'cr' | 'line-start' | 'dot' | 'dot-cr' | 'end';

export interface Decoded {
  /** Bytes of the message, the dots of transparency taken out. Valid until any decoder reads its next piece. */
  readonly content: Uint8Array;
  /** Where in the piece the message had ended, the terminator included; null when it goes on. */
  readonly end: number | null;
}

/**
 * Reads what a client sends after DATA (RFC 5321 section 4.5.2), in pieces that may be cut anywhere. A lone dot ends
 * the message; from any other line that begins with a dot that dot is taken out.
 *
 * SMTP smuggling: a line begins after CRLF alone and the lone dot is followed by CRLF alone. A server that lets a bare
 * LF or CR do for either can be made to see a second mail inside of one (D19). Bare ones are content here.
 */
export class DotDecoder {
  // The CRLF of the DATA command itself begins the first line.
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

/** Up to where a piece holds nothing but content, from a place that is within a line. */
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
