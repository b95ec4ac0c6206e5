import { createHash } from 'node:crypto';
import { bytesOf, CHUNK_BYTES, chunksOf, emailCost, JOINED_BYTES, messageCost } from '../admission.js';
import type { Appended, Delivery, StoreLimits } from '../store.js';
import {
  deadlineKey,
  emailAt,
  emailKey,
  emailRow,
  emailsIn,
  endOfInbox,
  expiresAtOf,
  type InboxState,
  inboxOf,
  type LmdbEmail,
  messageKey,
  partKey,
  stateOf,
  type Tables,
} from './layout.js';
import type { Change } from './writer.js';

/** Maximum number of emails that one step deletes, because a step blocks the event loop. */
const STEP_EMAILS = 100;

/** Once a step has deleted this many rows of messages, it deletes no further message. */
const STEP_ROWS = 256;

const NO_EMAILS: InboxState = { newest: -1, expiresAt: 0, goneUpTo: -1, count: 0, kept: 0, isMixed: false };

/**
 * Index and content of a message share one row if they fit, which is nearly always. Otherwise the chunks of the index
 * precede those of the content. The summary has a separate row, so that a list reads only that.
 */
export function isInOneRow({ indexBytes, contentBytes }: Pick<LmdbEmail, 'indexBytes' | 'contentBytes'>): boolean {
  return indexBytes + contentBytes <= JOINED_BYTES;
}

export function positionsOf(sizes: Pick<LmdbEmail, 'indexBytes' | 'contentBytes'>) {
  const { indexBytes, contentBytes } = sizes;
  if (isInOneRow(sizes)) return { index: indexBytes > 0 ? [0] : [], content: contentBytes > 0 ? [0] : [] };
  const first = Math.ceil(indexBytes / CHUNK_BYTES);
  return {
    index: [...Array(first).keys()],
    content: [...Array(Math.ceil(contentBytes / CHUNK_BYTES)).keys()].map((n) => first + n),
  };
}

/**
 * Implements `Store.append`. Cleared and expired emails take no room in the inbox, but count in the quota until they
 * are deleted. So after `store-full`, purge and try again.
 */
export function appendEmails(change: Change, delivery: Delivery, now: number, limits: StoreLimits): Appended {
  const { tables, messages: message } = change;
  const { index, summary, content } = delivery;
  const [indexBytes, summaryBytes, contentBytes] = [index.length, summary.length, bytesOf(content)];
  const sizes = { indexBytes, summaryBytes, contentBytes };
  const inboxes = new Map<string, InboxState>();
  const receivedAt: number[] = [];
  const arrivals: Pick<LmdbEmail, 'inbox' | 'to' | 'receivedAt' | 'expiresAt'>[] = [];
  for (const { inbox, to } of delivery.recipients) {
    const before = inboxes.get(inbox) ?? stateOf(tables, inbox) ?? NO_EMAILS;
    const at = Math.max(delivery.receivedAt, before.newest + 1);
    const expiresAt = at + limits.retentionMs;
    receivedAt.push(at);
    if (expiresAt <= now) continue;
    arrivals.push({ inbox, to, receivedAt: at, expiresAt });
    inboxes.set(inbox, withEmail(before, at, expiresAt));
  }
  if (arrivals.length === 0) return { stored: true, receivedAt };
  for (const [inbox, state] of inboxes) {
    const tooMany = state.count - limits.maxEmails;
    if (tooMany > 0 && expiredIn(tables, inbox, state, now) < tooMany) return { stored: false, reason: 'inbox-full' };
  }
  const bytes = arrivals.reduce((sum, arrival) => sum + emailCost(arrival), messageCost(sizes));
  if (change.bytes + bytes > limits.budgetBytes) return { stored: false, reason: 'store-full' };

  putMessage(change, delivery, isInOneRow(sizes));
  const isShared = arrivals.length > 1;
  for (const [recipient, { inbox, to, receivedAt, expiresAt }] of arrivals.entries()) {
    const key = emailKey(inbox, receivedAt);
    change.put(
      tables.emails,
      key,
      emailRow({ to, expiresAt, message, ...sizes, recipient, isShared, isCleared: false }),
    );
    change.put(tables.deadlines, deadlineKey(expiresAt, message, recipient), key);
  }
  for (const [inbox, state] of inboxes) {
    change.setInbox(inbox, state);
    change.arrivals.add(inbox);
  }
  if (isShared) setShare(change, message, arrivals.length);
  change.messages += 1;
  change.bytes += bytes;
  return { stored: true, receivedAt };
}

