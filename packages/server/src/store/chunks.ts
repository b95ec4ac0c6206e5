/** Bytes of a message written, read and sent at a time: in LMDB, with a 24-byte header, 64 pages of 4 KiB. */
export const CHUNK_BYTES = 64 * 4096 - 24;

/** Up to this size, index and content share one row and are read together; above it, filters read the index alone. */
export const JOINED_BYTES = 16 * 4096 - 24;

export function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / CHUNK_BYTES);
}

/** Cuts the joined parts into chunks of `CHUNK_BYTES` and a shorter last one: views within a part, else copies. */
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

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}
