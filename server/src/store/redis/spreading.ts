import { Lane } from '../../lane.js';
import { bytesOf } from '../chunks.js';
import type { Appended, Delivery, StoreLimits } from '../store.js';
import type { Bucket, StoredPart } from './bucket.js';
import type { Budget } from './budget.js';
import { costOfPart, type Numbered, newMessageName, type Packed, type Part } from './delivering.js';
import type { TakingBack } from './taking-back.js';

/** How many bytes of a delivery are on their way to its buckets at a time, beside one part that has more by itself. */
const MAX_UNDER_WAY_BYTES = 16 * 1024 * 1024;

/** What a delivery is stored by. */
export interface Spreading {
  bucketOf(inbox: string): Bucket;
  readonly budget: Budget;
  readonly takingBack: TakingBack;
  readonly limits: StoreLimits;
}

/** One part, and where it goes. */
interface Sent {
  readonly bucket: Bucket;
  readonly part: Part;
}

/** The same, and what became of it. */
interface Tried extends Sent {
  readonly result: PromiseSettledResult<StoredPart>;
}

/**
 * Stores a delivery in the buckets of its recipients, in all or in none: what one bucket has taken is taken back where another refuses
 * its part or cannot be reached. Until then it can be seen there. A node that dies in between leaves it there, unacknowledged.
 */
export async function storeIn(
  { bucketOf, budget, takingBack, limits }: Spreading,
  delivery: Delivery,
  packed: Packed,
  now: number,
): Promise<Appended> {
  const message = newMessageName();
  const parts = [...byBucket(delivery, bucketOf)].map(([bucket, recipients]) => {
    return { bucket, part: { delivery, recipients, packed, message } };
  });
  await budget.known();
  // What has expired already is taken and not kept, unless its inbox puts it later.
  const isExpired = delivery.receivedAt + limits.retentionMs <= now;
  const shares = parts.map(({ bucket, part }) => ({ bucket, bytes: isExpired ? 0 : costOfPart(part) }));
  const reservation = budget.reserve(shares, !isExpired);
  const tried = await tryAll(parts, ({ bucket, part }) => {
    return bucket.append(part, now, { ...limits, budgetBytes: reservation.most(bucket) });
  });
  const appended = appendedOf(tried, delivery);
  reservation.end(appended?.stored === true);
  if (appended?.stored || parts.length === 1) return appended ?? throwReason(tried);
  const taken = tried.filter(({ result }) => result.status === 'rejected' || isStored(result));
  const jobs = taken.map(({ bucket, part, result }) => {
    return bucket.takingBack(part, now, limits.retentionMs, result.status === 'fulfilled');
  });
  await Promise.all(jobs.map((job) => takingBack.takeBack(job)));
  return appended ?? throwReason(tried);
}

function byBucket(delivery: Delivery, bucketOf: (inbox: string) => Bucket): ReadonlyMap<Bucket, Numbered[]> {
  const parts = new Map<Bucket, Numbered[]>();
  for (const [ordinal, recipient] of delivery.recipients.entries()) {
    const bucket = bucketOf(recipient.inbox);
    const part = parts.get(bucket);
    if (part) part.push({ recipient, ordinal });
    else parts.set(bucket, [{ recipient, ordinal }]);
  }
  return parts;
}

/** Stores parts, many at the same time where they are small. What comes behind one that was not stored is not tried. */
async function tryAll(parts: readonly Sent[], store: (sent: Sent) => Promise<StoredPart>): Promise<Tried[]> {
  const packed = parts[0]?.part.packed;
  const bytes = packed === undefined ? 0 : bytesOf([packed.index, ...packed.chunks]);
  const lane = new Lane(Math.max(1, Math.floor(MAX_UNDER_WAY_BYTES / Math.max(1, bytes))));
  const tried: Tried[] = [];
  const tryOne = async (sent: Sent) => {
    if (tried.some(({ result }) => !isStored(result))) return;
    const [result] = (await Promise.allSettled([store(sent)])) as [PromiseSettledResult<StoredPart>];
    tried.push({ ...sent, result });
  };
  await Promise.all(parts.map((sent) => lane.run(() => tryOne(sent))));
  return tried;
}

function isStored(result: PromiseSettledResult<StoredPart>): boolean {
  return result.status === 'fulfilled' && typeof result.value !== 'string';
}

/** What is said of the whole; null where a bucket has failed. */
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
