import { type Appended, bytesOf, type Delivery, Semaphore, type StoreLimits } from '../../../server/dist/store/seam.js';
import type { Budget } from './budget.js';
import { costOfPart, type Numbered, newMessageName, type Packed, type Part } from './part.js';
import type { Shard, StoredPart } from './shard.js';

/** A delivery's bytes on their way to its shards at a time, beside one part that has more by itself. */
const MAX_UNDER_WAY_BYTES = 16 * 1024 * 1024;

/** Postponed rollbacks at most, and how many of them one step retries. */
const MAX_LEFT = 10_000;
const MAX_AT_ONCE = 100;

export interface FanOut {
  shardOf(inbox: string): Shard;
  readonly budget: Budget;
  readonly rollbacks: Rollbacks;
  readonly limits: StoreLimits;
}

interface Sent {
  readonly shard: Shard;
  readonly part: Part;
}

interface Tried extends Sent {
  readonly result: PromiseSettledResult<StoredPart>;
}

/**
 * Stores a delivery in all of its recipients' shards or in none: when a shard refuses its part or cannot be reached,
 * the others roll theirs back. Until then they show it, unless replicas must have mail first: then it is shown once all
 * shards have it. A node that dies in between leaves its parts there, unacknowledged.
 */
export async function storeIn(
  { shardOf, budget, rollbacks, limits }: FanOut,
  delivery: Delivery,
  packed: Packed,
  now: number,
): Promise<Appended> {
  const message = newMessageName();
  const parts = [...byShard(delivery, shardOf)].map(([shard, recipients]) => {
    return { shard, part: { delivery, recipients, packed, message } };
  });
  await budget.known();
  // Expired mail is accepted and not kept, unless its inbox gives it a later time.
  const isExpired = delivery.receivedAt + limits.retentionMs <= now;
  const shares = parts.map(({ shard, part }) => ({ shard, bytes: isExpired ? 0 : costOfPart(part) }));
  const reservation = budget.reserve(shares, !isExpired);
  const stored = await tryAll(parts, ({ shard, part }) => {
    return shard.append(part, now, { ...limits, budgetBytes: reservation.most(shard) });
  });
  const isWhole = stored.every(({ result }) => isStored(result));
  const tried = isWhole ? await Promise.all(stored.map((one) => shown(one, now, limits.retentionMs))) : stored;
  const appended = appendedOf(tried, delivery);
  reservation.end(appended?.stored === true);
  if (appended?.stored || parts.length === 1) return appended ?? throwReason(tried);
  const taken = tried.filter(({ result }) => result.status === 'rejected' || isStored(result));
  const jobs = taken.map(({ shard, part, result }) => {
    return shard.rollback(part, now, limits.retentionMs, result.status === 'fulfilled');
  });
  await Promise.all(jobs.map((job) => rollbacks.run(job)));
  return appended ?? throwReason(tried);
}

export function costIn(delivery: Delivery, shardOf: FanOut['shardOf']): number {
  const parts = [...byShard(delivery, shardOf).values()];
  return parts.reduce((sum, recipients) => sum + costOfPart({ delivery, recipients }), 0);
}

function byShard(delivery: Delivery, shardOf: (inbox: string) => Shard): ReadonlyMap<Shard, Numbered[]> {
  const parts = new Map<Shard, Numbered[]>();
  for (const [ordinal, recipient] of delivery.recipients.entries()) {
    const shard = shardOf(recipient.inbox);
    const part = parts.get(shard);
    if (part) part.push({ recipient, ordinal });
    else parts.set(shard, [{ recipient, ordinal }]);
  }
  return parts;
}

/** Stores parts, many at a time where they are small. After one is refused, later ones are not tried. */
async function tryAll(parts: readonly Sent[], store: (sent: Sent) => Promise<StoredPart>): Promise<Tried[]> {
  const packed = parts[0]?.part.packed;
  const bytes = packed === undefined ? 0 : bytesOf([packed.index, ...packed.chunks]);
  const semaphore = new Semaphore(Math.max(1, Math.floor(MAX_UNDER_WAY_BYTES / Math.max(1, bytes))));
  const tried: Tried[] = [];
  const tryOne = async (sent: Sent) => {
    if (tried.some(({ result }) => !isStored(result))) return;
    const [result] = (await Promise.allSettled([store(sent)])) as [PromiseSettledResult<StoredPart>];
    tried.push({ ...sent, result });
  };
  await Promise.all(parts.map((sent) => semaphore.run(() => tryOne(sent))));
  return tried;
}

async function shown(tried: Tried, now: number, retentionMs: number): Promise<Tried> {
  const { shard, part, result } = tried;
  if (result.status === 'rejected' || typeof result.value === 'string') return tried;
  const [failed] = await Promise.allSettled([shard.show(part, result.value, now, retentionMs)]);
  return failed?.status === 'rejected' ? { ...tried, result: failed } : tried;
}

function isStored(result: PromiseSettledResult<StoredPart>): boolean {
  return result.status === 'fulfilled' && typeof result.value !== 'string';
}

function appendedOf(tried: readonly Tried[], { recipients }: Delivery): Appended | null {
  const receivedAt = new Array<number>(recipients.length);
  const reasons = new Set<string>();
  for (const { part, result } of tried) {
    if (result.status === 'rejected') return null;
    if (typeof result.value === 'string') reasons.add(result.value);
    else for (const [i, { ordinal }] of part.recipients.entries()) receivedAt[ordinal] = result.value[i] as number;
  }
  if (reasons.has('inbox-full')) return { stored: false, reason: 'inbox-full' };
  return reasons.size > 0 ? { stored: false, reason: 'store-full' } : { stored: true, receivedAt };
}

function throwReason(tried: readonly Tried[]): never {
  throw tried.map(({ result }) => result).find((result) => result.status === 'rejected')?.reason;
}

/** Rolls back deliveries that another shard refused: at once, or with each purge until the shard answers. */
export class Rollbacks {
  readonly #left: (() => Promise<void>)[] = [];

  async run(job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch {
      // The sender is told the reason anyway.
      if (this.#left.length < MAX_LEFT) this.#left.push(job);
    }
  }

  async retry(): Promise<void> {
    await Promise.all(this.#left.splice(0, MAX_AT_ONCE).map((job) => this.run(job)));
  }
}
