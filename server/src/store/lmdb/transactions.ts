/** What happens within a write transaction. A transaction stops the event loop, so each job is bounded. */

import { admit, cleared, isOver, withoutEmail } from '../admission.js';
import { bytesOf, chunkCount } from '../chunks.js';
import { emailCost, messageCost } from '../cost.js';
import type { Appended, Delivery, StoreLimits } from '../store.js';
import type { EmailRow, MessageRow, Tables } from './tables.js';

/** How many emails one step deletes at most. */
const STEP_EMAILS = 100;

/** After how many chunks a step stops: it deletes no more than these and those of one message. */
export const STEP_CHUNKS = 256;

/** Makes emails of a delivery whose chunks have been written under `message`, or removes these chunks again. */
export function appendEmails(
  tables: Tables,
  message: string,
  delivery: Delivery,
  now: number,
  limits: StoreLimits,
): Appended {
  const held = tables.mayfly.get('bytes') ?? 0;
  const { appended, arrivals, inboxes, bytes } = admit(delivery, now, limits, {
    bytes: held,
    inbox: (name) => tables.inboxes.get(name),
    emails: (name, after) => oldestFirst(tables, name, after),
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
  tables.mayfly.put('bytes', held + bytes);
  for (const [inbox, state] of inboxes) tables.inboxes.put(inbox, state);
  for (const { inbox, receivedAt, ...email } of arrivals) {
    tables.emails.put([inbox, receivedAt], { ...email, message });
    tables.deadlines.put([email.expiresAt, inbox, receivedAt], message);
  }
  return appended;
}

/** Hides what an inbox has, and notes that it is to be deleted. */
export function clearInbox(tables: Tables, inbox: string, now: number): void {
  const state = tables.inboxes.get(inbox);
  if (state === undefined || state.count === 0) return;
  tables.inboxes.put(inbox, cleared(state));
  tables.clearings.put([now, inbox], state.newest);
}

/** Whether there is something that was cleared or had expired at `now`. */
export function isPurgeDue(tables: Tables, now: number): boolean {
  return Math.min(nextAt(tables.deadlines), nextAt(tables.clearings)) <= now;
}

/** Deletes some of what was cleared or had expired at `now`, that of longest ago first; tells whether there was any. */
export function purgeEmails(tables: Tables, now: number): boolean {
  const [expiredAt, clearedAt] = [nextAt(tables.deadlines), nextAt(tables.clearings)];
  if (Math.min(expiredAt, clearedAt) > now) return false;
  if (clearedAt <= expiredAt) deleteCleared(tables, now);
  else deleteExpired(tables, Math.min(now, clearedAt), now);
  return true;
}

/** The first part of a table's first key, which is a time; `Infinity` when the table is empty. */
function nextAt(table: { getKeys(range: { limit: number }): Iterable<readonly [number, ...unknown[]]> }): number {
  const [first] = table.getKeys({ limit: 1 });
  return first?.[0] ?? Number.POSITIVE_INFINITY;
}

/** Deletes some of what had expired at `until`. */
function deleteExpired(tables: Tables, until: number, now: number): void {
  let chunks = 0;
  for (const key of [...tables.deadlines.getKeys({ limit: STEP_EMAILS })]) {
    const [expiresAt, inbox, receivedAt] = key;
    if (until < expiresAt || chunks >= STEP_CHUNKS) break;
    tables.deadlines.remove(key);
    const email = tables.emails.get([inbox, receivedAt]);
    if (email) chunks += deleteEmail(tables, inbox, receivedAt, email, now);
    const state = tables.inboxes.get(inbox);
    if (state && isOver(state, now)) tables.inboxes.remove(inbox);
  }
}

/** Deletes some of what was cleared first. */
function deleteCleared(tables: Tables, now: number): void {
  const [clearing] = tables.clearings.getRange({ limit: 1 });
  if (clearing === undefined) return;
  const { key, value: upTo } = clearing;
  const inbox = key[1];
  let chunks = 0;
  let left = STEP_EMAILS;
  for (const row of [...tables.emails.getRange({ start: [inbox, 0], end: [inbox, upTo + 1], limit: STEP_EMAILS })]) {
    if (chunks >= STEP_CHUNKS) return;
    const receivedAt = row.key[1];
    if (receivedAt !== upTo) tables.deadlines.remove([row.value.expiresAt, inbox, receivedAt]);
    chunks += deleteEmail(tables, inbox, receivedAt, row.value, now);
    left -= 1;
  }
  if (left > 0) tables.clearings.remove(key);
}

/** Deletes an email; tells how many chunks went with it. */
function deleteEmail(tables: Tables, inbox: string, receivedAt: number, email: EmailRow, now: number): number {
  tables.emails.remove([inbox, receivedAt]);
  tables.mayfly.put('bytes', (tables.mayfly.get('bytes') ?? 0) - emailCost({ inbox, to: email.to }));
  const state = tables.inboxes.get(inbox);
  const after = state && withoutEmail(state, receivedAt, now);
  if (after) tables.inboxes.put(inbox, after);
  else tables.inboxes.remove(inbox);
  return leaveMessage(tables, email.message);
}

function* oldestFirst(tables: Tables, inbox: string, after: number) {
  const range = { start: [inbox, after + 1] as [string, number], end: [inbox, Infinity] as [string, number] };
  for (const { key, value } of tables.emails.getRange(range)) yield { ...value, receivedAt: key[1] };
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
  const cost = messageCost(row.indexBytes, row.contentBytes);
  tables.mayfly.put('bytes', (tables.mayfly.get('bytes') ?? 0) - cost);
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
