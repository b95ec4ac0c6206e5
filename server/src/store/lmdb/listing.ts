import type { RecentPage, RecentQuery, StoredEmail, WaitlistEntry } from '../store.js';
import {
  behindInbox,
  type EmailRow,
  emailRow,
  FIRST_INBOX,
  inboxKey,
  inboxOf,
  isSeen,
  LAST_DEADLINE,
  lastDeadlineAt,
  receivedAtOf,
  stateOf,
} from './rows.js';
import type { Tables } from './tables.js';

const WAITLIST_PAGE = 100;

/** A page of the emails of all inboxes, as `Store.recent` promises it, from the last deadline on. */
export function recentPage(
  tables: Tables,
  { behind, limit }: RecentQuery,
  now: number,
): RecentPage<StoredEmail & EmailRow> {
  const start = behind === undefined ? LAST_DEADLINE : Buffer.from(behind, 'hex');
  const end = lastDeadlineAt(now);
  // One more than is looked at, and the end of the last page, which that page showed.
  const range = { start, end, reverse: true, limit: limit + 2 };
  const rows = [...tables.deadlines.getRange(range)].filter(({ key }) => !key.equals(start));
  const looked = rows.slice(0, limit);
  const gone = new Map<string, number>();
  const emails: (StoredEmail & EmailRow)[] = [];
  for (const { value: key } of looked) {
    const row = tables.emails.getBinaryFast(key);
    // The deadline of a deleted email may remain.
    if (row === undefined || !isSeen(row, now)) continue;
    const email = { inbox: inboxOf(key), receivedAt: receivedAtOf(key), ...emailRow(row) };
    if (email.receivedAt > goneUpTo(tables, email.inbox, gone)) emails.push(email);
  }
  const last = looked.at(-1)?.key ?? start;
  return { emails, next: rows.length > looked.length ? last.toString('hex') : null };
}

function goneUpTo(tables: Tables, inbox: string, known: Map<string, number>): number {
  const before = known.get(inbox);
  if (before !== undefined) return before;
  const bytes = tables.emails.getBinaryFast(inboxKey(inbox));
  const upTo = bytes === undefined ? -1 : stateOf(bytes).goneUpTo;
  known.set(inbox, upTo);
  return upTo;
}

export async function* inboxNames(tables: Tables, mustBeOpen: () => void): AsyncGenerator<string> {
  for (let start: Buffer = FIRST_INBOX; ; ) {
    mustBeOpen();
    const [key] = tables.emails.getKeys({ start, limit: 1 });
    if (key === undefined) return;
    start = behindInbox(key);
    yield inboxOf(key);
  }
}

export async function* waitlistEntries({ waitlist }: Tables, mustBeOpen: () => void): AsyncGenerator<WaitlistEntry> {
  for (let start = 1; ; start += WAITLIST_PAGE) {
    mustBeOpen();
    const page = [...waitlist.getRange({ start, limit: WAITLIST_PAGE })];
    yield* page.map(({ value }) => value);
    if (page.length < WAITLIST_PAGE) return;
  }
}
