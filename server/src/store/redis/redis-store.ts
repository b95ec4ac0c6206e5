import { Lane } from '../../lane.js';
import { bytesOf, CHUNK_BYTES } from '../chunks.js';
import { Jobs } from '../jobs.js';
import {
  type Appended,
  type Content,
  type Delivery,
  type ListQuery,
  type RecentPage,
  type RecentQuery,
  SCAN_ROW_BYTES,
  type Scanned,
  type ScanQuery,
  type Store,
  type StoreLimits,
  type Usage,
  type WaitlistEntry,
} from '../store.js';
import { Bucket, settledWhereSome } from './bucket.js';
import { Budget } from './budget.js';
import { RedisCounts } from './counts.js';
import { type Packed, packedDelivery } from './delivering.js';
import { inboxNames } from './inbox-names.js';
import { recentPage } from './recent.js';
import type { RedisEmail } from './rows.js';
import type { Servers } from './servers.js';
import { bucketNumber } from './slots.js';
import { storeIn } from './spreading.js';
import { TakingBack } from './taking-back.js';
import { WAITLIST_PAGE, WAITLIST_TAG, Waitlist } from './waitlist.js';
import type { Watches } from './watches.js';

/** How many buckets are cleaned up in one step at most, those first in which something is due for longest. */
const BUCKETS_AT_ONCE = 16;

/** A store in a Redis server, or in a cluster of them. Any number of nodes may have the same one open. */
export class RedisStore implements Store<RedisEmail> {
  readonly counts = new RedisCounts((tag, ...script) =>
    this.#jobs.run(() => this.#servers.route(tag).script(...script)),
  );
  readonly #servers: Servers;
  readonly #watches: Watches;
  readonly #limits: StoreLimits;
  readonly #buckets: readonly Bucket[];
  readonly #budget: Budget;
  /** The buckets that cleaning up has found to be due, and not come to yet: all are asked only once it is through with these. */
  #toForget: Bucket[] = [];
  readonly #takingBack = new TakingBack();
  readonly #waitlist: Waitlist;
  /** So that few large messages are held in memory a second time. */
  readonly #large = new Lane(2);
  readonly #jobs = new Jobs();

  constructor(servers: Servers, watches: Watches, limits: StoreLimits) {
    this.#servers = servers;
    this.#watches = watches;
    this.#limits = limits;
    this.#buckets = servers.tags.map((tag) => new Bucket(tag, servers.route(tag)));
    this.#budget = new Budget(limits.budgetBytes, this.#buckets);
    this.#waitlist = new Waitlist(new Bucket(WAITLIST_TAG, servers.route(WAITLIST_TAG)));
  }

