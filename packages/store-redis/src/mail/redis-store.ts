import {
  type Appended,
  bytesOf,
  CHUNK_BYTES,
  type Content,
  type Delivery,
  type FullDiskLines,
  type Jobs,
  type ListQuery,
  type RecentPage,
  type RecentQuery,
  SCAN_ROW_BYTES,
  type Scanned,
  type ScanQuery,
  Semaphore,
  type Store,
  StoreFullDiskError,
  type StoreLimits,
  type Usage,
  type WaitlistEntry,
} from '../../../server/dist/store/seam.js';
import { textsOf } from '../connection/client.js';
import type { Servers } from '../connection/servers.js';
import type { Watches } from '../connection/subscriptions.js';
import { pause } from '../connection/timers.js';
import { shardNumber } from '../connection/topology.js';
import { Budget, Room } from './budget.js';
import { inboxNames } from './expiry-index.js';
import { costIn, type FanOut, Rollbacks, storeIn } from './fan-out.js';
import { type Packed, packedDelivery } from './part.js';
import { recentPage } from './recent.js';
import type { RedisEmail } from './rows.js';
import { Shard, type ShardOptions, type TimeFloor } from './shard.js';

/** Shards that one step purges at most, those that expired first. */
const SHARDS_AT_ONCE = 16;

/** How long closing waits for work under way: as long as a silent server may take to answer. */
const CLOSE_PATIENCE_MS = 10_000;

/** The waitlist's own hash tag: a set of its addresses, and a list of its entries in the order of joining. */
const WAITLIST_TAG = 'waitlist';
const WAITLIST_ENTRIES = `mayfly:{${WAITLIST_TAG}}:entries`;
const WAITLIST_KEYS = [`mayfly:{${WAITLIST_TAG}}:addresses`, WAITLIST_ENTRIES];

const WAITLIST_PAGE = 100;

export interface RedisStoreOptions extends ShardOptions {
  readonly fullDisk: FullDiskLines;
  /** Work under way, also of others that use the same servers. */
  readonly jobs: Jobs;
}

/** A store in a Redis server or cluster. Any number of nodes may open it. */
export class RedisStore implements Store<RedisEmail> {
  readonly #servers: Servers;
  readonly #watches: Watches;
  readonly #limits: StoreLimits;
  readonly #floor: TimeFloor;
  readonly #shards: readonly Shard[];
  readonly #budget: Budget;
  readonly #room: Room;
  /** Shards still to be purged: all are asked again only after these. */
  #toPurge: Shard[] = [];
  readonly #rollbacks = new Rollbacks();
  readonly #fanOut: FanOut;
  readonly #waitlist: Shard;
  /** So few large messages are held in memory a second time. */
  readonly #large = new Semaphore(2);
  readonly #jobs: Jobs;
  readonly #fullDisk: FullDiskLines;

  constructor(servers: Servers, watches: Watches, limits: StoreLimits, options: RedisStoreOptions) {
    this.#servers = servers;
    this.#watches = watches;
    this.#limits = limits;
    this.#floor = options.floor;
    this.#fullDisk = options.fullDisk;
    this.#jobs = options.jobs;
    this.#shards = servers.tags.map((tag) => new Shard(tag, servers.route(tag), options));
    this.#budget = new Budget(limits.budgetBytes, this.#shards);
    this.#room = new Room(this.#shards);
    this.#fanOut = { shardOf: this.#shardOf, budget: this.#budget, rollbacks: this.#rollbacks, limits };
    this.#waitlist = new Shard(WAITLIST_TAG, servers.route(WAITLIST_TAG));
  }

