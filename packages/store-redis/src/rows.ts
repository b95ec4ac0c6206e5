import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { chunksOf, type Delivery, type Recipient, type StoredEmail } from '../../server/dist/store/seam.js';

/** Emails in Redis. All keys of an inbox have its name as their hash tag. */

export interface RedisEmail extends StoredEmail {
  /** Its message, and its recipient's position in the delivery, from 0: `MESSAGE.ORDINAL`. */
  readonly name: string;
  readonly chunks: number;
}

/** Its emails by `receivedAt`, also the channel that announces them; those hidden until replicas have them; its state. */
export function keysOf(inbox: string) {
  const prefix = `mayfly:{${inbox}}:`;
  return { emails: `${prefix}z`, hidden: `${prefix}h`, state: `${prefix}s` };
}

export function emailKey(inbox: string, name: string): string {
  return `mayfly:{${inbox}}:e:${name}`;
}

/** How long after its deadline an email can still be read: a slow reader finishes what it began. */
export const GRACE_MS = 60_000;

/** Base 36 keeps members within compact sorted sets (64 bytes). */
const NUMBER_BASE = 36;

/** An email's member among those of its inbox. The scripts read the retention. */
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

/** The emails of members that are each followed by their `receivedAt`. */
export function emailsOf(inbox: string, rows: readonly string[]): RedisEmail[] {
  return rows.flatMap((row, i) => (i % 2 === 0 ? [emailOf(inbox, row, Number(rows[i + 1]))] : []));
}

/** Unique for longer than mail is kept, even at a billion a day. */
const NAME_BYTES = 9;

/** Base-36 digits of a message's number: a node stores far fewer in a millisecond. */
const NUMBER_DIGITS = 4;

let messages = 0;

/** A message's name: within a millisecond, a node's later ones sort behind its earlier ones. */
export function newMessageName(): string {
  messages = (messages + 1) % NUMBER_BASE ** NUMBER_DIGITS;
  const number = messages.toString(NUMBER_BASE).padStart(NUMBER_DIGITS, '0');
  return number + randomBytes(NAME_BYTES).toString('base64url');
}

/** Shorter bytes stay as they are: their rows in Redis take as much. */
const DEFLATED_FROM_BYTES = 1_024;

const PLAIN = 0;
const DEFLATED = 1;

/** Longer bytes go to Node's threads: 5 KB of text take 22 µs here, 108 there (Node 20, 2026-11-23). */
const AT_ONCE_BYTES = 8_192;

const deflateOnThread = promisify(deflateRaw);
const inflateOnThread = promisify(inflateRaw);

/** A chunk or an index as Redis keeps it, deflated if that is shorter, in memory of its own. */
export async function packed(bytes: Uint8Array): Promise<Buffer> {
  const plain = Buffer.concat([Buffer.of(PLAIN), bytes]);
  if (bytes.length < DEFLATED_FROM_BYTES) return plain;
  // The fastest level halves a text; slower ones gain little more.
  const options = { level: 1 };
  const rest = plain.subarray(1);
  const deflated = rest.length > AT_ONCE_BYTES ? await deflateOnThread(rest, options) : deflateRawSync(rest, options);
  return deflated.length < bytes.length ? Buffer.concat([Buffer.of(DEFLATED), deflated]) : plain;
}

/** Undoes `packed`. The result has at most `mostBytes`. */
export async function unpacked(bytes: Buffer, mostBytes: number): Promise<Buffer> {
  const rest = bytes.subarray(1);
  if (bytes[0] === PLAIN) return rest;
  const options = { maxOutputLength: mostBytes };
  return rest.length > AT_ONCE_BYTES ? inflateOnThread(rest, options) : inflateRawSync(rest, options);
}

/** A delivery as it is sent to each of its inboxes. */
export interface Message {
  readonly name: string;
  readonly receivedAt: number;
  readonly recipients: readonly Recipient[];
  /** Of the index and the summary, before they are packed. */
  readonly sizes: Pick<StoredEmail, 'indexBytes' | 'summaryBytes'>;
  readonly index: Buffer;
  readonly summary: Buffer;
  readonly chunks: readonly Buffer[];
}

/** Packs a delivery, one piece after the other: a large message occupies one of Node's threads and no more. */
export async function packedMessage({ receivedAt, recipients, index, summary, content }: Delivery): Promise<Message> {
  const chunks: Buffer[] = [];
  for (const chunk of chunksOf(content)) chunks.push(await packed(chunk));
  const sizes = { indexBytes: index.length, summaryBytes: summary.length };
  const bytes = { index: await packed(index), summary: Buffer.from(summary), chunks };
  return { name: newMessageName(), receivedAt, recipients, sizes, ...bytes };
}
