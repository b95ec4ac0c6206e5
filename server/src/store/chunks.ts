/**
 * How many bytes of a message are written, read and handed out at a time. In LMDB a value of this size and its 24-byte
 * header fill 64 pages of 4 KiB to the last byte.
 */
export const CHUNK_BYTES = 64 * 4096 - 24;

/**
 * Up to this many bytes together, a message's index and content stand in one row: they share its last page, and are written and
 * read at once. Above, whoever filters reads the index without the content.
 */
export const JOINED_BYTES = 16 * 4096 - 24;

/** How many bytes the parts have together. */
export function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** How many chunks `chunksOf` makes of that many bytes. */
export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / CHUNK_BYTES);
}

/**
 * Cuts the joined parts into chunks of exactly `CHUNK_BYTES`, the last one of what is left; no bytes make no chunk.
 * A chunk is a view of its part where it lies within one, and a copy where it spans several.
 */
export function* chunksOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let held: Uint8Array[] = [];
  let wanted = CHUNK_BYTES;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const piece = part.subarray(at, at + wanted);
      held.push(piece);
      at += piece.length;
      wanted -= piece.length;
      if (wanted > 0) continue;
      yield joined(held);
      held = [];
      wanted = CHUNK_BYTES;
    }
  }
  if (held.length > 0) yield joined(held);
}

/** One array of all the parts' bytes: the part itself where there is only one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}
