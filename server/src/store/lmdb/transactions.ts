/** What happens within a write transaction. A transaction stops the event loop, so each job is bounded. */

import { randomBytes } from 'node:crypto';
import { admit } from '../admission.js';
import { bytesOf, chunkCount } from '../chunks.js';
import type { Appended, Delivery, StoreLimits } from '../store.js';
import type { MessageRow, Range, Tables } from './tables.js';

/** How many emails one step deletes at most. */
const STEP_EMAILS = 100;

/** After how many chunks a step stops: it deletes no more than these and those of one message. */
const STEP_CHUNKS = 256;

/** A new message id. Ids are in the order of time, so that new rows stand together. */
export function messageId(now: number): string {
  return `${String(now).padStart(15, '0')}-${randomBytes(12).toString('base64url')}`;
}

/** Makes emails of a delivery whose chunks have been written under `message`, or removes these chunks again. */
export function appendEmails(
  tables: Tables,
  message: string,
  delivery: Delivery,
  now: number,
  limits: StoreLimits,
): Appended {
  const bytes = tables.mayfly.get('bytes') ?? 0;
  const { appended, arrivals, inboxes } = admit(delivery, now, limits, {
    bytes,
    inbox: (name) => tables.inboxes.get(name),
  });
  const row = {
    emails: arrivals.length,
    indexBytes: delivery.index.length,
    contentBytes: bytesOf(delivery.content),
  };
  if (arrivals.length === 0) {
    removeChunks(tables, message, row);
    return appended;
  }
  tables.messages.put(message, row);
  tables.mayfly.put('bytes', bytes + row.indexBytes + row.contentBytes);
  for (const [inbox, state] of inboxes) tables.inboxes.put(inbox, state);
  for (const { inbox, to, receivedAt, expiresAt } of arrivals) {
    tables.emails.put([inbox, receivedAt], { to, expiresAt, message });
    tables.deadlines.put([expiresAt, inbox, receivedAt], message);
  }
  return appended;
}

/** Deletes some of what has expired at `now`; tells how many emails that were. */
export function purgeEmails(tables: Tables, now: number): number {
  let emails = 0;
  let chunks = 0;
  for (const { key, value: message } of [...tables.deadlines.getRange({ limit: STEP_EMAILS })]) {
    const [expiresAt, inbox, receivedAt] = key;
    if (now < expiresAt || chunks >= STEP_CHUNKS) break;
    tables.deadlines.remove(key);
    if (tables.emails.doesExist([inbox, receivedAt])) {
      tables.emails.remove([inbox, receivedAt]);
      leaveInbox(tables, inbox);
      chunks += leaveMessage(tables, message);
    } else {
      forgetCleared(tables, inbox, receivedAt);
    }
    emails += 1;
  }
  return emails;
}

/** Deletes some of an inbox's emails up to the one of `newest`, which was its newest; tells how many emails that were. */
export function clearEmails(tables: Tables, inbox: string, newest: number): number {
  const range: Range<[string, number]> = { start: [inbox, 0], end: [inbox, newest + 1], limit: STEP_EMAILS };
  let emails = 0;
  let chunks = 0;
  for (const { key, value } of [...tables.emails.getRange(range)]) {
    if (chunks >= STEP_CHUNKS) break;
    const [, receivedAt] = key;
    tables.emails.remove(key);
    if (receivedAt !== newest) tables.deadlines.remove([value.expiresAt, inbox, receivedAt]);
    const state = tables.inboxes.get(inbox);
    if (state !== undefined) tables.inboxes.put(inbox, { ...state, count: state.count - 1 });
    chunks += leaveMessage(tables, value.message);
    emails += 1;
  }
  return emails;
}

/** Whether there is something that had expired at `now`. */
export function hasExpired(tables: Tables, now: number): boolean {
  const [next] = tables.deadlines.getKeys({ limit: 1 });
  return next !== undefined && next[0] <= now;
}

/**
 * An inbox whose emails are all gone is forgotten. Its newest email has expired by then. So a later delivery gets an
 * earlier `receivedAt` only if it has expired itself, or if the clock went back by more than the retention.
 */
function leaveInbox(tables: Tables, inbox: string): void {
  const state = tables.inboxes.get(inbox);
  if (state === undefined) return;
  if (state.count > 1) tables.inboxes.put(inbox, { ...state, count: state.count - 1 });
  else tables.inboxes.remove(inbox);
}

/** An inbox that was cleared is forgotten when its newest email would have expired, unless it has had another one since. */
function forgetCleared(tables: Tables, inbox: string, receivedAt: number): void {
  const state = tables.inboxes.get(inbox);
  if (state?.count === 0 && state.newest === receivedAt) tables.inboxes.remove(inbox);
}

/** Takes one email off a message; tells how many chunks were removed with the last one. */
function leaveMessage(tables: Tables, message: string): number {
  const row = tables.messages.get(message);
  if (row === undefined) return 0;
  if (row.emails > 1) {
    tables.messages.put(message, { ...row, emails: row.emails - 1 });
    return 0;
  }
  tables.messages.remove(message);
  tables.mayfly.put('bytes', (tables.mayfly.get('bytes') ?? 0) - row.indexBytes - row.contentBytes);
  return removeChunks(tables, message, row);
}

function removeChunks(
  tables: Tables,
  message: string,
  { indexBytes, contentBytes }: Omit<MessageRow, 'emails'>,
): number {
  const chunks = chunkCount(indexBytes) + chunkCount(contentBytes);
  for (let position = 0; position < chunks; position += 1) tables.chunks.remove([message, position]);
  return chunks;
}
