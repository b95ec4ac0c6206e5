/** Where lines end. A line ends in LF, whatever stands before it: CRLF, the bare LF of a sloppy sender, or CR CR LF. */

export const LF = 0x0a;
export const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Bytes searched one by one before a native call, which costs about as much. */
const NEARBY_BYTES = 8;

function indexOfByte(bytes: Buffer, byte: number, from: number): number {
  const near = Math.min(from + NEARBY_BYTES, bytes.length);
  for (let index = from; index < near; index++) {
    if (bytes[index] === byte) return index;
  }
  const found = bytes.indexOf(byte, near);
  return found === -1 ? bytes.length : found;
}

/** Index of the LF that ends the line which `from` is in, or the number of bytes when nothing ends it. */
export function endOfLine(bytes: Buffer, from: number): number {
  return indexOfByte(bytes, LF, from);
}

/** Whether only CRs stand between a line's start and its end. */
export function isEmptyLine(bytes: Buffer, start: number, end: number): boolean {
  let index = start;
  while (index < end && bytes[index] === CR) index++;
  return index === end;
}

/** Where the blanks and CRs before a line's end begin. */
export function paddingStart(bytes: Buffer, lineEnd: number): number {
  let index = lineEnd;
  while (index > 0 && isPadding(bytes[index - 1] as number)) index--;
  return index;
}

/** Whether a byte means nothing between a line's text and its LF: a space, a tab or a CR. */
export function isPadding(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR;
}

/** The bytes of a message as it is read: as many, with LF in place of each bare CR where its first line ends in one. */
export function messageBytes(raw: Uint8Array): Buffer {
  const bytes = bufferOf(raw);
  return firstLineEndsInBareCr(bytes) ? withoutBareCr(bytes) : bytes;
}

/** Whether a message has bare CRs for line ends, which are read as LF. */
export function hasBareCr(raw: Uint8Array): boolean {
  return firstLineEndsInBareCr(bufferOf(raw));
}

function bufferOf(raw: Uint8Array): Buffer {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
}

/** Only if the first line ends in a bare CR. Elsewhere it is content, or one header's author could begin another. */
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
    // What follows a CR at the end has not come yet.
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
