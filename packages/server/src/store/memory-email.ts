import { messageCost } from './admission.js';
import { bytesOf, chunksOf } from './chunks.js';
import { type Kept, MAX_SHARED_BYTES, type Slabs } from './slabs.js';
import { type Delivery, EmailGoneError, type RecentPage, type RecentQuery, type StoredEmail } from './store.js';

export class ExpiryIndex<T> {
  #entries: { readonly at: number; readonly thing: T }[] = [];
  readonly #isSettled: (thing: T) => boolean;
  #settled = 0;

  /** `isSettled` says whether a thing no longer matters when it expires. Once true, it stays true. */
  constructor(isSettled: (thing: T) => boolean) {
    this.#isSettled = isSettled;
  }

  add(thing: T, at: number): void {
    this.#entries.splice(this.#positionOf(at), 0, { at, thing });
  }

  get nextAt(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Things that expire at `at` or before, the last first. Do not change the index meanwhile. */
  *latestFirst(at: number): Generator<T> {
    for (let i = this.#positionOf(at) - 1; i >= 0; i -= 1) yield (this.#entries[i] as { readonly thing: T }).thing;
  }

  /** Takes out at most `limit` expired things, the first ones, settled ones included. */
  take(now: number, limit: number): T[] {
    const things = this.#entries.splice(0, Math.min(this.#positionOf(now), limit)).map(({ thing }) => thing);
    this.#settled -= things.filter(this.#isSettled).length;
    return things;
  }

  /** Reports that a thing in the index is settled. Entries are removed many at a time: removing one costs as much. */
  settled(): void {
    this.#settled += 1;
    if (this.#settled * 2 <= this.#entries.length) return;
    this.#entries = this.#entries.filter(({ thing }) => !this.#isSettled(thing));
    this.#settled = 0;
  }

  clear(): void {
    this.#entries = [];
    this.#settled = 0;
  }

  #positionOf(at: number): number {
    return firstWhere(this.#entries, (entry) => entry.at > at);
  }
}

export interface MemoryMessage {
  readonly index: Kept;
  readonly summary: Kept;
  readonly contentBytes: number;
  readonly chunks: readonly Kept[];
  /** Its emails that are not deleted. The last one takes the message with it. */
  emails: number;
}

export function memoryMessage(slabs: Slabs, { index, summary, content }: Delivery, emails: number): MemoryMessage {
  const contentBytes = bytesOf(content);
  return {
    index: slabs.keep([index]),
    summary: slabs.keep([summary]),
    contentBytes,
    chunks:
      contentBytes <= MAX_SHARED_BYTES
        ? [slabs.keep(content)]
        : [...chunksOf(content)].map((chunk) => ownCopy(chunk, content)),
    emails,
  };
}

/** A copy, unless the chunk was joined of several pieces and is a copy already. */
function ownCopy(chunk: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.some(({ buffer }) => buffer === chunk.buffer) ? Buffer.from(chunk) : chunk;
}

/** Gives back the memory of a message whose last email was deleted. */
export function releaseMessage(slabs: Slabs, { index, summary, chunks }: MemoryMessage): void {
  for (const kept of [index, summary, ...chunks]) slabs.release(kept);
}

export function memoryMessageCost({ index, summary, contentBytes }: MemoryMessage): number {
  return messageCost({ indexBytes: index.length, summaryBytes: summary.length, contentBytes });
}

export interface MemoryEmail extends StoredEmail {
  readonly messageNumber: number;
  readonly recipient: number;
  message: MemoryMessage | null;
  /** Cleared on its own: not listed, not counted. */
  isCleared: boolean;
  /** Deleted before it expired, and not needed at its deadline. */
  isSettled: boolean;
}

export function positionAt(emails: readonly MemoryEmail[], receivedAt: number): number {
  return firstWhere(emails, (email) => email.receivedAt >= receivedAt);
}

/** The first position in a sorted list from which on `holds` is true. */
function firstWhere<T>(sorted: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function messageOf({ message }: MemoryEmail): MemoryMessage {
  if (message === null) throw new EmailGoneError();
  return message;
}

/** An email's position: later expiry comes first; at the same moment, later messages and recipients. */
type Place = Pick<MemoryEmail, 'expiresAt' | 'messageNumber' | 'recipient'>;

/** Before all that expire at this moment. */
const firstPlaceAt = (expiresAt: number): Place => ({
  expiresAt,
  messageNumber: Number.POSITIVE_INFINITY,
  recipient: 0,
});

export function recentPage(
  deadlines: ExpiryIndex<MemoryEmail>,
  { behind, upTo = Number.POSITIVE_INFINITY, limit }: RecentQuery,
  now: number,
  isSeen: (email: MemoryEmail) => boolean,
): RecentPage<MemoryEmail> {
  const place = behind === undefined ? firstPlaceAt(upTo) : placeOf(behind);
  const emails: MemoryEmail[] = [];
  let looked = 0;
  let last: MemoryEmail | undefined;
  for (const email of deadlines.latestFirst(place.expiresAt)) {
    if (email.expiresAt <= now) break;
    // The page before showed some of those that expire in the same millisecond.
    if (email.expiresAt === place.expiresAt && !isBehind(email, place)) continue;
    if (looked === limit) return { emails, next: last ? textOf(last) : (behind ?? null) };
    looked += 1;
    last = email;
    if (isSeen(email)) emails.push(email);
  }
  return { emails, next: null };
}

function textOf({ expiresAt, messageNumber, recipient }: Place): string {
  return `${expiresAt} ${messageNumber} ${recipient}`;
}

function placeOf(text: string): Place {
  const [expiresAt = 0, messageNumber = 0, recipient = 0] = text.split(' ').map(Number);
  return { expiresAt, messageNumber, recipient };
}

function isBehind({ messageNumber, recipient }: Place, place: Place): boolean {
  return messageNumber < place.messageNumber || (messageNumber === place.messageNumber && recipient < place.recipient);
}
