import type { RecentPage, RecentQuery } from '../../../server/dist/store/seam.js';
import { type ExpiryEntry, expiryEntryOf } from './expiry-index.js';
import type { RedisEmail } from './rows.js';
import type { Shard } from './shard.js';

/** Index entries read per email: its inbox has one beside that of its newest email. */
const ENTRIES_PER_EMAIL = 2;

const LEAST_READ = 4;

interface IndexedEntry {
  readonly shard: Shard;
  readonly entry: ExpiryEntry;
  readonly at: number;
}

/** A page as `Store.recent` promises it, from the ends of the expiry indexes. More inboxes than emails shorten it. */
export async function recentPage(
  shards: readonly Shard[],
  { behind, upTo, limit }: RecentQuery,
  now: number,
): Promise<RecentPage<RedisEmail>> {
  // One more than is looked at, to see whether there is another page.
  const most = ENTRIES_PER_EMAIL * limit + 1;
  const entries = await latestEntries(shards, behind ?? (upTo === undefined ? undefined : placeBefore(upTo)), most);
  const end = entries.findIndex(({ at }) => at <= now);
  const left = end < 0 ? entries : entries.slice(0, end);
  const looked = upToEmails(left.slice(0, most - 1), limit);
  const emails = await Promise.all(looked.map(seenEmail));
  const last = looked.at(-1);
  const next = left.length > looked.length && last !== undefined ? placeOf(last) : null;
  return { emails: emails.filter((email) => email !== null), next };
}

function placeOf({ at, entry }: IndexedEntry): string {
  return `${at} ${entry.member}`;
}

/** Behind all that expire later: no member is empty, and an empty one would come last of its score. */
function placeBefore(expiresAt: number): string {
  return `${expiresAt + 1} `;
}

interface Head {
  readonly shard: Shard;
  entries: IndexedEntry[];
  next: string | null;
}

/** The last entries of all shards. Each is asked for a few, and for more only while it has the last of all. */
async function latestEntries(
  shards: readonly Shard[],
  behind: string | undefined,
  most: number,
): Promise<IndexedEntry[]> {
  const heads = shards.map((shard): Head => ({ shard, entries: [], next: behind ?? '' }));
  let count = Math.min(most, Math.max(LEAST_READ, Math.ceil((2 * most) / shards.length)));
  await Promise.all(heads.map((head) => readOn(head, count)));
  const found: IndexedEntry[] = [];
  while (found.length < most) {
    const head = heads.reduce<Head | null>(
      (last, one) => (isLater(one.entries[0], last?.entries[0]) ? one : last),
      null,
    );
    const latest = head?.entries.shift();
    if (head === null || latest === undefined) break;
    found.push(latest);
    if (head.entries.length > 0 || head.next === null) continue;
    count = Math.min(most, 2 * count);
    await readOn(head, count);
  }
  return found;
}

async function readOn(head: Head, count: number): Promise<void> {
  const { shard, next } = head;
  const [score = '', member = ''] = next ? splitOnce(next) : [];
  const found = (await shard.script('recent', [shard.keys.expiryIndex], [`${count}`, score, member])) as Buffer[];
  for (let i = 0; i < found.length; i += 2) {
    head.entries.push({ shard, entry: expiryEntryOf(String(found[i])), at: Number(found[i + 1]) });
  }
  const last = head.entries.at(-1);
  head.next = found.length === 2 * count && last !== undefined ? placeOf(last) : null;
}

function isLater(one: IndexedEntry | undefined, other: IndexedEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  if (one.at !== other.at) return one.at > other.at;
  return Buffer.compare(Buffer.from(one.entry.member), Buffer.from(other.entry.member)) > 0;
}

function upToEmails(entries: readonly IndexedEntry[], limit: number): readonly IndexedEntry[] {
  let emails = 0;
  const end = entries.findIndex(({ entry }) => {
    if (entry.kind === 'email') emails += 1;
    return emails > limit;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

async function seenEmail({ shard, entry, at }: IndexedEntry): Promise<RedisEmail | null> {
  if (entry.kind !== 'email') return null;
  const { inbox, retentionMs } = entry;
  const email = await shard.at(inbox, at - retentionMs);
  if (email === null || email.message !== entry.message || email.ordinal !== entry.ordinal) return null;
  return email;
}

function splitOnce(text: string): [string, string] {
  const blank = text.indexOf(' ');
  return [text.slice(0, blank), text.slice(blank + 1)];
}
