import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';

/** What is shorter is kept as it is: its rows in Redis take as much. */
const DEFLATED_FROM_BYTES = 1_024;

const PLAIN = 0;
const DEFLATED = 1;

/** What is longer goes to Node's threads, which costs more: 5 KB of text take 22 µs at once, and 108 on a thread (Node 20, 2026-11-23). */
const AT_ONCE_BYTES = 8_192;

const deflateOnThread = promisify(deflateRaw);
const inflateOnThread = promisify(inflateRaw);

/** A chunk or an index as Redis keeps it: deflated where that is shorter. The result has no memory with it in common. */
export async function packed(bytes: Uint8Array): Promise<Buffer> {
  const plain = Buffer.concat([Buffer.of(PLAIN), bytes]);
  if (bytes.length < DEFLATED_FROM_BYTES) return plain;
  // The fastest level: it takes half of a text away, and the slower ones little more.
  const options = { level: 1 };
  const rest = plain.subarray(1);
  const deflated = rest.length > AT_ONCE_BYTES ? await deflateOnThread(rest, options) : deflateRawSync(rest, options);
  return deflated.length < bytes.length ? Buffer.concat([Buffer.of(DEFLATED), deflated]) : plain;
}

/** What `packed` has made this of, which has no more bytes than `mostBytes`. */
export async function unpacked(bytes: Buffer, mostBytes: number): Promise<Buffer> {
  const rest = bytes.subarray(1);
  if (bytes[0] === PLAIN) return rest;
  const options = { maxOutputLength: mostBytes };
  return rest.length > AT_ONCE_BYTES ? inflateOnThread(rest, options) : inflateRawSync(rest, options);
}
