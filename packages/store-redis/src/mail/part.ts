import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import {
  bytesOf,
  chunksOf,
  type Delivery,
  emailCost,
  messageCost,
  type Recipient,
  type StoreLimits,
} from '../../../server/dist/store/seam.js';
import { expiryMember } from './expiry-index.js';
import { emailMember, type Keys } from './rows.js';

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

/** How long after its deadline Redis itself deletes what no node purged. */
export const GRACE_MS = 10 * 60_000;

/** Unique for longer than mail is kept, even at a billion a day. */
const NAME_BYTES = 9;

export function newName(): string {
  return randomBytes(NAME_BYTES).toString('base64url');
}

/** Base-36 digits of a message's number: a node stores far fewer in a millisecond. */
const NUMBER_DIGITS = 4;

let messages = 0;

/** A message's name: within a millisecond, a node's later ones sort behind its earlier ones. */
export function newMessageName(): string {
  messages = (messages + 1) % 36 ** NUMBER_DIGITS;
  return messages.toString(36).padStart(NUMBER_DIGITS, '0') + newName();
}

export interface Packed {
  readonly index: Buffer;
  readonly chunks: readonly Buffer[];
}

/** Packs a delivery, one piece after the other: a large message occupies one of Node's threads and no more. */
export async function packedDelivery({ index, content }: Delivery): Promise<Packed> {
  const chunks: Buffer[] = [];
  for (const chunk of chunksOf(content)) chunks.push(await packed(chunk));
  return { index: await packed(index), chunks };
}

export interface Numbered {
  readonly recipient: Recipient;
  readonly ordinal: number;
}

export interface Part {
  readonly delivery: Delivery;
  readonly recipients: readonly Numbered[];
  readonly packed: Packed;
  readonly message: string;
}

function costOfMessage({ index, summary, content }: Delivery): number {
  const sizes = { indexBytes: index.length, summaryBytes: summary.length };
  return messageCost({ ...sizes, contentBytes: bytesOf(content) });
}

export function costOfPart({ delivery, recipients }: Pick<Part, 'delivery' | 'recipients'>): number {
  return recipients.reduce((sum, { recipient }) => sum + emailCost(recipient), costOfMessage(delivery));
}

function numbersOf(recipients: readonly Numbered[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { recipient } of recipients) {
    if (!numbers.has(recipient.inbox)) numbers.set(recipient.inbox, numbers.size + 1);
  }
  return numbers;
}

function membersOf({ delivery, recipients, packed: { chunks }, message }: Part, retentionMs: number) {
  const { index, summary } = delivery;
  const sizes = { indexBytes: index.length, summaryBytes: summary.length, chunks: chunks.length };
  const messageCost = costOfMessage(delivery);
  return recipients.map(({ recipient: { inbox, to }, ordinal }, i) => {
    const own = emailCost({ inbox, to });
    const member = emailMember(
      { message, ordinal, to, ...sizes, cost: i === 0 ? own + messageCost : own },
      retentionMs,
    );
    return { inbox, ordinal, own, member, expiry: expiryMember(inbox, member) };
  });
}

export interface Storing extends StoreLimits {
  readonly receivedAt: number;
  /** Whether its emails are hidden until they are shown (see `showing`). */
  readonly isHeldBack: boolean;
}

/** Keys and arguments of append.lua, which stores a part once, however often it runs. */
export function appending(keys: Keys, part: Part, now: number, storing: Storing) {
  const { retentionMs, maxEmails, budgetBytes, receivedAt, isHeldBack } = storing;
  const { summary } = part.delivery;
  const { index, chunks } = part.packed;
  const inboxes = numbersOf(part.recipients);
  const emails = membersOf(part, retentionMs).flatMap(({ inbox, ordinal, member, own, expiry }) => {
    return [`${inboxes.get(inbox)}`, `${ordinal}`, member, `${own}`, expiry];
  });
  const cost = costOfMessage(part.delivery);
  const numbers = [now, receivedAt, retentionMs, maxEmails, budgetBytes, GRACE_MS, cost].map(String);
  // Copies: the caller's bytes may be in memory shared with a thread.
  const bytes = [isHeldBack ? '1' : '', index, Buffer.from(summary), `${chunks.length}`, ...chunks];
  const inboxKeys = [...inboxes.keys()].flatMap((inbox) => keysOfInbox(keys, inbox));
  return {
    keys: [keys.expiryIndex, keys.tally, keys.message(part.message), ...inboxKeys],
    args: [...numbers, ...bytes, ...emails],
  };
}

function keysOfInbox(keys: Keys, inbox: string): string[] {
  return [keys.emails(inbox), keys.state(inbox), keys.shown(inbox)];
}

/** Keys and arguments of show.lua for a part whose emails have these `receivedAt`; null if all had expired. */
export function showing(keys: Keys, { recipients }: Part, times: readonly number[], deadline: number) {
  const lasts = new Map<string, number>();
  for (const [i, { recipient }] of recipients.entries()) {
    const time = times[i] as number;
    // Expired mail was accepted and is not there.
    if (time > deadline) lasts.set(recipient.inbox, time);
  }
  if (lasts.size === 0) return null;
  return {
    keys: [...lasts.keys()].flatMap((inbox) => keysOfInbox(keys, inbox)),
    args: [...lasts.values()].map(String),
  };
}

/** Keys and arguments of rollback.lua. Unless `hasCome`, a part that arrives later is rejected. */
export function rollingBack(keys: Keys, part: Part, now: number, retentionMs: number, hasCome: boolean) {
  const inboxes = numbersOf(part.recipients);
  const emails = membersOf(part, retentionMs).flatMap(({ inbox, ordinal, expiry }) => {
    return [`${inboxes.get(inbox)}`, `${ordinal}`, expiry];
  });
  return {
    keys: [
      keys.expiryIndex,
      keys.tally,
      keys.message(part.message),
      ...[...inboxes.keys()].map((inbox) => keys.emails(inbox)),
    ],
    args: [hasCome ? '' : `${now + GRACE_MS}`, ...emails],
  };
}
