import { createHash } from 'node:crypto';
import {
  admit,
  cleared,
  clearedOne,
  emailCost,
  isOver,
  type MessageSizes,
  messageCost,
  withoutEmail,
} from '../admission.js';
import { bytesOf, chunkCount, chunksOf, JOINED_BYTES } from '../chunks.js';
import type { Appended, Delivery, StoreLimits } from '../store.js';
import type { Draft } from './draft.js';
import {
  deadlineKey,
  type EmailRow,
  emailKey,
  emailRow,
  emailRowBytes,
  expiresAtOf,
  inboxOf,
  messageKey,
  partKey,
  receivedAtOf,
} from './rows.js';
import type { Tables } from './tables.js';

/**
 * A message's bytes as rows: index and content share one if they fit, as nearly always. Otherwise the chunks of the
 * index come first, then the content's. The summary has its own row: a list reads none of these.
 */

/** Chunks of a large message made before others have a turn. */
const CHUNKS_A_TURN = 8;

interface Place {
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

type PartSizes = Omit<MessageSizes, 'summaryBytes'>;

/** Rows of a message beside its summary. An empty message has none. */
function partCount({ indexBytes, contentBytes }: PartSizes): number {
  if (indexBytes + contentBytes <= JOINED_BYTES) return indexBytes + contentBytes > 0 ? 1 : 0;
  return chunkCount(indexBytes) + chunkCount(contentBytes);
}

export function indexPlaces({ indexBytes, contentBytes }: PartSizes): Place[] {
  if (indexBytes + contentBytes <= JOINED_BYTES)
    return indexBytes > 0 ? [{ position: 0, start: 0, end: indexBytes }] : [];
  return wholeRows(0, chunkCount(indexBytes));
}

export function contentPlaces({ indexBytes, contentBytes }: PartSizes): Place[] {
  const end = indexBytes + contentBytes;
  if (end <= JOINED_BYTES) return contentBytes > 0 ? [{ position: 0, start: indexBytes, end }] : [];
  return wholeRows(chunkCount(indexBytes), chunkCount(contentBytes));
}

function wholeRows(first: number, count: number): Place[] {
  return Array.from({ length: count }, (_, i) => ({ position: first + i, start: 0, end: Number.POSITIVE_INFINITY }));
}

export function joinedBytes({ index, content }: Delivery): number | null {
  const bytes = index.length + bytesOf(content);
  return bytes <= JOINED_BYTES ? bytes : null;
}

/** The rows of a larger delivery. Copying pieces takes time, so others have turns in between. */
export async function chunkedParts({ index, content }: Delivery): Promise<readonly Uint8Array[]> {
  const parts = [...chunksOf([index])];
  for (const chunk of chunksOf(content)) {
    // LMDB's thread cannot take shared memory.
    parts.push(chunk.buffer instanceof SharedArrayBuffer ? Buffer.from(chunk) : chunk);
    if (parts.length % CHUNKS_A_TURN === 0) await new Promise(setImmediate);
  }
  return parts;
}

/** What transactions write. Each step is bounded, as its reads block the event loop. */

const STEP_EMAILS = 100;

/** Rows of messages after which a step stops: it deletes no more than these and those of one message. */
export const STEP_CHUNKS = 256;

export interface Appending {
  readonly delivery: Delivery;
  readonly parts: readonly Uint8Array[] | null;
  readonly now: number;
}

/** Makes emails of a delivery. Throws only before it has drafted anything. */
export function appendEmails(draft: Draft, { delivery, parts, now }: Appending, limits: StoreLimits): Appended {
  const { appended, arrivals, inboxes, bytes } = admit(delivery, now, limits, {
    bytes: draft.bytes,
    inbox: (name) => draft.inbox(name),
    emails: (name, after) => draft.emails(name, after),
  });
  if (arrivals.length === 0) return appended;
  const { message, tables } = draft;
  const contentBytes = bytesOf(delivery.content);
  const isShared = arrivals.length > 1;
  const rows = arrivals.map((arrival, recipient) => ({
    key: emailKey(arrival.inbox, arrival.receivedAt),
    value: emailRowBytes({ ...arrival, contentBytes, message, recipient, isShared }),
    deadline: deadlineKey(arrival.expiresAt, message, recipient),
  }));
  const { summary } = delivery;
  draft.put(tables.messages, messageKey(message), draft.arena.joined([summary], summary.length));
  const messageRows = parts ?? joinedRow(draft, delivery);
  for (const [position, part] of messageRows.entries()) draft.put(tables.messages, partKey(message, position), part);
  for (const { key, value, deadline } of rows) {
    draft.put(tables.emails, key, value);
    draft.put(tables.deadlines, deadline, key);
  }
  for (const [name, state] of inboxes) {
    const added = isShared ? arrivals.filter(({ inbox }) => inbox === name) : arrivals;
    draft.setInbox(name, state, added);
  }
  if (isShared) draft.setShare(message, arrivals.length);
  draft.takeMessage();
  draft.addBytes(bytes);
  return appended;
}

function joinedRow({ arena }: Draft, { index, content }: Delivery): readonly Uint8Array[] {
  const row = arena.joined([index, ...content], index.length + bytesOf(content));
  return row.length > 0 ? [row] : [];
}

export function clearInbox(draft: Draft, inbox: string, now: number): void {
  const state = draft.inbox(inbox);
  if (state === undefined || state.count === 0) return;
  draft.setInbox(inbox, cleared(state));
  draft.put(draft.tables.clearings, [now, inbox, 0], state.newest);
}

/** Hides one email and notes that it is to be deleted; returns whether it was listed. */
export function clearEmail(draft: Draft, inbox: string, receivedAt: number, now: number): boolean {
  const { clearings, emails } = draft.tables;
  const state = draft.inbox(inbox);
  if (state === undefined || receivedAt <= state.goneUpTo) return false;
  const key = emailKey(inbox, receivedAt);
  const bytes = emails.getBinaryFast(key);
  const row = bytes && emailRow(bytes);
  if (row === undefined || row.isCleared || row.expiresAt <= now) return false;
  draft.put(emails, key, emailRowBytes({ ...row, isCleared: true }));
  draft.put(clearings, [now, inbox, receivedAt], receivedAt);
  draft.setInbox(inbox, clearedOne(state));
  return true;
}

export function isPurgeDue(tables: Tables, now: number): boolean {
  return Math.min(nextExpiry(tables), nextClearing(tables)) <= now;
}

export function purgeEmails(draft: Draft, now: number): boolean {
  const [expiredAt, clearedAt] = [nextExpiry(draft.tables), nextClearing(draft.tables)];
  if (Math.min(expiredAt, clearedAt) > now) return false;
  if (clearedAt <= expiredAt) deleteCleared(draft, now);
  else deleteExpired(draft, Math.min(now, clearedAt), now);
  return true;
}

function nextExpiry({ deadlines }: Tables): number {
  const [first] = deadlines.getKeys({ limit: 1 });
  return first === undefined ? Number.POSITIVE_INFINITY : expiresAtOf(first);
}

function nextClearing({ clearings }: Tables): number {
  const [first] = clearings.getKeys({ limit: 1 });
  return first?.[0] ?? Number.POSITIVE_INFINITY;
}

function deleteExpired(draft: Draft, until: number, now: number): void {
  const { deadlines, emails } = draft.tables;
  let parts = 0;
  for (const { key, value } of [...deadlines.getRange({ limit: STEP_EMAILS })]) {
    if (until < expiresAtOf(key) || parts >= STEP_CHUNKS) break;
    draft.remove(deadlines, key);
    const bytes = emails.getBinaryFast(value);
    if (bytes) parts += deleteEmail(draft, value, emailRow(bytes), now);
    const inbox = inboxOf(value);
    const state = draft.inbox(inbox);
    if (state && isOver(state, now)) draft.setInbox(inbox, undefined);
  }
}

function deleteCleared(draft: Draft, now: number): void {
  const { clearings, deadlines, emails } = draft.tables;
  const [clearing] = clearings.getRange({ limit: 1 });
  if (clearing === undefined) return;
  const { key, value: upTo } = clearing;
  const [, inbox, from] = key;
  let parts = 0;
  let left = STEP_EMAILS;
  const range = { start: emailKey(inbox, from), end: emailKey(inbox, upTo + 1), limit: STEP_EMAILS };
  for (const { key, value } of [...emails.getRange(range)]) {
    if (parts >= STEP_CHUNKS) return;
    const row = emailRow(value);
    // An inbox's state is forgotten at the deadline of its newest email.
    const isNewest = receivedAtOf(key) === draft.inbox(inbox)?.newest;
    if (!isNewest) draft.remove(deadlines, deadlineKey(row.expiresAt, row.message, row.recipient));
    parts += deleteEmail(draft, key, row, now);
    left -= 1;
  }
  if (left > 0) draft.remove(clearings, key);
}

function deleteEmail(draft: Draft, key: Buffer, row: EmailRow, now: number): number {
  const inbox = inboxOf(key);
  draft.remove(draft.tables.emails, key);
  draft.addBytes(-emailCost({ inbox, to: row.to }));
  const state = draft.inbox(inbox);
  const receivedAt = receivedAtOf(key);
  draft.setInbox(inbox, state && withoutEmail(state, { ...row, receivedAt }, now));
  if (row.isShared) {
    const left = draft.share(row.message) - 1;
    draft.setShare(row.message, left);
    if (left > 0) return 0;
  }
  draft.addBytes(-messageCost(row));
  draft.remove(draft.tables.messages, messageKey(row.message));
  const parts = partCount(row);
  for (let position = 0; position < parts; position += 1) {
    draft.remove(draft.tables.messages, partKey(row.message, position));
  }
  return 1 + parts;
}

export function joinWaitlist(draft: Draft, email: string, now: number): void {
  const { waitlist, waitlistAddresses } = draft.tables;
  const address = createHash('sha256').update(email).digest('hex');
  if (waitlistAddresses.doesExist(address)) return;
  const [last = 0] = waitlist.getKeys({ reverse: true, limit: 1 });
  draft.put(waitlist, last + 1, { email, joinedAt: now });
  draft.put(waitlistAddresses, address, last + 1);
}
