import { Base64Decoder } from './base64.js';
import { isPadding } from './line-ends.js';
import { decodeQuotedPrintable } from './quoted-printable.js';

/** Number of bytes decoded per call. */
const PORTION_BYTES = 64 * 1024;

/** Length of a quoted-printable escape, such as `=E9`. */
const ESCAPE_BYTES = 3;

const EQUALS = 0x3d;

/** Decodes one portion (see `portionEnd`). The caller owns the returned bytes. */
export type PortionDecoder = (portion: Buffer) => Buffer;

/** Returns a decoder for a transfer encoding in lower case (RFC 2045 section 6). Unknown encodings are not decoded. */
export function portionDecoder(transferEncoding: string): PortionDecoder {
  if (transferEncoding === 'base64') {
    const decoder = new Base64Decoder();
    return (portion) => decodedBy((content, decoded) => decoder.decode(content, decoded), portion);
  }
  if (transferEncoding === 'quoted-printable') return (portion) => decodedBy(decodeQuotedPrintable, portion);
  return (portion) => portion;
}

function decodedBy(decode: (content: Buffer, decoded: Uint8Array) => number, portion: Buffer): Buffer {
  // Decoding never makes content longer.
  const decoded = Buffer.allocUnsafe(portion.length);
  return decoded.subarray(0, decode(portion, decoded));
}

/**
 * The end of the first portion. It is never within an escape, so that quoted-printable decodes correctly. It depends
 * only on the content, so a part is split at the same places however its bytes arrive.
 */
function portionEnd(content: Buffer): number {
  if (content.length <= PORTION_BYTES) return content.length;
  const end = endBeforeEscape(content, PORTION_BYTES);
  return end === 0 ? PORTION_BYTES : end;
}

/**
 * The last index up to `end` that is not within an escape, not even an incomplete one. Blanks before `end` are left to
 * the next portion, because they may be padding at the end of a line or, after "=", part of a soft line break.
 */
function endBeforeEscape(content: Buffer, end: number): number {
  for (let at = end; ; ) {
    while (at > 0 && isPadding(content[at - 1] as number)) at--;
    const equals = at === 0 ? -1 : content.lastIndexOf(EQUALS, at - 1);
    if (equals < 0 || at - equals >= ESCAPE_BYTES) return at;
    at = equals;
  }
}

export function* portionsOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; ) {
    const end = at + portionEnd(content.subarray(at, at + PORTION_BYTES + 1));
    yield content.subarray(at, end);
    at = end;
  }
}

export async function* decodedPortions(
  pieces: AsyncIterable<Uint8Array>,
  transferEncoding: string,
): AsyncGenerator<Buffer> {
  const decode = portionDecoder(transferEncoding);
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    held = Buffer.concat([held, piece]);
    let at = 0;
    while (held.length - at > PORTION_BYTES) {
      const end = at + portionEnd(held.subarray(at, at + PORTION_BYTES + 1));
      yield decode(held.subarray(at, end));
      at = end;
    }
    held = held.subarray(at);
  }
  if (held.length > 0) yield decode(held);
}

export function decodedSize(content: Buffer, transferEncoding: string): number {
  if (transferEncoding !== 'base64' && transferEncoding !== 'quoted-printable') return content.length;
  const decode = portionDecoder(transferEncoding);
  let size = 0;
  for (const portion of portionsOf(content)) size += decode(portion).length;
  return size;
}
