import { randomBytes } from 'node:crypto';
import { bytesOf, chunksOf } from '../chunks.js';
import { emailCost, messageCost } from '../cost.js';
import type { Delivery, StoreLimits } from '../store.js';
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
function newMessageName(): string {
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

/** Keys and arguments of the script that stores a delivery (append.lua). The same ones again store it no second time. */
export function appending(
  keys: Keys,
  delivery: Delivery,
  { index: packedIndex, chunks }: Packed,
  now: number,
  { retentionMs, maxEmails, budgetBytes }: StoreLimits,
) {
  const { receivedAt, recipients, index, summary, content } = delivery;
  const message = newMessageName();
  const sizes = { indexBytes: index.length, summaryBytes: summary.length };
  const cost = messageCost({ ...sizes, contentBytes: bytesOf(content) });
  const inboxes = new Map<string, number>();
  for (const { inbox } of recipients) if (!inboxes.has(inbox)) inboxes.set(inbox, inboxes.size + 1);
  const emails = recipients.flatMap((recipient, ordinal) => {
    const { inbox, to } = recipient;
    const own = emailCost(recipient);
    const email = { message, ordinal, to, ...sizes, chunks: chunks.length, cost: ordinal === 0 ? own + cost : own };
    const member = emailMember(email, retentionMs);
    return [`${inboxes.get(inbox)}`, `${ordinal}`, member, `${own}`, dueMember(inbox, member)];
  });
  const numbers = [now, receivedAt, retentionMs, maxEmails, budgetBytes, GRACE_MS, cost].map(String);
  // Copies: the caller's bytes may be in memory that is shared with a thread.
  const bytes = [packedIndex, Buffer.from(summary), `${chunks.length}`, ...chunks];
  const inboxKeys = [...inboxes.keys()].flatMap((inbox) => [keys.emails(inbox), keys.state(inbox)]);
  return {
    keys: [keys.due, keys.tally, keys.message(message), ...inboxKeys],
    args: [...numbers, ...bytes, ...emails],
  };
}