  readonly #bucketOf = (inbox: string): Bucket => {
    return this.#buckets[bucketNumber(inbox, this.#buckets.length)] as Bucket;
  };

  append(delivery: Delivery, now: number): Promise<Appended> {
    return this.#jobs.run(() => {
      const append = async () => this.#append(delivery, await packedDelivery(delivery), now);
      return bytesOf(delivery.content) > CHUNK_BYTES ? this.#large.run(append) : append();
    });
  }

  list(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    return this.#jobs.run(() => this.#bucketOf(inbox).newest(inbox, query, now));
  }

  scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Promise<Scanned<RedisEmail>[]> {
    return this.#jobs.run(async () => {
      // No page has more: the row of each costs as much.
      const limit = Math.floor(maxBytes / SCAN_ROW_BYTES) + 1;
      for (let query: ListQuery = { ...range, limit }; ; ) {
        const emails = pageOf(await this.#bucketOf(inbox).newest(inbox, query, now), maxBytes);
        const scanned = await this.#withIndexes(emails);
        const last = emails.at(-1);
        // What was deleted a moment ago is no end of the list.
        if (scanned.length > 0 || last === undefined) return scanned;
        query = { ...query, before: last.receivedAt };
      }
    });
  }

  recent(query: RecentQuery, now: number): Promise<RecentPage<RedisEmail>> {
    return this.#jobs.run(() => recentPage(this.#buckets, query, now));
  }

  summaries(emails: readonly RedisEmail[]): Promise<(Uint8Array | null)[]> {
    return this.#jobs.run(() => Promise.all(emails.map((email) => this.#bucketOf(email.inbox).field(email, 's'))));
  }

  content(email: RedisEmail): Promise<Content> {
    return this.#jobs.run(async () => ({
      first: await this.#bucketOf(email.inbox).chunk(email, 0),
      rest: email.chunks > 1 ? this.#chunksBehindFirst(email) : null,
    }));
  }

  contentKey({ message }: RedisEmail): string {
    return message;
  }

  async *#chunksBehindFirst(email: RedisEmail): AsyncGenerator<Uint8Array> {
    const bucket = this.#bucketOf(email.inbox);
    for (let chunk = 1; chunk < email.chunks; chunk += 1) yield await this.#jobs.run(() => bucket.chunk(email, chunk));
  }

  watch(inbox: string, wake: () => void): () => void {
    this.#jobs.mustBeOpen();
    const { keys, tag } = this.#bucketOf(inbox);
    return this.#watches.watch(keys.emails(inbox), tag, wake);
  }

  clear(inbox: string, now: number): Promise<void> {
    return this.#jobs.run(() => this.#bucketOf(inbox).clear(inbox, now));
  }

  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    return this.#jobs.run(() => this.#bucketOf(inbox).clearOne(inbox, receivedAt, now));
  }

  purge(now: number): Promise<boolean> {
    return this.#jobs.run(async () => {
      if (this.#toForget.length === 0) this.#toForget = await this.#lookAround(now);
      const buckets = this.#toForget.splice(0, BUCKETS_AT_ONCE);
      const steps = await Promise.allSettled(buckets.map((bucket) => bucket.forget(now)));
      for (const step of steps) if (step.status === 'rejected') throw step.reason;
      const isMore = steps.some((step) => step.status === 'fulfilled' && step.value === 'more');
      return isMore || this.#toForget.length > 0;
    });
  }

  /** What is due from time to time; and the buckets in which something is to be forgotten. */
  async #lookAround(now: number): Promise<Bucket[]> {
    await this.#servers.checkNowAndThen();
    await this.#takingBack.again();
    await this.#budget.refresh();
    return [...(await this.#dueBuckets(now))];
  }

  async *inboxes(): AsyncGenerator<string> {
    for (const bucket of this.#buckets) {
      for await (const inbox of inboxNames(bucket.keys, (...args) => this.#jobs.run(() => bucket.read(...args)))) {
        this.#jobs.mustBeOpen();
        yield inbox;
      }
    }
  }

  joinWaitlist(email: string, now: number): Promise<void> {
    return this.#jobs.run(() => this.#waitlist.join({ email, joinedAt: now }));
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    for (let start = 0; ; start += WAITLIST_PAGE) {
      const page = await this.#jobs.run(() => this.#waitlist.page(start));
      yield* page;
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
    return this.#jobs.close(() => this.#servers.close());
  }

  /** Stores what is ready to be stored, and makes room for it where there is none. */
  async #append(delivery: Delivery, packed: Packed, now: number): Promise<Appended> {
    const spreading = {
      bucketOf: this.#bucketOf,
      budget: this.#budget,
      takingBack: this.#takingBack,
      limits: this.#limits,
    };
    for (let isFresh = this.#buckets.length === 1; ; ) {
      const appended = await storeIn(spreading, delivery, packed, now);
      if (appended.stored || appended.reason !== 'store-full') return appended;
      // Others may have made room by now.
      if (isFresh && !(await this.#makeRoom(now))) return appended;
      await this.#budget.refresh();
      isFresh = true;
    }
  }

  /** Forgets some of what is due for longest; resolves to whether there was any. */
  async #makeRoom(now: number): Promise<boolean> {
    const [bucket] = await this.#dueBuckets(now);
    return bucket !== undefined && (await bucket.forget(now)) !== 'nothing';
  }

  /** The buckets in which something is due, that first in which it is for longest; of those that answer, where some do. */
  async #dueBuckets(now: number): Promise<readonly Bucket[]> {
    if (this.#buckets.length === 1) return this.#buckets;
    const firsts = await settledWhereSome(
      this.#buckets.map(async (bucket) => ({ bucket, due: await bucket.firstDue(now) })),
    );
    return firsts
      .flatMap(({ bucket, due }) => (due === null ? [] : [{ bucket, due }]))
      .sort((a, b) => a.due - b.due)
      .map(({ bucket }) => bucket);
  }

  async #withIndexes(emails: readonly RedisEmail[]): Promise<Scanned<RedisEmail>[]> {
    const indexes = await Promise.all(emails.map((email) => this.#bucketOf(email.inbox).index(email)));
    return emails.flatMap((email, i) => {
      const index = indexes[i];
      return index ? [{ email, index }] : [];
    });
  }
}

/** As many of the emails as fit into a page, at least one. */
function pageOf(emails: readonly RedisEmail[], maxBytes: number): readonly RedisEmail[] {
  let bytes = 0;
  const end = emails.findIndex(({ indexBytes }, i) => {
    bytes += indexBytes + SCAN_ROW_BYTES;
    return i > 0 && bytes > maxBytes;
  });
  return end < 0 ? emails : emails.slice(0, end);
}
