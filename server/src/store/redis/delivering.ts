import { randomBytes } from 'node:crypto';
import { bytesOf, chunksOf } from '../chunks.js';
import { emailCost, messageCost } from '../cost.js';
import type { Delivery, Recipient, StoreLimits } from '../store.js';
import { packed } from './packing.js';
import { dueMember, emailMember, type Keys } from './rows.js';

/** How long after its deadline Redis deletes by itself what no node was there to forget. */
export const GRACE_MS = 10 * 60_000;

/** No two have the same name: with a billion a day, for longer than anybody keeps mail. */
const NAME_BYTES = 9;

/** A name that nothing else has. */
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

/** What is large of a delivery, as it is kept. */
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

/** A recipient, and which of its delivery's it is, counted from 0. */
export interface Numbered {
  readonly recipient: Recipient;
  readonly ordinal: number;
}

/** A delivery as one bucket gets it. */
export interface Part {
  readonly delivery: Delivery;
  /** Those of its recipients whose inboxes the bucket has. */
  readonly recipients: readonly Numbered[];
  readonly packed: Packed;
  /** What it is called in every bucket. */
  readonly message: string;
}

/** What a message costs in each bucket that has it, without its emails. */
function costOfMessage({ index, summary, content }: Delivery): number {
  const sizes = { indexBytes: index.length, summaryBytes: summary.length };
  return messageCost({ ...sizes, contentBytes: bytesOf(content) });
}

/** What a part costs. */
export function costOfPart({ delivery, recipients }: Pick<Part, 'delivery' | 'recipients'>): number {
  return recipients.reduce((sum, { recipient }) => sum + emailCost(recipient), costOfMessage(delivery));
}

/** The inboxes of a part, each with its number among the keys of a script, from 1. */
function numbersOf(recipients: readonly Numbered[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { recipient } of recipients) {
    if (!numbers.has(recipient.inbox)) numbers.set(recipient.inbox, numbers.size + 1);
  }
  return numbers;
}

/** The members of a part's emails, among those of their inbox and among what is due. */
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
    return { inbox, ordinal, own, member, due: dueMember(inbox, member) };
  });
}

/** Keys and arguments of the script that stores a part (append.lua). The same ones again store it no second time. */
export function appending(keys: Keys, part: Part, now: number, { retentionMs, maxEmails, budgetBytes }: StoreLimits) {
  const { receivedAt, summary } = part.delivery;
  const { index, chunks } = part.packed;
  const inboxes = numbersOf(part.recipients);
  const emails = membersOf(part, retentionMs).flatMap(({ inbox, ordinal, member, own, due }) => {
    return [`${inboxes.get(inbox)}`, `${ordinal}`, member, `${own}`, due];
  });
  const cost = costOfMessage(part.delivery);
  const numbers = [now, receivedAt, retentionMs, maxEmails, budgetBytes, GRACE_MS, cost].map(String);
  // Copies: the caller's bytes may be in memory that is shared with a thread.
  const bytes = [index, Buffer.from(summary), `${chunks.length}`, ...chunks];
  const inboxKeys = [...inboxes.keys()].flatMap((inbox) => [keys.emails(inbox), keys.state(inbox)]);
  return {
    keys: [keys.due, keys.tally, keys.message(part.message), ...inboxKeys],
    args: [...numbers, ...bytes, ...emails],
  };
}

/**
 * Keys and arguments of the script that takes a part back (take-back.lua). Where nobody knows whether it came, it is turned away if it
 * comes later.
 */
export function takingBack(keys: Keys, part: Part, now: number, retentionMs: number, hasCome: boolean) {
  const inboxes = numbersOf(part.recipients);
  const emails = membersOf(part, retentionMs).flatMap(({ inbox, ordinal, due }) => {
    return [`${inboxes.get(inbox)}`, `${ordinal}`, due];
  });
  return {
    keys: [keys.due, keys.tally, keys.message(part.message), ...[...inboxes.keys()].map((inbox) => keys.emails(inbox))],
    args: [hasCome ? '' : `${now + GRACE_MS}`, ...emails],
  };
}