  readonly #shardOf = (inbox: string): Shard => {
    return this.#shards[shardNumber(inbox, this.#shards.length)] as Shard;
  };

  append(delivery: Delivery, now: number): Promise<Appended> {
    this.#floor.told(now);
    return this.#jobs.run(() => {
      const append = async () => this.#appendIfDisk(delivery, await packedDelivery(delivery), now);
      return bytesOf(delivery.content) > CHUNK_BYTES ? this.#large.run(append) : append();
    });
  }

  list(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    this.#floor.told(now);
    return this.#jobs.run(() => this.#shardOf(inbox).newest(inbox, query, now));
  }

  scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Promise<Scanned<RedisEmail>[]> {
    return this.#jobs.run(async () => {
      // No page has more, as each row costs this.
      const limit = Math.floor(maxBytes / SCAN_ROW_BYTES) + 1;
      for (let query: ListQuery = { ...range, limit }; ; ) {
        const emails = pageOf(await this.#shardOf(inbox).newest(inbox, query, now), maxBytes);
        const scanned = await this.#withIndexes(emails);
        const last = emails.at(-1);
        // A deletion a moment ago does not end the list.
        if (scanned.length > 0 || last === undefined) return scanned;
        query = { ...query, before: last.receivedAt };
      }
    });
  }

  recent(query: RecentQuery, now: number): Promise<RecentPage<RedisEmail>> {
    return this.#jobs.run(() => recentPage(this.#shards, query, now));
  }

  summaries(emails: readonly RedisEmail[]): Promise<(Uint8Array | null)[]> {
    return this.#jobs.run(() => Promise.all(emails.map((email) => this.#shardOf(email.inbox).field(email, 's'))));
  }

  content(email: RedisEmail): Promise<Content> {
    return this.#jobs.run(async () => ({
      first: await this.#shardOf(email.inbox).chunk(email, 0),
      rest: email.chunks > 1 ? this.#chunksBehindFirst(email) : null,
    }));
  }

  contentKey({ message }: RedisEmail): string {
    return message;
  }

  async *#chunksBehindFirst(email: RedisEmail): AsyncGenerator<Uint8Array> {
    const shard = this.#shardOf(email.inbox);
    for (let chunk = 1; chunk < email.chunks; chunk += 1) yield await this.#jobs.run(() => shard.chunk(email, chunk));
  }

  watch(inbox: string, wake: () => void): () => void {
    this.#jobs.mustBeOpen();
    const { keys, tag } = this.#shardOf(inbox);
    return this.#watches.watch(keys.emails(inbox), tag, wake);
  }

  async hasToldAll(inbox: string): Promise<boolean> {
    this.#jobs.mustBeOpen();
    return this.#servers.isCaughtUp(this.#shardOf(inbox).keys.emails(inbox));
  }

  clear(inbox: string, now: number): Promise<void> {
    return this.#jobs.run(async () => {
      await this.#shardOf(inbox).clear(inbox, now);
      this.#room.deleted();
    });
  }

  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    return this.#jobs.run(async () => {
      const wasThere = await this.#shardOf(inbox).clearOne(inbox, receivedAt, now);
      if (wasThere) this.#room.deleted();
      return wasThere;
    });
  }

  purge(now: number): Promise<boolean> {
    return this.#jobs.run(async () => {
      if (this.#toPurge.length === 0) this.#toPurge = await this.#lookAround(now);
      const shards = this.#toPurge.splice(0, SHARDS_AT_ONCE);
      const steps = await Promise.allSettled(shards.map((shard) => shard.purge(now)));
      if (steps.some((step) => step.status === 'fulfilled' && step.value !== 'nothing')) this.#room.deleted();
      for (const step of steps) if (step.status === 'rejected') throw step.reason;
      const isMore = steps.some((step) => step.status === 'fulfilled' && step.value === 'more');
      return isMore || this.#toPurge.length > 0;
    });
  }

  async #lookAround(now: number): Promise<Shard[]> {
    await this.#servers.checkNowAndThen();
    await this.#rollbacks.retry();
    await this.#budget.refresh();
    return [...(await this.#room.expired(now)).shards];
  }

  async *inboxes(): AsyncGenerator<string> {
    for (const shard of this.#shards) {
      for await (const inbox of inboxNames(shard.keys, (...args) => this.#jobs.run(() => shard.read(...args)))) {
        this.#jobs.mustBeOpen();
        yield inbox;
      }
    }
  }

  joinWaitlist(email: string, now: number): Promise<void> {
    return this.#jobs.run(async () => {
      const entry: WaitlistEntry = { email, joinedAt: now };
      await this.#waitlist.lasting('join-waitlist', WAITLIST_KEYS, [email, JSON.stringify(entry)]);
    });
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    for (let start = 0; ; start += WAITLIST_PAGE) {
      const range = [`${start}`, `${start + WAITLIST_PAGE - 1}`];
      const page = textsOf(await this.#jobs.run(() => this.#waitlist.read('LRANGE', WAITLIST_ENTRIES, ...range)));
      for (const entry of page) yield JSON.parse(entry);
      if (page.length < WAITLIST_PAGE) return;
    }
  }

  usage(): Promise<Usage> {
    return this.#jobs.run(() => this.#budget.usage());
  }

  ping(): Promise<void> {
    return this.#jobs.run(() => this.#servers.answers());
  }

  clockOffsetMs(): number {
    return this.#servers.clockOffsetMs;
  }

  close(): Promise<void> {
    this.#watches.close();
    return this.#jobs.close(
      () => this.#servers.close(),
      () => pause(CLOSE_PATIENCE_MS),
    );
  }

  async #appendIfDisk(delivery: Delivery, packed: Packed, now: number): Promise<Appended> {
    try {
      const appended = await this.#append(delivery, packed, now);
      if (appended.stored) this.#fullDisk.hasRoom();
      return appended;
    } catch (error) {
      if (!(error instanceof StoreFullDiskError)) throw error;
      this.#fullDisk.refused(now, error.message);
      return { stored: false, reason: 'disk-full' };
    }
  }

  async #append(delivery: Delivery, packed: Packed, now: number): Promise<Appended> {
    const cost = () => costIn(delivery, this.#shardOf);
    const needsRoom = delivery.receivedAt + this.#limits.retentionMs > now;
    if (needsRoom && this.#room.isLacking(cost, now)) return { stored: false, reason: 'store-full' };
    for (let isFresh = this.#shards.length === 1; ; ) {
      const appended = await storeIn(this.#fanOut, delivery, packed, now);
      if (appended.stored || appended.reason !== 'store-full') return appended;
      if (!this.#room.isWorthALook(cost, now)) return appended;
      // Others may have made room by now.
      if (isFresh && !(await this.#room.make(cost, now))) return appended;
      await this.#budget.refresh();
      isFresh = true;
    }
  }

  async #withIndexes(emails: readonly RedisEmail[]): Promise<Scanned<RedisEmail>[]> {
    const indexes = await Promise.all(emails.map((email) => this.#shardOf(email.inbox).index(email)));
    return emails.flatMap((email, i) => {
      const index = indexes[i];
      return index ? [{ email, index }] : [];
    });
  }
}

function pageOf(emails: readonly RedisEmail[], maxBytes: number): readonly RedisEmail[] {
  let bytes = 0;
  const end = emails.findIndex(({ indexBytes }, i) => {
    bytes += indexBytes + SCAN_ROW_BYTES;
    return i > 0 && bytes > maxBytes;
  });
  return end < 0 ? emails : emails.slice(0, end);
}