function withEmail(state: InboxState, newest: number, expiresAt: number): InboxState {
  const { goneUpTo, count, kept } = state;
  const isMixed = state.isMixed || (kept > 0 && expiresAt < state.expiresAt);
  return { newest, expiresAt, goneUpTo, count: count + 1, kept: kept + 1, isMixed };
}

/** Number of emails that the state counts although they have expired. */
function expiredIn(tables: Tables, inbox: string, { goneUpTo, isMixed }: InboxState, now: number): number {
  const start = emailKey(inbox, goneUpTo + 1);
  let expired = 0;
  for (const { isCleared, expiresAt } of emailsIn(tables, inbox, { start, end: endOfInbox(start) })) {
    if (isCleared) continue;
    if (expiresAt <= now) expired += 1;
    else if (!isMixed) break;
  }
  return expired;
}

function putMessage(change: Change, { index, summary, content }: Delivery, isJoined: boolean): void {
  const { messages } = change.tables;
  change.put(messages, messageKey(change.messages), Buffer.from(summary.buffer, summary.byteOffset, summary.length));
  const parts = isJoined ? [joinedRow([index, ...content])] : chunkRows(index, content);
  let position = 0;
  for (const part of parts) {
    if (part.length > 0) change.put(messages, partKey(change.messages, position), part);
    position += 1;
  }
}

/** Shared by all rows, because separate memory for each costs a tenth of a delivery's processor time. */
const ROW = Buffer.allocUnsafeSlow(JOINED_BYTES);

/** Joined bytes, in memory that the next row reuses. LMDB has copied them by then. */
function joinedRow(pieces: readonly Uint8Array[]): Uint8Array {
  let end = 0;
  for (const piece of pieces) {
    ROW.set(piece, end);
    end += piece.length;
  }
  return ROW.subarray(0, end);
}

function* chunkRows(index: Uint8Array, content: readonly Uint8Array[]): Generator<Uint8Array> {
  yield* chunksOf([index]);
  // LMDB's binding cannot take shared memory.
  for (const chunk of chunksOf(content)) yield chunk.buffer instanceof SharedArrayBuffer ? Buffer.from(chunk) : chunk;
}

/** Stores how many emails of a message with several recipients are not deleted. */
function setShare(change: Change, message: number, emails: number): void {
  const { shares } = change.tables;
  const row = Buffer.alloc(4);
  row.writeUInt32BE(emails);
  if (emails === 0) change.remove(shares, messageKey(message));
  else change.put(shares, messageKey(message), row);
}

export function clearInbox(change: Change, inbox: string, now: number): void {
  const state = stateOf(change.tables, inbox);
  if (state === undefined || state.count === 0) return;
  change.setInbox(inbox, { ...state, goneUpTo: state.newest, count: 0 });
  change.put(change.tables.clearings, [now, inbox, 0], state.newest);
}

/** Hides one email and marks it for deletion; returns whether it was listed. */
export function clearEmail(change: Change, inbox: string, receivedAt: number, now: number): boolean {
  const { tables } = change;
  const state = stateOf(tables, inbox);
  if (state === undefined || receivedAt <= state.goneUpTo) return false;
  const key = emailKey(inbox, receivedAt);
  const email = emailAt(tables, key);
  if (email === undefined || email.isCleared || email.expiresAt <= now) return false;
  change.put(tables.emails, key, emailRow({ ...email, isCleared: true }));
  change.put(tables.clearings, [now, inbox, receivedAt], receivedAt);
  change.setInbox(inbox, { ...state, count: state.count - 1 });
  return true;
}

