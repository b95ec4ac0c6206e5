import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { chunksOf, type Delivery, type Recipient, type StoredEmail } from '../../server/dist/store/seam.js';

export interface RedisEmail extends StoredEmail {
  /** `MESSAGE.ORDINAL`, where the ordinal is the recipient's position in the delivery, from 0. */
  readonly name: string;
  readonly chunks: number;
}

/**
 * The keys of an inbox, with its name as the hash tag. `emails` holds the visible emails by `receivedAt`, and is also
 * the channel that announces them. `hidden` holds emails until enough replicas have them. `state` is the inbox's state.
 */
export function keysOf(inbox: string) {
  const prefix = `mayfly:{${inbox}}:`;
  return { emails: `${prefix}z`, hidden: `${prefix}h`, state: `${prefix}s` };
}

export function emailKey(inbox: string, name: string): string {
  return `mayfly:{${inbox}}:e:${name}`;
}

/** Emails stay readable for this long after they expire, so that slow readers can finish. */
export const GRACE_MS = 60_000;

/** Base 36 keeps members short: Redis stores a sorted set compactly only up to 64 bytes per member. */
const NUMBER_BASE = 36;

/** An email's member of its inbox's sorted set. The scripts parse the retention from the member. */
export function memberOf(email: Omit<RedisEmail, 'inbox' | 'receivedAt' | 'expiresAt'>, retentionMs: number): string {
  const { name, indexBytes, summaryBytes, chunks, to } = email;
  const numbers = [retentionMs, indexBytes, summaryBytes, chunks].map((number) => number.toString(NUMBER_BASE));
  return `${name} ${numbers.join(' ')} ${to}`;
}

export function emailOf(inbox: string, member: string, receivedAt: number): RedisEmail {
  const [name = '', ...fields] = member.split(' ');
  const numbers = fields.slice(0, 4).map((text) => Number.parseInt(text, NUMBER_BASE));
  const [retentionMs = 0, indexBytes = 0, summaryBytes = 0, chunks = 0] = numbers;
  const to = fields.slice(4).join(' ');
  return { inbox, name, to, receivedAt, expiresAt: receivedAt + retentionMs, indexBytes, summaryBytes, chunks };
}

/** Parses rows that alternate between a member and its `receivedAt`. */
export function emailsOf(inbox: string, rows: readonly string[]): RedisEmail[] {
  return rows.flatMap((row, i) => (i % 2 === 0 ? [emailOf(inbox, row, Number(rows[i + 1]))] : []));
}

/** Number of random bytes in a name. Enough to be unique while mail is kept, even at a billion messages a day. */
const NAME_BYTES = 9;

/** Enough base-36 digits for the messages that a node stores within a millisecond. */
const NUMBER_DIGITS = 4;

let messages = 0;

/** Names that a node creates within a millisecond sort in the order of their creation. */
export function newMessageName(): string {
  messages = (messages + 1) % NUMBER_BASE ** NUMBER_DIGITS;
  const number = messages.toString(NUMBER_BASE).padStart(NUMBER_DIGITS, '0');
  return number + randomBytes(NAME_BYTES).toString('base64url');
}

/** Below this size, compression saves no memory in Redis. */
const DEFLATED_FROM_BYTES = 1_024;

const PLAIN = 0;
const DEFLATED = 1;

/** Above this size, zlib uses a thread. 5 KB of text take 22 µs synchronously and 108 µs on a thread (Node 20). */
const MAX_SYNC_BYTES = 8_192;

const deflateOnThread = promisify(deflateRaw);
const inflateOnThread = promisify(inflateRaw);

/** A copy of a chunk or an index as Redis stores it, deflated if that is shorter. */
export async function packed(bytes: Uint8Array): Promise<Buffer> {
  const plain = Buffer.concat([Buffer.of(PLAIN), bytes]);
  if (bytes.length < DEFLATED_FROM_BYTES) return plain;
  // The fastest level halves text; slower ones gain little more.
  const options = { level: 1 };
  const rest = plain.subarray(1);
  const deflated = rest.length > MAX_SYNC_BYTES ? await deflateOnThread(rest, options) : deflateRawSync(rest, options);
  return deflated.length < bytes.length ? Buffer.concat([Buffer.of(DEFLATED), deflated]) : plain;
}

/** Undoes `packed`. Rejects if the result would exceed `mostBytes`. */
export async function unpacked(bytes: Buffer, mostBytes: number): Promise<Buffer> {
  const rest = bytes.subarray(1);
  if (bytes[0] === PLAIN) return rest;
  const options = { maxOutputLength: mostBytes };
  return rest.length > MAX_SYNC_BYTES ? inflateOnThread(rest, options) : inflateRawSync(rest, options);
}

/** A delivery in the form that Redis stores (see `packed`), which is written to each of its inboxes. */
export interface Message {
  readonly name: string;
  readonly receivedAt: number;
  readonly recipients: readonly Recipient[];
  /** Sizes before packing. */
  readonly sizes: Pick<StoredEmail, 'indexBytes' | 'summaryBytes'>;
  readonly index: Buffer;
  readonly summary: Buffer;
  readonly chunks: readonly Buffer[];
}

/** Packs one piece after the other, so that a large message occupies only one of Node's threads. */
export async function packedMessage({ receivedAt, recipients, index, summary, content }: Delivery): Promise<Message> {
  const chunks: Buffer[] = [];
  for (const chunk of chunksOf(content)) chunks.push(await packed(chunk));
  const sizes = { indexBytes: index.length, summaryBytes: summary.length };
  const bytes = { index: await packed(index), summary: Buffer.from(summary), chunks };
  return { name: newMessageName(), receivedAt, recipients, sizes, ...bytes };
}
