import type { RecentPage, RecentQuery } from '../../server/dist/store/seam.js';
import { textsOf } from './client.js';
import { emailOf, GRACE_MS, keysOf, memberOf, type RedisEmail } from './rows.js';
import type { Servers } from './servers.js';

/** Number of indexes of all mail in a cluster. They are spread over the masters. */
const CLUSTER_INDEXES = 16;

const NAMES_PAGE = 1_000;

/** A fixed number of digits, so that members sort by time. */
const TIME_DIGITS = 14;

/**
 * The index of all mail: a sorted set. Each member contains an email's expiry time, its inbox, and its member in the
 * inbox's sorted set, in this order. A cluster has several such sets with different hash tags; any of them may hold an
 * email. The entry of a cleared email stays until the email would have expired.
 */
export class AllMail {
  readonly #servers: Servers;
  readonly tags: readonly string[];

  constructor(servers: Servers) {
    this.#servers = servers;
    const count = servers.place.isCluster ? CLUSTER_INDEXES : 1;
    this.tags = Array.from({ length: count }, (_, i) => `index${i}`);
  }

  /** Adds emails to the index. Resolves once enough replicas have the entries. */
  async add(emails: readonly RedisEmail[], now: number): Promise<void> {
    const byTag = new Map<string, RedisEmail[]>();
    for (const email of emails) {
      const tag = this.#tagFor(email);
      byTag.set(tag, [...(byTag.get(tag) ?? []), email]);
    }
    const adding = [...byTag].map(([tag, some]) => {
      const last = Math.max(...some.map(({ expiresAt }) => expiresAt));
      const args = [placeAt(now - GRACE_MS), `${last + GRACE_MS}`, ...some.map(entryOf)];
      return this.#servers.script(tag, 'index', [keyOf(tag)], args, { isLasting: true });
    });
    await Promise.all(adding);
  }

  /** Prefers an index on the inbox's master, so that no other master is needed. */
  #tagFor({ inbox }: RedisEmail): string {
    const owner = this.#servers.ownerOf(inbox);
    const near = this.tags.filter((tag) => this.#servers.ownerOf(tag) === owner);
    const among = near.length > 0 ? near : this.tags;
    return among[this.#servers.slotOf(inbox) % among.length] as string;
  }

  /** See `Store.recent`. */
  async recent({ behind, upTo, limit }: RecentQuery, now: number): Promise<RecentPage<RedisEmail>> {
    const from = behind ?? (upTo === undefined ? '' : placeAt(upTo + 1));
    const max = from === '' ? '+' : `(${from}`;
    // Requests one entry more than a page holds, to find out whether another page follows.
    const range = [max, `[${placeAt(now + 1)}`, 'BYLEX', 'REV', 'LIMIT', '0', `${limit + 1}`];
    const found = await Promise.all(this.tags.map((tag) => this.#servers.command(tag, 'ZRANGE', keyOf(tag), ...range)));
    const entries = found.flatMap(textsOf).sort().reverse();
    const shown = entries.slice(0, limit);
    const emails = await Promise.all(shown.map((entry) => this.#listed(entry)));
    const next = entries.length > limit ? (shown.at(-1) ?? null) : null;
    return { emails: emails.filter((email) => email !== null), next };
  }

  /** The email of an entry; null if the inbox no longer lists it. */
  async #listed(entry: string): Promise<RedisEmail | null> {
    const { inbox, member } = parsed(entry);
    const receivedAt = await this.#servers.command(inbox, 'ZSCORE', keysOf(inbox).emails, member);
    return receivedAt === null ? null : emailOf(inbox, member, Number(receivedAt));
  }

  /** Yields each inbox that has mail, without repetition. */
  async *inboxes(): AsyncGenerator<string> {
    const named = new Set<string>();
    for (const tag of this.tags) {
      for (let from = '-'; ; ) {
        const range = [from, '+', 'BYLEX', 'LIMIT', '0', `${NAMES_PAGE}`];
        const entries = textsOf(await this.#servers.command(tag, 'ZRANGE', keyOf(tag), ...range));
        for (const entry of entries) {
          const { inbox } = parsed(entry);
          if (named.has(inbox)) continue;
          named.add(inbox);
          yield inbox;
        }
        if (entries.length < NAMES_PAGE) break;
        from = `(${entries.at(-1)}`;
      }
    }
  }

  /** Counts the unexpired emails, including cleared ones. */
  async count(now: number): Promise<number> {
    const range = [`[${placeAt(now + 1)}`, '+'] as const;
    const counts = this.tags.map((tag) => this.#servers.command(tag, 'ZLEXCOUNT', keyOf(tag), ...range));
    return (await Promise.all(counts)).reduce<number>((sum, count) => sum + Number(count), 0);
  }
}

function keyOf(tag: string): string {
  return `mayfly:{${tag}}`;
}

/** A text that sorts before all entries that expire at this time or later, and after all other entries. */
function placeAt(time: number): string {
  return String(Math.max(0, time)).padStart(TIME_DIGITS, '0');
}

function entryOf(email: RedisEmail): string {
  const { inbox, receivedAt, expiresAt } = email;
  return `${placeAt(expiresAt)} ${inbox} ${memberOf(email, expiresAt - receivedAt)}`;
}

function parsed(entry: string): { inbox: string; member: string } {
  const [, inbox = '', ...member] = entry.split(' ');
  return { inbox, member: member.join(' ') };
}
