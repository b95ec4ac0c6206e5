import { type ByteString, trimBlanksEnd } from './byte-string.js';
import { endOfLine, LF, paddingStart } from './line-ends.js';

/** RFC 2046 section 5.1.1 allows 70 bytes, but a line of 998 bytes has room for 994 between two pairs of dashes. */
const MAX_BOUNDARY_BYTES = 994;

/** Multiparts nested deeper are not opened. */
const MAX_DEPTH = 64;

/** Number of bytes to search in a loop first, because calling the native search costs about as much as this loop. */
const NEARBY_BYTES = 128;

const DASH = 0x2d;
const TWO_DASHES = Buffer.from('--');

/** A line that ends a part. Unless it `closes` the multipart, the next part follows. */
export interface Delimiter {
  readonly lineStart: number;
  readonly nextLine: number;
  readonly multipart: Multipart;
  readonly closes: boolean;
}

export interface Multipart {
  readonly boundary: ByteString;
  readonly mediaType: string;
  /** The outer multipart with the same boundary, which is hidden while this multipart is open. */
  readonly hidden: Multipart | undefined;
}

/**
 * The open multiparts. One hash lookup compares a line with all boundaries, and each byte is read once, so neither deep
 * nesting nor lines that resemble a boundary slow down the parser.
 */
export class OpenMultiparts {
  readonly #stack: Multipart[] = [];
  readonly #byBoundary = new Map<ByteString, Multipart>();

  get innermost(): Multipart | undefined {
    return this.#stack.at(-1);
  }

  open(mediaType: string, declaredBoundary: ByteString): Multipart | undefined {
    // A boundary does not end in a blank (RFC 2046 section 5.1.1); blanks after a delimiter are padding.
    const boundary = trimBlanksEnd(declaredBoundary);
    if (boundary === '' || boundary.length > MAX_BOUNDARY_BYTES || this.#stack.length >= MAX_DEPTH) return undefined;
    const multipart = { boundary, mediaType, hidden: this.#byBoundary.get(boundary) };
    this.#stack.push(multipart);
    this.#byBoundary.set(boundary, multipart);
    return multipart;
  }

  pass(delimiter: Delimiter): void {
    while (this.innermost !== undefined && this.innermost !== delimiter.multipart) this.close();
    if (delimiter.closes) this.close();
  }

  nextDelimiter(bytes: Buffer, lineStart: number): Delimiter | null {
    if (this.#stack.length === 0) return null;
    for (let line = nextDashLine(bytes, lineStart); line !== null; ) {
      const lineEnd = endOfLine(bytes, line);
      const delimiter = this.delimiterAt(bytes, line, lineEnd);
      if (delimiter !== null) return delimiter;
      line = nextDashLine(bytes, lineEnd + 1);
    }
    return null;
  }

  delimiterAt(bytes: Buffer, lineStart: number, lineEnd: number): Delimiter | null {
    if (bytes[lineStart] !== DASH || bytes[lineStart + 1] !== DASH) return null;
    const start = lineStart + TWO_DASHES.length;
    // Blanks may follow a boundary on its line (RFC 2046 section 5.1.1).
    const end = paddingStart(bytes, lineEnd);
    if (end - start > MAX_BOUNDARY_BYTES + TWO_DASHES.length) return null;
    const text = bytes.toString('latin1', start, end);
    const nextLine = lineEnd + 1;
    const opening = this.#byBoundary.get(text);
    if (opening !== undefined) return { lineStart, nextLine, multipart: opening, closes: false };
    const closing = text.endsWith('--') ? this.#byBoundary.get(text.slice(0, -2)) : undefined;
    return closing === undefined ? null : { lineStart, nextLine, multipart: closing, closes: true };
  }

  close(): void {
    const closed = this.#stack.pop();
    if (closed === undefined) return;
    if (closed.hidden === undefined) this.#byBoundary.delete(closed.boundary);
    else this.#byBoundary.set(closed.boundary, closed.hidden);
  }
}

/**
 * The first line at or after `lineStart` that begins with two dashes, or null. The native search skips attachments
 * quickly. The loop before it avoids a native call for each dash of a message full of dashes.
 */
function nextDashLine(bytes: Buffer, lineStart: number): number | null {
  let from = lineStart;
  while (from < bytes.length) {
    const near = Math.min(from + NEARBY_BYTES, bytes.length);
    for (; from < near; from++) {
      if (bytes[from] === DASH && isDashLine(bytes, from)) return from;
    }
    const found = bytes.indexOf(TWO_DASHES, near);
    if (found === -1) return null;
    from = found;
  }
  return null;
}

function isDashLine(bytes: Buffer, index: number): boolean {
  return bytes[index + 1] === DASH && (index === 0 || bytes[index - 1] === LF);
}
