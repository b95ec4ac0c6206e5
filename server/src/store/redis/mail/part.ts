import { randomBytes } from 'node:crypto';
import { bytesOf, chunksOf } from '../../chunks.js';
import { emailCost, messageCost } from '../../cost.js';
import type { Delivery, Recipient, StoreLimits } from '../../store.js';
import { expiryMember } from './expiry-index.js';
import { packed } from './packing.js';
import { emailMember, type Keys } from './rows.js';

/** How long after its deadline Redis itself deletes what no node was there to purge. */
export const GRACE_MS = 10 * 60_000;

/** No two have the same name: with a billion a day, for longer than anybody keeps mail. */
const NAME_BYTES = 9;

export function newName(): string {
  return randomBytes(NAME_BYTES).toString('base64url');
}

/** Numbers of messages have so many digits of base 36: a node stores no more in a millisecond by far. */
const NUMBER_DIGITS = 4;

let messages = 0;

/** A name for a message: among those of one millisecond, a node's later ones stand behind its earlier ones. */
export function newMessageName(): string {
  messages = (messages + 1) % 36 ** NUMBER_DIGITS;
  return messages.toString(36).padStart(NUMBER_DIGITS, '0') + newName();
}

export interface Packed {
  readonly index: Buffer;
  readonly chunks: readonly Buffer[];
}

/** Packs a delivery. One piece after the other, so that a large message has one of Node's threads and no more. */
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

/** The members of a part's emails, in the set of their inbox and in the expiry index. */
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
  /** What each email is given as its `receivedAt` at least. */
  readonly receivedAt: number;
  /** Whether its emails are held back until they are shown (see `showing`). */
  readonly isHeldBack: boolean;
}

/** Keys and arguments of the script that stores a part (append.lua). The same message again is stored no second time. */
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
  // Copies: the caller's bytes may be in memory that is shared with a thread.
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

/** Keys and arguments of the script that shows a part (show.lua), whose emails have these `receivedAt`; null where all had expired. */
export function showing(keys: Keys, { recipients }: Part, times: readonly number[], deadline: number) {
  const lasts = new Map<string, number>();
  for (const [i, { recipient }] of recipients.entries()) {
    const time = times[i] as number;
    // What has expired already was taken and is not there.
    if (time > deadline) lasts.set(recipient.inbox, time);
  }
  if (lasts.size === 0) return null;
  return {
    keys: [...lasts.keys()].flatMap((inbox) => keysOfInbox(keys, inbox)),
    args: [...lasts.values()].map(String),
  };
}

/** Keys and arguments of rollback.lua. Unless the part is known to have come, it is turned away if it comes later. */
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
