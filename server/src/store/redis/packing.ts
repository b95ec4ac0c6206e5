import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { CHUNK_BYTES } from '../chunks.js';

/** Below this a chunk is kept as it is: its rows in Redis take as much. */
const DEFLATED_FROM_BYTES = 1_024;

/** What the first byte of a packed chunk says. */
const PLAIN = 0;
const DEFLATED = 1;

// Both work on a thread of Node's, so that nobody waits for them on the event loop.
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A chunk as Redis keeps it: deflated where that is shorter. */
export async function packed(chunk: Uint8Array): Promise<Buffer> {
  const plain = Buffer.concat([Buffer.of(PLAIN), chunk]);
  if (chunk.length < DEFLATED_FROM_BYTES) return plain;
  // The fastest level: it takes half of a text away, and the slower ones little more.
  const deflated = await deflate(plain.subarray(1), { level: 1 });
  return deflated.length < chunk.length ? Buffer.concat([Buffer.of(DEFLATED), deflated]) : plain;
}

/** The chunk of what `packed` has made of it. */
export async function unpacked(bytes: Buffer): Promise<Buffer> {
  const rest = bytes.subarray(1);
  return bytes[0] === DEFLATED ? inflate(rest, { maxOutputLength: CHUNK_BYTES }) : rest;
}
