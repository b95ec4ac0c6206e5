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
  inboxKey,
  inboxOf,
  type LmdbEmail,
  messageKey,
  partKey,
  stateOf,
  stateRow,
  type Table,
  type Tables,
} from './layout.js';
import { putNews } from './news.js';

/** Maximum number of emails that one step deletes, because a step blocks the event loop. */
const STEP_EMAILS = 100;

/** Once a step has deleted this many rows of messages, it deletes no further message. */
const STEP_ROWS = 256;

const NO_EMAILS: InboxState = { newest: -1, expiresAt: 0, goneUpTo: -1, count: 0, kept: 0, isMixed: false };

/** Index and content share one row if they fit, as they nearly always do; otherwise, the index's chunks come first. */
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

/** One change of the store within a transaction. A change that throws must not have written anything. */
export class Change {
  readonly #tables: Tables;
  readonly #version: number;
  readonly #arrivals = new Set<string>();
  #bytes: number;
  #messages: number;
  #isEmpty = true;

  constructor(tables: Tables) {
    const { value, version = 0 } = tables.tally.getEntry('tally') ?? { value: { bytes: 0, messages: 0 } };
    this.#tables = tables;
    this.#version = version;
    this.#bytes = value.bytes;
    this.#messages = value.messages;
  }

  finish(writer: Buffer): void {
    if (this.#isEmpty) return;
    const version = this.#version + 1;
    this.#tables.tally.putSync('tally', { bytes: this.#bytes, messages: this.#messages }, version);
    if (this.#tables.news !== null && this.#arrivals.size > 0)
      putNews(this.#tables, version, writer, [...this.#arrivals]);
  }

  /** Implements `Store.append`. Deleted mail counts in the quota until it is purged, so purge after `store-full`. */
  append(delivery: Delivery, now: number, limits: StoreLimits): Appended {
    const tables = this.#tables;
    const message = this.#messages;
    const { index, summary, content } = delivery;
    const sizes = { indexBytes: index.length, summaryBytes: summary.length, contentBytes: bytesOf(content) };
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
    if (this.#bytes + bytes > limits.budgetBytes) return { stored: false, reason: 'store-full' };

    this.#putMessage(delivery, isInOneRow(sizes));
    const { indexBytes, summaryBytes, contentBytes } = sizes;
    const isShared = arrivals.length > 1;
    for (const [recipient, { inbox, to, receivedAt, expiresAt }] of arrivals.entries()) {
      const key = emailKey(inbox, receivedAt);
      // Names each value, because spreads would take longer than the rest.
      const numbers = { expiresAt, message, contentBytes, indexBytes, summaryBytes, recipient };
      this.#put(tables.emails, key, emailRow(numbers, { to, isShared, isCleared: false }));
      this.#put(tables.deadlines, deadlineKey(expiresAt, message, recipient), key);
    }
    for (const [inbox, state] of inboxes) {
      this.#setInbox(inbox, state);
      this.#arrivals.add(inbox);
    }
    if (isShared) this.#setShare(message, arrivals.length);
    this.#messages += 1;
    this.#bytes += bytes;
    return { stored: true, receivedAt };
  }

  clear(inbox: string, now: number): void {
    const state = stateOf(this.#tables, inbox);
    if (state === undefined || state.count === 0) return;
    this.#setInbox(inbox, { ...state, goneUpTo: state.newest, count: 0 });
    this.#put(this.#tables.clearings, [now, inbox, 0], state.newest);
  }

  /** Hides one email and marks it for deletion; returns whether it was listed. */
  clearOne(inbox: string, receivedAt: number, now: number): boolean {
    const tables = this.#tables;
    const state = stateOf(tables, inbox);
    if (state === undefined || receivedAt <= state.goneUpTo) return false;
    const key = emailKey(inbox, receivedAt);
    const email = emailAt(tables, key);
    if (email === undefined || email.isCleared || email.expiresAt <= now) return false;
    this.#put(tables.emails, key, emailRow(email, { ...email, isCleared: true }));
    this.#put(tables.clearings, [now, inbox, receivedAt], receivedAt);
    this.#setInbox(inbox, { ...state, count: state.count - 1 });
    return true;
  }

  /** Deletes a bounded number of cleared or expired emails, the oldest first; returns whether there were any. */
  purge(now: number): boolean {
    const [expiredAt, clearedAt] = [nextExpiry(this.#tables), nextClearing(this.#tables)];
    if (Math.min(expiredAt, clearedAt) > now) return false;
    if (clearedAt <= expiredAt) this.#deleteCleared(now);
    else this.#deleteExpired(Math.min(now, clearedAt), now);
    return true;
  }

  joinWaitlist(email: string, now: number): void {
    const { waitlist, waitlistAddresses } = this.#tables;
    const address = createHash('sha256').update(email).digest('hex');
    if (waitlistAddresses.getEntry(address) !== undefined) return;
    const [last = 0] = waitlist.getKeys({ reverse: true, limit: 1 });
    this.#put(waitlist, last + 1, { email, joinedAt: now });
    this.#put(waitlistAddresses, address, last + 1);
  }

  #put<V, K>(table: Table<V, K>, key: K, value: V): void {
    this.#isEmpty = false;
    table.putSync(key, value);
  }

  #remove<V, K>(table: Table<V, K>, key: K): void {
    this.#isEmpty = false;
    table.removeSync(key);
  }

  #setInbox(inbox: string, state: InboxState | undefined): void {
    if (state === undefined) this.#remove(this.#tables.emails, inboxKey(inbox));
    else this.#put(this.#tables.emails, inboxKey(inbox), stateRow(state));
  }

  #putMessage({ index, summary, content }: Delivery, isJoined: boolean): void {
    const { messages } = this.#tables;
    const message = this.#messages;
    this.#put(messages, messageKey(message), Buffer.from(summary.buffer, summary.byteOffset, summary.length));
    const parts = isJoined ? [joinedRow([index, ...content])] : chunkRows(index, content);
    let position = 0;
    for (const part of parts) {
      if (part.length > 0) this.#put(messages, partKey(message, position), part);
      position += 1;
    }
  }

  /** Stores how many emails of a message with several recipients are not deleted. */
  #setShare(message: number, emails: number): void {
    const { shares } = this.#tables;
    const row = Buffer.alloc(4);
    row.writeUInt32BE(emails);
    if (emails === 0) this.#remove(shares, messageKey(message));
    else this.#put(shares, messageKey(message), row);
  }

  #deleteExpired(until: number, now: number): void {
    const tables = this.#tables;
    let rows = 0;
    for (const { key: deadline, value: key } of [...tables.deadlines.getRange({ limit: STEP_EMAILS })]) {
      if (until < expiresAtOf(deadline) || rows >= STEP_ROWS) break;
      this.#remove(tables.deadlines, deadline);
      const email = emailAt(tables, key);
      if (email) rows += this.#deleteEmail(email, now);
      const inbox = inboxOf(key);
      const state = stateOf(tables, inbox);
      if (state && isOver(state, now)) this.#setInbox(inbox, undefined);
    }
  }

  #deleteCleared(now: number): void {
    const tables = this.#tables;
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
      if (!isNewest) this.#remove(tables.deadlines, deadlineKey(email.expiresAt, email.message, email.recipient));
      rows += this.#deleteEmail(email, now);
    }
    if (emails.length < STEP_EMAILS) this.#remove(tables.clearings, clearing.key);
  }

  /** Deletes an email, and the message if this was its last email. Returns the number of deleted rows of the message. */
  #deleteEmail(email: LmdbEmail, now: number): number {
    const { messages, emails, shares } = this.#tables;
    const { key, inbox, receivedAt, message } = email;
    this.#remove(emails, key);
    this.#bytes -= emailCost(email);
    const state = stateOf(this.#tables, inbox);
    if (state) {
      const isCounted = receivedAt > state.goneUpTo && !email.isCleared;
      const less = { ...state, count: state.count - (isCounted ? 1 : 0), kept: state.kept - 1 };
      this.#setInbox(inbox, isOver(less, now) ? undefined : less);
    }
    if (email.isShared) {
      const left = (shares.getBinaryFast(messageKey(message))?.readUInt32BE(0) ?? 1) - 1;
      this.#setShare(message, left);
      if (left > 0) return 0;
    }
    const { index, content } = positionsOf(email);
    const keys = [...new Set([...index, ...content])].map((position) => partKey(message, position));
    for (const key of [messageKey(message), ...keys]) this.#remove(messages, key);
    this.#bytes -= messageCost(email);
    return 1 + keys.length;
  }
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

export function isPurgeDue(tables: Tables, now: number): boolean {
  return Math.min(nextExpiry(tables), nextClearing(tables)) <= now;
}

function nextExpiry({ deadlines }: Tables): number {
  const [first] = deadlines.getKeys({ limit: 1 });
  return first === undefined ? Number.POSITIVE_INFINITY : expiresAtOf(first);
}

function nextClearing({ clearings }: Tables): number {
  const [first] = clearings.getKeys({ limit: 1 });
  return first?.[0] ?? Number.POSITIVE_INFINITY;
}

/** Whether a state can be deleted. After `expiresAt`, the clock keeps `receivedAt` rising, unless it is set back. */
function isOver({ kept, expiresAt }: InboxState, now: number): boolean {
  return kept === 0 && expiresAt <= now;
}
