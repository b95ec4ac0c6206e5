import type { RecentPage, RecentQuery } from '../../server/dist/store/seam.js';
import { textsOf } from './client.js';
import { emailOf, GRACE_MS, keysOf, memberOf, type RedisEmail } from './rows.js';
import type { Servers } from './servers.js';

/** How many indexes a cluster has, so that several masters share them. */
const CLUSTER_INDEXES = 16;

const NAMES_PAGE = 1_000;

/** Decimal digits of a time, so that members sort by it. */
const TIME_DIGITS = 14;

/**
 * What is in all inboxes: sorted sets whose members begin with when an email expires, and name its inbox and its member
 * there. A cluster has several, each with a hash tag of its own; an email may be in any. An entry whose email was cleared
 * stays until it would have expired.
 */
export class AllMail {
  readonly #servers: Servers;
  readonly tags: readonly string[];

  constructor(servers: Servers) {
    this.#servers = servers;
    const count = servers.place.isCluster ? CLUSTER_INDEXES : 1;
    this.tags = Array.from({ length: count }, (_, i) => `index${i}`);
  }

  /** Adds emails at `now`, resolving once enough replicas have them. */
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

  /** One that is with the inbox's own master, if there is one: no other need be there. */
  #tagFor({ inbox }: RedisEmail): string {
    const owner = this.#servers.ownerOf(inbox);
    const near = this.tags.filter((tag) => this.#servers.ownerOf(tag) === owner);
    const among = near.length > 0 ? near : this.tags;
    return among[this.#servers.slotOf(inbox) % among.length] as string;
  }

  /** A page as `Store.recent` promises it. */
  async recent({ behind, upTo, limit }: RecentQuery, now: number): Promise<RecentPage<RedisEmail>> {
    const from = behind ?? (upTo === undefined ? '' : placeAt(upTo + 1));
    const max = from === '' ? '+' : `(${from}`;
    // One more than is looked at, to see whether there is another page.
    const range = [max, `[${placeAt(now + 1)}`, 'BYLEX', 'REV', 'LIMIT', '0', `${limit + 1}`];
    const found = await Promise.all(this.tags.map((tag) => this.#servers.command(tag, 'ZRANGE', keyOf(tag), ...range)));
    const entries = found.flatMap(textsOf).sort().reverse();
    const looked = entries.slice(0, limit);
    const emails = await Promise.all(looked.map((entry) => this.#listed(entry)));
    const next = entries.length > limit ? (looked.at(-1) ?? null) : null;
    return { emails: emails.filter((email) => email !== null), next };
  }

  /** The email of an entry; null if its inbox lists it no more. */
  async #listed(entry: string): Promise<RedisEmail | null> {
    const { inbox, member } = parsed(entry);
    const receivedAt = await this.#servers.command(inbox, 'ZSCORE', keysOf(inbox).emails, member);
    return receivedAt === null ? null : emailOf(inbox, member, Number(receivedAt));
  }

  /** The names of inboxes with mail, each once. */
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

  /** How many emails have not expired at `now`, cleared ones included. */
  async count(now: number): Promise<number> {
    const range = [`[${placeAt(now + 1)}`, '+'] as const;
    const counts = this.tags.map((tag) => this.#servers.command(tag, 'ZLEXCOUNT', keyOf(tag), ...range));
    return (await Promise.all(counts)).reduce<number>((sum, count) => sum + Number(count), 0);
  }
}

function keyOf(tag: string): string {
  return `mayfly:{${tag}}`;
}

/** Where the entries of emails begin that expire at this time or later. */
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
