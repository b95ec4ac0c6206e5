import { Readable } from 'node:stream';
import { startingWith } from '../starting-with.js';

/** Pieces are joined until they are so large. An answer that is smaller is sent whole; of a larger one, two are held at most. */
const CHUNK_BYTES = 256 * 1024;

/** An answer as one buffer where it is small, and otherwise as a stream that reads no faster than the client does. */
export async function wholeOrStream(pieces: AsyncIterable<Uint8Array>): Promise<Buffer | Readable> {
  const chunks = joined(pieces);
  const first = await chunks.next();
  const second = await chunks.next();
  if (first.done || second.done) return first.value ?? Buffer.alloc(0);
  return Readable.from(startingWith([first.value, second.value], chunks), { objectMode: false });
}

/** Joins small pieces, so that none of them is a packet of its own. */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
