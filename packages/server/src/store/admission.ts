import { bytesOf, CHUNK_BYTES, JOINED_BYTES } from './chunks.js';
import type { Appended, Delivery, Recipient, StoredEmail, StoreLimits } from './store.js';

/** What a store knows of an inbox that has emails, or had some that were cleared. */
export interface InboxState {
  /** Of the newest email, even once that is deleted. */
  readonly newest: number;
  /** Of the newest email. The state lasts that long, so that later mail gets a later `receivedAt` (D6). */
  readonly expiresAt: number;
  /** Its emails up to this `receivedAt` were cleared or have expired: no list shows them and no cap counts them. */
  readonly goneUpTo: number;
  /** Emails behind `goneUpTo` that were not cleared one by one; some may have expired. */
  readonly count: number;
  /** Emails that are not deleted, listed or not. */
  readonly kept: number;
  /** A shortened retention lets a later email expire before an earlier one. */
  readonly isMixed?: true;
}

export interface EmailState extends Pick<StoredEmail, 'receivedAt' | 'expiresAt'> {
  /** Cleared on its own: not listed, not counted. */
  readonly isCleared: boolean;
}

export interface Holdings {
  readonly bytes: number;
  inbox(name: string): InboxState | undefined;
  /** Emails of an inbox later than `after`, oldest first; only as many are read as are needed. */
  emails(name: string, after: number): Iterable<EmailState>;
}

export interface Arrival extends StoredEmail, EmailState {
  readonly inbox: string;
}

/** The answer, and what to write: nothing for a refusal. */
export interface Admission {
  readonly appended: Appended;
  readonly arrivals: readonly Arrival[];
  readonly inboxes: ReadonlyMap<string, InboxState>;
  readonly bytes: number;
}

const NO_EMAILS: InboxState = { newest: -1, expiresAt: 0, goneUpTo: -1, count: 0, kept: 0 };

/**
 * Decides on a delivery as `Store.append` promises, with each email's `receivedAt` and `expiresAt` (D6, D7). Mail
 * already expired is accepted but not kept. Cleared and expired emails take no room in the inbox, but count in the
 * budget until deleted: after `store-full` the store purges and asks again.
 */
export function admit(delivery: Delivery, now: number, limits: StoreLimits, holdings: Holdings): Admission {
  const receivedAts: number[] = [];
  const arrivals: Arrival[] = [];
  const inboxes = new Map<string, InboxState>();
  const indexBytes = delivery.index.length;
  const summaryBytes = delivery.summary.length;
  for (const { inbox, to } of delivery.recipients) {
    const before = inboxes.get(inbox) ?? holdings.inbox(inbox) ?? NO_EMAILS;
    const receivedAt = Math.max(delivery.receivedAt, before.newest + 1);
    const expiresAt = receivedAt + limits.retentionMs;
    receivedAts.push(receivedAt);
    if (expiresAt <= now) continue;
    arrivals.push({ inbox, to, receivedAt, expiresAt, isCleared: false, indexBytes, summaryBytes });
    inboxes.set(inbox, withEmail(before, receivedAt, expiresAt));
  }

  for (const [name, state] of inboxes) {
    const emails = (after: number) => holdings.emails(name, after);
    const lighter = withoutExpired(state, emails(state.goneUpTo), now, limits.maxEmails);
    const isFull =
      lighter.count > limits.maxEmails && lighter.count - uncounted(lighter, emails, now) > limits.maxEmails;
    if (isFull) return refused('inbox-full');
    inboxes.set(name, lighter);
  }
  const bytes = arrivals.length === 0 ? 0 : costOf(delivery, arrivals);
  if (holdings.bytes + bytes > limits.budgetBytes && bytes > 0) return refused('store-full');
  return { appended: { stored: true, receivedAt: receivedAts }, arrivals, inboxes, bytes };
}

function withEmail(state: InboxState, receivedAt: number, expiresAt: number): InboxState {
  const isMixed = state.isMixed || (state.kept > 0 && expiresAt < state.expiresAt);
  const { goneUpTo, count, kept } = state;
  return {
    newest: receivedAt,
    expiresAt,
    goneUpTo,
    count: count + 1,
    kept: kept + 1,
    ...(isMixed ? { isMixed } : {}),
  };
}

/** Stops counting as many expired emails as the cap requires, so that each is looked at only once. */
function withoutExpired(
  state: InboxState,
  oldestFirst: Iterable<EmailState>,
  now: number,
  maxEmails: number,
): InboxState {
  let { count, goneUpTo } = state;
  if (count <= maxEmails) return state;
  for (const { receivedAt, expiresAt, isCleared } of oldestFirst) {
    if (now < expiresAt && !isCleared) break;
    goneUpTo = receivedAt;
    if (!isCleared) count -= 1;
    if (count <= maxEmails) break;
  }
  return { ...state, count, goneUpTo };
}

