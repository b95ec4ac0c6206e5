/** A line ends in LF, whatever precedes it: CRLF, a bare LF, or CR CR LF. */
export const LF = 0x0a;
export const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Number of bytes to search in a loop first, because calling the native search costs about as much as this loop. */
const NEARBY_BYTES = 8;

/** The index of the LF that ends the line at `from`, or `bytes.length`. */
export function endOfLine(bytes: Buffer, from: number): number {
  const near = Math.min(from + NEARBY_BYTES, bytes.length);
  for (let index = from; index < near; index++) {
    if (bytes[index] === LF) return index;
  }
  const found = bytes.indexOf(LF, near);
  return found === -1 ? bytes.length : found;
}

/** Whether a line consists only of CRs. */
export function isEmptyLine(bytes: Buffer, start: number, end: number): boolean {
  let index = start;
  while (index < end && bytes[index] === CR) index++;
  return index === end;
}

/** The start of the blanks and CRs before a line end, or `lineEnd` if other text precedes it. */
export function paddingStart(bytes: Buffer, lineEnd: number): number {
  let index = lineEnd;
  while (index > 0 && isPadding(bytes[index - 1] as number)) index--;
  return index;
}

export function isPadding(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR;
}

/** If the first line ends in a bare CR, replaces each bare CR with LF. The length stays the same. */
export function messageBytes(raw: Uint8Array): Buffer {
  const bytes = bufferOf(raw);
  return firstLineEndsInBareCr(bytes) ? withoutBareCr(bytes) : bytes;
}

export function hasBareCr(raw: Uint8Array): boolean {
  return firstLineEndsInBareCr(bufferOf(raw));
}

function bufferOf(raw: Uint8Array): Buffer {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
}

/** Use only if the first line ends in a bare CR. Otherwise, a CR within a field's value could add a hostile field. */
function withoutBareCr(bytes: Buffer): Buffer {
  const converted = Buffer.from(bytes);
  for (let index = 0; index < converted.length; index++) {
    if (converted[index] === CR && converted[index + 1] !== LF) converted[index] = LF;
  }
  return converted;
}

export async function* piecesWithoutBareCr(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let heldCr = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([heldCr, piece]);
    // Keeps a final CR for the next piece, because the byte after it is not known yet.
    const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
    heldCr = bytes.subarray(end);
    if (end > 0) yield withoutBareCr(bytes).subarray(0, end);
  }
  if (heldCr.length > 0) yield withoutBareCr(heldCr);
}

function firstLineEndsInBareCr(bytes: Buffer): boolean {
  const end = endOfLine(bytes, 0);
  const firstCr = bytes.subarray(0, end).indexOf(CR);
  return firstCr !== -1 && !isEmptyLine(bytes, firstCr, end);
}
