import type { RecentPage, RecentQuery } from '../store.js';
import type { Reply } from './replies.js';
import { type Due, dueMember, dueOf, emailOf, type Keys, type RedisEmail } from './rows.js';

/** What a page of recent emails is read with. */
export interface RecentReads {
  /** Runs the script recent.lua. */
  due(keys: readonly string[], args: readonly string[]): Promise<Reply>;
  read(...command: string[]): Promise<Reply>;
}

/** How many things that are due are read for each email: its inbox is due together with its newest one. */
const DUES_PER_EMAIL = 2;

/** Something that is due, and when. */
interface DueAt {
  readonly due: Due;
  readonly at: number;
}

/**
 * A page of the emails of all inboxes, as `Store.recent` promises it: what is due is gone through, the last first. Where more
 * inboxes than emails are, a page has less than it may have.
 */
export async function recentPage(
  { due, read }: RecentReads,
  keys: Keys,
  { behind, limit }: RecentQuery,
  now: number,
): Promise<RecentPage<RedisEmail>> {
  const [score = '', member = ''] = behind === undefined ? [] : splitOnce(behind);
  // One more than is looked at, which tells whether there is another page.
  const most = DUES_PER_EMAIL * limit + 1;
  const found = (await due([keys.due], [`${most}`, score, member])) as Buffer[];
  const dues: DueAt[] = [];
  for (let i = 0; i < found.length; i += 2) dues.push({ due: dueOf(String(found[i])), at: Number(found[i + 1]) });
  const end = dues.findIndex(({ at }) => at <= now);
  const left = end < 0 ? dues : dues.slice(0, end);
  const looked = upToEmails(left.slice(0, most - 1), limit);
  const emails = await Promise.all(looked.map((one) => seenEmail(read, keys, one)));
  const last = looked.at(-1);
  const next = left.length > looked.length && last !== undefined ? `${last.at} ${last.due.member}` : null;
  return { emails: emails.filter((email) => email !== null), next };
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
async function seenEmail(read: RecentReads['read'], keys: Keys, { due, at }: DueAt): Promise<RedisEmail | null> {
  if (due.kind !== 'email') return null;
  const { inbox, member, retentionMs } = due;
  const receivedAt = at - retentionMs;
  const range = [`${receivedAt}`, `${receivedAt}`, 'BYSCORE'];
  const [row] = (await read('ZRANGE', keys.emails(inbox), ...range)) as Buffer[];
  if (row === undefined || dueMember(inbox, String(row)) !== member) return null;
  return emailOf(inbox, String(row), receivedAt);
}

function splitOnce(text: string): [string, string] {
  const blank = text.indexOf(' ');
  return [text.slice(0, blank), text.slice(blank + 1)];
}
