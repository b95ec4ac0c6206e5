import {
  type Appended,
  bytesOf,
  CHUNK_BYTES,
  type Content,
  type Delivery,
  EmailGoneError,
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
} from '../../server/dist/store/seam.js';
import { AllMail } from './all-mail.js';
import { textsOf } from './client.js';
import { Deliveries } from './delivery.js';
import type { Health } from './health.js';
import { emailKey, emailsOf, GRACE_MS, keysOf, memberOf, packedMessage, type RedisEmail, unpacked } from './rows.js';
import type { Servers } from './servers.js';
import type { Subscriptions } from './subscriptions.js';
import type { TimeFloor } from './time-floor.js';
import { pause } from './timers.js';

const LIST_PAGE = 1_000;

/** Maximum number of emails per script call, because Redis runs nothing else meanwhile. */
const CLEAR_BATCH = 500;

/** Maximum time to wait for pending work when closing, because a server may not answer. */
const CLOSE_PATIENCE_MS = 10_000;

const WAITLIST_TAG = 'waitlist';
const WAITLIST_ENTRIES = `mayfly:{${WAITLIST_TAG}}:entries`;
const WAITLIST_KEYS = [`mayfly:{${WAITLIST_TAG}}:addresses`, WAITLIST_ENTRIES];

const WAITLIST_PAGE = 100;

export interface RedisStoreOptions {
  readonly limits: StoreLimits;
  readonly subscriptions: Subscriptions;
  readonly health: Health;
  readonly floor: TimeFloor;
  readonly isReplicated: boolean;
  readonly fullDisk: FullDiskLines;
  /** The pending work of all objects that use these servers. */
  readonly jobs: Jobs;
  /** Closes the connections and stops the timers. */
  letGo(): void;
}

/** A store on a Redis server or cluster, which many nodes may share. Redis expires the mail and bounds the memory. */
export class RedisStore implements Store<RedisEmail> {
  readonly #servers: Servers;
  readonly #options: RedisStoreOptions;
  readonly #allMail: AllMail;
  readonly #deliveries: Deliveries;
  /** Bounds the memory for packed copies of large messages. */
  readonly #large = new Semaphore(2);

  constructor(servers: Servers, options: RedisStoreOptions) {
    this.#servers = servers;
    this.#options = options;
    this.#allMail = new AllMail(servers);
    this.#deliveries = new Deliveries({ ...options, servers, allMail: this.#allMail });
  }

  append(delivery: Delivery, now: number): Promise<Appended> {
    const append = () => this.#appendIfDisk(delivery, now);
    return this.#run(now, () => (bytesOf(delivery.content) > CHUNK_BYTES ? this.#large.run(append) : append()));
  }

  list(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    return this.#run(now, () => this.#newest(inbox, query, now));
  }

  scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Promise<Scanned<RedisEmail>[]> {
    return this.#run(now, async () => {
      // Each row costs at least SCAN_ROW_BYTES, so no page holds more rows.
      const limit = Math.floor(maxBytes / SCAN_ROW_BYTES) + 1;
      for (let query: ListQuery = { ...range, limit }; ; ) {
        const emails = pageOf(await this.#newest(inbox, query, now), maxBytes);
        const scanned = await this.#withIndexes(emails);
        const last = emails.at(-1);
        // If all of these emails were deleted before their indexes were read, continues with older emails.
        if (scanned.length > 0 || last === undefined) return scanned;
        query = { ...query, before: last.receivedAt };
      }
    });
  }

  recent(query: RecentQuery, now: number): Promise<RecentPage<RedisEmail>> {
    return this.#run(now, () => this.#allMail.recent(query, now));
  }

  summaries(emails: readonly RedisEmail[]): Promise<(Uint8Array | null)[]> {
    return this.#run(null, () => Promise.all(emails.map((email) => this.#field(email, 's'))));
  }

  content(email: RedisEmail): Promise<Content> {
    return this.#run(null, async () => ({
      first: await this.#chunk(email, 0),
      rest: email.chunks > 1 ? this.#chunksAfterFirst(email) : null,
    }));
  }

  contentKey({ name }: RedisEmail): string {
    return name.slice(0, name.indexOf('.'));
  }

  async *#chunksAfterFirst(email: RedisEmail): AsyncGenerator<Uint8Array> {
    for (let chunk = 1; chunk < email.chunks; chunk += 1) yield await this.#run(null, () => this.#chunk(email, chunk));
  }

  watch(inbox: string, wake: () => void): () => void {
    this.#options.jobs.mustBeOpen();
    return this.#options.subscriptions.watch(keysOf(inbox).emails, inbox, wake);
  }

  async hasToldAll(inbox: string): Promise<boolean> {
    this.#options.jobs.mustBeOpen();
    return this.#options.subscriptions.hasToldAll(keysOf(inbox).emails);
  }

  /** Keeps mail that arrives during the call. */
  clear(inbox: string, now: number): Promise<void> {
    return this.#run(now, async () => {
      const { emails } = keysOf(inbox);
      const rows = textsOf(await this.#servers.command(inbox, 'ZRANGE', emails, '0', '-1', 'WITHSCORES'));
      const listed = emailsOf(inbox, rows);
      for (let at = 0; at < listed.length; at += CLEAR_BATCH) {
        await this.#clear(inbox, listed.slice(at, at + CLEAR_BATCH), now);
      }
    });
  }

  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    return this.#run(now, async () => {
      const listed = await this.#listed(inbox, `${receivedAt}`, `${receivedAt}`, 1);
      const [email] = listed;
      return email !== undefined && now < email.expiresAt && (await this.#clear(inbox, listed, now)) === 1;
    });
  }

  /** Does nothing, because Redis deletes expired and cleared mail itself. */
  purge(): Promise<boolean> {
    return this.#run(null, async () => false);
  }

  async *inboxes(): AsyncGenerator<string> {
    this.#options.jobs.mustBeOpen();
    for await (const inbox of this.#allMail.inboxes()) {
      yield inbox;
      this.#options.jobs.mustBeOpen();
    }
  }

  joinWaitlist(email: string, now: number): Promise<void> {
    return this.#run(now, async () => {
      const entry: WaitlistEntry = { email, joinedAt: now };
      const args = [email, JSON.stringify(entry)];
      await this.#servers.script(WAITLIST_TAG, 'join-waitlist', WAITLIST_KEYS, args, { isLasting: true });
    });
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    for (let start = 0; ; start += WAITLIST_PAGE) {
      const range = [WAITLIST_ENTRIES, `${start}`, `${start + WAITLIST_PAGE - 1}`] as const;
      const page = textsOf(await this.#run(null, () => this.#servers.command(WAITLIST_TAG, 'LRANGE', ...range)));
      for (const entry of page) yield JSON.parse(entry);
      if (page.length < WAITLIST_PAGE) return;
    }
  }

  /** `bytes` is all memory that the servers use, including other data. */
  usage(): Promise<Usage> {
    return this.#run(null, async () => {
      const { health } = this.#options;
      return { ...(await health.memory()), emails: await this.#allMail.count(health.now()) };
    });
  }

  ping(): Promise<void> {
    return this.#options.jobs.run(() => this.#options.health.ping(this.#allMail.tags));
  }

  clockOffsetMs(): number {
    return this.#options.health.clockOffsetMs;
  }

  close(): Promise<void> {
    const { jobs, letGo } = this.#options;
    this.#deliveries.close();
    return jobs.close(
      async () => letGo(),
      () => pause(CLOSE_PATIENCE_MS),
    );
  }

  #run<T>(now: number | null, job: () => Promise<T>): Promise<T> {
    if (now !== null) this.#options.floor.told(now);
    return this.#options.jobs.run(async () => {
      this.#options.health.mustBeUsable();
      return job();
    });
  }

  async #appendIfDisk(delivery: Delivery, now: number): Promise<Appended> {
    const { fullDisk } = this.#options;
    try {
      const appended = await this.#deliveries.store(await packedMessage(delivery), now);
      if (appended.stored) fullDisk.hasRoom();
      return appended;
    } catch (error) {
      if (!(error instanceof StoreFullDiskError)) throw error;
      fullDisk.refused(now, error.message);
      return { stored: false, reason: 'disk-full' };
    }
  }

  async #newest(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    const { after, limit = Number.POSITIVE_INFINITY } = query;
    const emails: RedisEmail[] = [];
    let { before } = query;
    while (emails.length < limit) {
      const most = Math.min(limit - emails.length, LIST_PAGE);
      const [from, to] = [before === undefined ? '+inf' : `(${before}`, after === undefined ? '-inf' : `(${after}`];
      const found = await this.#listed(inbox, from, to, most);
      for (const email of found) {
        before = email.receivedAt;
        if (now < email.expiresAt) emails.push(email);
      }
      if (found.length < most) break;
    }
    const [newest] = emails;
    if (newest !== undefined) this.#options.floor.saw(newest.receivedAt);
    return emails;
  }

  /** Emails between two scores, newest first. */
  async #listed(inbox: string, from: string, to: string, most: number): Promise<RedisEmail[]> {
    const range = [keysOf(inbox).emails, from, to, 'BYSCORE', 'REV', 'LIMIT', '0', `${most}`, 'WITHSCORES'] as const;
    return emailsOf(inbox, textsOf(await this.#servers.command(inbox, 'ZRANGE', ...range)));
  }

  async #clear(inbox: string, emails: readonly RedisEmail[], now: number): Promise<number> {
    const keys = [keysOf(inbox).emails, ...emails.map(({ name }) => emailKey(inbox, name))];
    const members = emails.map((email) => memberOf(email, email.expiresAt - email.receivedAt));
    return (await this.#servers.script(inbox, 'clear', keys, [`${now + GRACE_MS}`, ...members])) as number;
  }

  async #withIndexes(emails: readonly RedisEmail[]): Promise<Scanned<RedisEmail>[]> {
    const indexes = await Promise.all(emails.map((email) => this.#field(email, 'i')));
    const scanned: Scanned<RedisEmail>[] = [];
    for (const [i, email] of emails.entries()) {
      const bytes = indexes[i];
      if (bytes) scanned.push({ email, index: await unpacked(bytes, email.indexBytes) });
    }
    return scanned;
  }

  /** A field of an email; null once the email is deleted. */
  async #field({ inbox, name }: RedisEmail, field: string): Promise<Buffer | null> {
    return (await this.#servers.command(inbox, 'HGET', emailKey(inbox, name), field)) as Buffer | null;
  }

  async #chunk(email: RedisEmail, chunk: number): Promise<Uint8Array> {
    const bytes = await this.#field(email, email.chunks === 0 ? 's' : `${chunk}`);
    if (bytes === null) throw new EmailGoneError();
    return email.chunks === 0 ? bytes.subarray(0, 0) : unpacked(bytes, CHUNK_BYTES);
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
