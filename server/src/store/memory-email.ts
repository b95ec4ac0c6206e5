import { bytesOf, chunksOf } from './chunks.js';
import { messageCost } from './cost.js';
import type { ExpiryIndex } from './expiry-index.js';
import { type Delivery, EmailGoneError, type RecentPage, type RecentQuery, type StoredEmail } from './store.js';

export interface MemoryMessage {
  readonly index: Uint8Array;
  readonly summary: Uint8Array;
  readonly contentBytes: number;
  readonly chunks: readonly Uint8Array[];
  /** How many of its emails are not deleted yet. The last one takes the message with it. */
  emails: number;
}

/** The message of a delivery that so many emails came of, in memory of its own. */
export function memoryMessage({ index, summary, content }: Delivery, emails: number): MemoryMessage {
  return {
    index: Buffer.from(index),
    summary: Buffer.from(summary),
    contentBytes: bytesOf(content),
    chunks: [...chunksOf(content)].map((chunk) => ownCopy(chunk, content)),
    emails,
  };
}

export function memoryMessageCost({ index, summary, contentBytes }: MemoryMessage): number {
  return messageCost({ indexBytes: index.length, summaryBytes: summary.length, contentBytes });
}

/** A chunk of some pieces in memory of its own: a copy, unless it was joined of several pieces and is one already. */
function ownCopy(chunk: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.some(({ buffer }) => buffer === chunk.buffer) ? Buffer.from(chunk) : chunk;
}

export interface MemoryEmail extends StoredEmail {
  readonly messageNumber: number;
  readonly recipient: number;
  message: MemoryMessage | null;
  /** Whether it was cleared by itself: nobody sees it, and it is not counted. */
  isCleared: boolean;
  /** Whether it was deleted before it expired, and nobody waits for its deadline. */
  isSettled: boolean;
}

/** Where an email with this `receivedAt` stands or would stand: behind all that are earlier. */
export function positionAt(emails: readonly MemoryEmail[], receivedAt: number): number {
  let [low, high] = [0, emails.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((emails[middle]?.receivedAt ?? receivedAt) < receivedAt) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function messageOf({ message }: MemoryEmail): MemoryMessage {
  if (message === null) throw new EmailGoneError();
  return message;
}

/** Where an email stands among all: those that expire later go before it, and of one moment the later messages and recipients. */
type Place = Pick<MemoryEmail, 'expiresAt' | 'messageNumber' | 'recipient'>;

const FIRST_PLACE: Place = { expiresAt: Number.POSITIVE_INFINITY, messageNumber: 0, recipient: 0 };

/** A page of those of all emails that have not expired and that `isSeen` lets through, as `Store.recent` promises it. */
export function recentPage(
  deadlines: ExpiryIndex<MemoryEmail>,
  { behind, limit }: RecentQuery,
  now: number,
  isSeen: (email: MemoryEmail) => boolean,
): RecentPage<MemoryEmail> {
  const place = behind === undefined ? FIRST_PLACE : placeOf(behind);
  const emails: MemoryEmail[] = [];
  let looked = 0;
  let last: MemoryEmail | undefined;
  for (const email of deadlines.latestFirst(place.expiresAt)) {
    if (email.expiresAt <= now) break;
    // Of those that expire in the same millisecond, the page before has had some.
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