/** Expired emails behind `goneUpTo`, in an inbox where they expire out of order. */
function uncounted(state: InboxState, emails: (after: number) => ReturnType<Holdings['emails']>, now: number): number {
  if (!state.isMixed) return 0;
  let expired = 0;
  for (const { expiresAt, isCleared } of emails(state.goneUpTo)) if (expiresAt <= now && !isCleared) expired += 1;
  return expired;
}

function costOf({ index, summary, content }: Delivery, arrivals: readonly Arrival[]): number {
  const message = messageCost({
    indexBytes: index.length,
    summaryBytes: summary.length,
    contentBytes: bytesOf(content),
  });
  return arrivals.reduce((sum, arrival) => sum + emailCost(arrival), message);
}

function refused(reason: 'inbox-full' | 'store-full'): Admission {
  return { appended: { stored: false, reason }, arrivals: [], inboxes: new Map(), bytes: 0 };
}

export function cleared(state: InboxState): InboxState {
  return { ...state, goneUpTo: state.newest, count: 0 };
}

export function clearedOne(state: InboxState): InboxState {
  return { ...state, count: state.count - 1 };
}

/** The state once an email is deleted; undefined where the inbox can be forgotten at `now`. */
export function withoutEmail(
  state: InboxState,
  { receivedAt, isCleared }: Omit<EmailState, 'expiresAt'>,
  now: number,
): InboxState | undefined {
  const count = receivedAt > state.goneUpTo && !isCleared ? state.count - 1 : state.count;
  const kept = state.kept - 1;
  return isOver({ ...state, kept }, now) ? undefined : { ...state, count, kept };
}

/** All is deleted and the newest has expired: later mail gets an earlier `receivedAt` only if the clock went back. */
export function isOver({ kept, expiresAt }: InboxState, now: number): boolean {
  return kept === 0 && expiresAt <= now;
}

export function isStoreFull(appended: Appended): boolean {
  return !appended.stored && appended.reason === 'store-full';
}

/** LMDB's page. A value of more than half a page gets pages of its own; smaller ones share pages. */
const PAGE_BYTES = 4096;

const PAGE_HEAD_BYTES = 24;

const SHARED_PAGE_VALUE_BYTES = 2034;

const VALUE_HEAD_BYTES = 20;

/** What a message of any size takes beside its index and content: its share of the pages that lead to it. */
const MESSAGE_ROW_BYTES = 50;

/** What an email takes beside its names: a row by inbox, one by deadline, and its inbox's state. */
const EMAIL_ROWS_BYTES = 200;

/** These rows take more than their bytes: they come in no order, so pages are half full and copied at each change. */
const EMAIL_ROWS_FACTOR = 2;

/** Rows of an email that hold its inbox's name. */
const ROWS_WITH_NAME = 3;

export interface MessageSizes {
  readonly indexBytes: number;
  readonly summaryBytes: number;
  readonly contentBytes: number;
}

/** Bytes that every store counts for a message: LMDB's disk use, measured, so that a budget means one thing. */
export function messageCost({ indexBytes, summaryBytes, contentBytes }: MessageSizes): number {
  const bytes = indexBytes + contentBytes;
  const rows = bytes <= JOINED_BYTES ? lastChunkCost(bytes) : chunksCost(indexBytes) + chunksCost(contentBytes);
  return MESSAGE_ROW_BYTES + lastChunkCost(summaryBytes) + rows;
}

export function emailCost({ inbox, to }: Recipient): number {
  return (EMAIL_ROWS_BYTES + ROWS_WITH_NAME * inbox.length + to.length) * EMAIL_ROWS_FACTOR;
}

function chunksCost(bytes: number): number {
  const whole = Math.floor(bytes / CHUNK_BYTES);
  return whole * (CHUNK_BYTES + PAGE_HEAD_BYTES) + lastChunkCost(bytes - whole * CHUNK_BYTES);
}

function lastChunkCost(bytes: number): number {
  if (bytes === 0) return 0;
  if (bytes > SHARED_PAGE_VALUE_BYTES) return Math.ceil((bytes + PAGE_HEAD_BYTES) / PAGE_BYTES) * PAGE_BYTES;
  // When a page is full, LMDB moves its last value to the next page and leaves the gap.
  const together = Math.floor((PAGE_BYTES - PAGE_HEAD_BYTES) / (bytes + VALUE_HEAD_BYTES)) - 1;
  return Math.ceil(PAGE_BYTES / Math.max(together, 1));
}