export function isPurgeDue(tables: Tables, now: number): boolean {
  return Math.min(nextExpiry(tables), nextClearing(tables)) <= now;
}

/** Deletes a bounded number of cleared or expired emails, the oldest first; returns whether there were any. */
export function purgeEmails(change: Change, now: number): boolean {
  const [expiredAt, clearedAt] = [nextExpiry(change.tables), nextClearing(change.tables)];
  if (Math.min(expiredAt, clearedAt) > now) return false;
  if (clearedAt <= expiredAt) deleteCleared(change, now);
  else deleteExpired(change, Math.min(now, clearedAt), now);
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

function deleteExpired(change: Change, until: number, now: number): void {
  const { tables } = change;
  let rows = 0;
  for (const { key: deadline, value: key } of [...tables.deadlines.getRange({ limit: STEP_EMAILS })]) {
    if (until < expiresAtOf(deadline) || rows >= STEP_ROWS) break;
    change.remove(tables.deadlines, deadline);
    const email = emailAt(tables, key);
    if (email) rows += deleteEmail(change, email, now);
    const inbox = inboxOf(key);
    const state = stateOf(tables, inbox);
    if (state && isOver(state, now)) change.setInbox(inbox, undefined);
  }
}

function deleteCleared(change: Change, now: number): void {
  const { tables } = change;
  const [clearing] = tables.clearings.getRange({ limit: 1 });
  if (clearing === undefined) return;
  const [, inbox, from] = clearing.key;
  const range = { start: emailKey(inbox, from), end: emailKey(inbox, clearing.value + 1), limit: STEP_EMAILS };
  const emails = [...emailsIn(tables, inbox, range)];
  let rows = 0;
  for (const email of emails) {
    if (rows >= STEP_ROWS) return;
    // Keeps the deadline of the inbox's newest email, because the inbox's state is deleted at that time.
    const isNewest = email.receivedAt === stateOf(tables, inbox)?.newest;
    if (!isNewest) change.remove(tables.deadlines, deadlineKey(email.expiresAt, email.message, email.recipient));
    rows += deleteEmail(change, email, now);
  }
  if (emails.length < STEP_EMAILS) change.remove(tables.clearings, clearing.key);
}

/** Deletes an email, and the message if this was its last email. Returns the number of deleted rows of the message. */
function deleteEmail(change: Change, email: LmdbEmail, now: number): number {
  const { messages, emails, shares } = change.tables;
  const { key, inbox, receivedAt, message } = email;
  change.remove(emails, key);
  change.bytes -= emailCost(email);
  const state = stateOf(change.tables, inbox);
  if (state) {
    const isCounted = receivedAt > state.goneUpTo && !email.isCleared;
    const less = { ...state, count: state.count - (isCounted ? 1 : 0), kept: state.kept - 1 };
    change.setInbox(inbox, isOver(less, now) ? undefined : less);
  }
  if (email.isShared) {
    const left = (shares.getBinaryFast(messageKey(message))?.readUInt32BE(0) ?? 1) - 1;
    setShare(change, message, left);
    if (left > 0) return 0;
  }
  const { index, content } = positionsOf(email);
  const keys = [...new Set([...index, ...content])].map((position) => partKey(message, position));
  for (const key of [messageKey(message), ...keys]) change.remove(messages, key);
  change.bytes -= messageCost(email);
  return 1 + keys.length;
}

/** Whether a state can be deleted. After `expiresAt`, the clock keeps `receivedAt` rising, unless it is set back. */
function isOver({ kept, expiresAt }: InboxState, now: number): boolean {
  return kept === 0 && expiresAt <= now;
}

export function joinWaitlist(change: Change, email: string, now: number): void {
  const { waitlist, waitlistAddresses } = change.tables;
  const address = createHash('sha256').update(email).digest('hex');
  if (waitlistAddresses.getEntry(address) !== undefined) return;
  const [last = 0] = waitlist.getKeys({ reverse: true, limit: 1 });
  change.put(waitlist, last + 1, { email, joinedAt: now });
  change.put(waitlistAddresses, address, last + 1);
}
