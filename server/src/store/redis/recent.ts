import type { RecentPage, RecentQuery } from '../store.js';
import type { Bucket } from './bucket.js';
import { type Due, dueMember, dueOf, emailOf, type RedisEmail } from './rows.js';

/** How many things that are due are read for each email: its inbox is due together with its newest one. */
const DUES_PER_EMAIL = 2;

/** How many things that are due are read of a bucket at once at least. */
const LEAST_READ = 4;

/** Something that is due, where, and when. */
interface DueAt {
  readonly bucket: Bucket;
  readonly due: Due;
  readonly at: number;
}

/**
 * A page of the emails of all inboxes, as `Store.recent` promises it: what is due is gone through, the last first. Where more
 * inboxes than emails are, a page has less than it may have.
 */
export async function recentPage(
  buckets: readonly Bucket[],
  { behind, limit }: RecentQuery,
  now: number,
): Promise<RecentPage<RedisEmail>> {
  // One more than is looked at, which tells whether there is another page.
  const most = DUES_PER_EMAIL * limit + 1;
  const dues = await lastDues(buckets, behind, most);
  const end = dues.findIndex(({ at }) => at <= now);
  const left = end < 0 ? dues : dues.slice(0, end);
  const looked = upToEmails(left.slice(0, most - 1), limit);
  const emails = await Promise.all(looked.map(seenEmail));
  const last = looked.at(-1);
  const next = left.length > looked.length && last !== undefined ? placeOf(last) : null;
  return { emails: emails.filter((email) => email !== null), next };
}

/** A place in the order in which everything is due, whichever bucket has it: the last first, and of one moment the last by its bytes. */
function placeOf({ at, due }: DueAt): string {
  return `${at} ${due.member}`;
}

/** Some of what is due of a bucket, from a place on. */
interface Head {
  readonly bucket: Bucket;
  dues: DueAt[];
  /** Where it has more, or null. */
  next: string | null;
}

/** What is due last of all buckets, at most so many. Each is asked for few, and for more only where it has the last of all. */
async function lastDues(buckets: readonly Bucket[], behind: string | undefined, most: number): Promise<DueAt[]> {
  const heads = buckets.map((bucket): Head => ({ bucket, dues: [], next: behind ?? '' }));
  let count = Math.min(most, Math.max(LEAST_READ, Math.ceil((2 * most) / buckets.length)));
  await Promise.all(heads.map((head) => readOn(head, count)));
  const found: DueAt[] = [];
  while (found.length < most) {
    const head = heads.reduce<Head | null>((last, one) => (isLater(one.dues[0], last?.dues[0]) ? one : last), null);
    const due = head?.dues.shift();
    if (head === null || due === undefined) break;
    found.push(due);
    if (head.dues.length > 0 || head.next === null) continue;
    count = Math.min(most, 2 * count);
    await readOn(head, count);
  }
  return found;
}

async function readOn(head: Head, count: number): Promise<void> {
  const { bucket, next } = head;
  const [score = '', member = ''] = next ? splitOnce(next) : [];
  const found = (await bucket.script('recent', [bucket.keys.due], [`${count}`, score, member])) as Buffer[];
  for (let i = 0; i < found.length; i += 2) {
    head.dues.push({ bucket, due: dueOf(String(found[i])), at: Number(found[i + 1]) });
  }
  const last = head.dues.at(-1);
  head.next = found.length === 2 * count && last !== undefined ? placeOf(last) : null;
}

function isLater(one: DueAt | undefined, other: DueAt | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  if (one.at !== other.at) return one.at > other.at;
  return Buffer.compare(Buffer.from(one.due.member), Buffer.from(other.due.member)) > 0;
}

/** What is due up to so many emails. */
function upToEmails(dues: readonly DueAt[], limit: number): readonly DueAt[] {
  let emails = 0;
  const end = dues.findIndex(({ due }) => {
    if (due.kind === 'email') emails += 1;
    return emails > limit;
  });
  return end < 0 ? dues : dues.slice(0, end);
}

/** The email that is due, where its inbox shows it; null where it was cleared, and for all that is no email. */
async function seenEmail({ bucket, due, at }: DueAt): Promise<RedisEmail | null> {
  if (due.kind !== 'email') return null;
  const { inbox, member, retentionMs } = due;
  const receivedAt = at - retentionMs;
  const range = [`${receivedAt}`, `${receivedAt}`, 'BYSCORE'];
  const [row] = (await bucket.read('ZRANGE', bucket.keys.emails(inbox), ...range)) as Buffer[];
  if (row === undefined || dueMember(inbox, String(row)) !== member) return null;
  return emailOf(inbox, String(row), receivedAt);
}

function splitOnce(text: string): [string, string] {
  const blank = text.indexOf(' ');
  return [text.slice(0, blank), text.slice(blank + 1)];
}
