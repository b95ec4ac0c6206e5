import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/** What is shorter is kept as it is: its rows in Redis take as much. */
const DEFLATED_FROM_BYTES = 1_024;

/** What the first byte of what was packed says. */
const PLAIN = 0;
const DEFLATED = 1;

// Both work on a thread of Node's, so that nobody waits for them on the event loop.
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A chunk or an index as Redis keeps it: deflated where that is shorter. The result has no memory with it in common. */
export async function packed(bytes: Uint8Array): Promise<Buffer> {
  const plain = Buffer.concat([Buffer.of(PLAIN), bytes]);
  if (bytes.length < DEFLATED_FROM_BYTES) return plain;
  // The fastest level: it takes half of a text away, and the slower ones little more.
  const deflated = await deflate(plain.subarray(1), { level: 1 });
  return deflated.length < bytes.length ? Buffer.concat([Buffer.of(DEFLATED), deflated]) : plain;
}

/** What `packed` has made this of, which has no more bytes than `mostBytes`. */
export async function unpacked(bytes: Buffer, mostBytes: number): Promise<Buffer> {
  const rest = bytes.subarray(1);
  return bytes[0] === DEFLATED ? inflate(rest, { maxOutputLength: mostBytes }) : rest;
}
