import { Lane } from '../../lane.js';
import { withAnswer } from '../../soon.js';
import { bytesOf, CHUNK_BYTES } from '../chunks.js';
import {
  type Appended,
  type Content,
  type Delivery,
  EmailGoneError,
  type ListQuery,
  type RecentPage,
  type RecentQuery,
  SCAN_ROW_BYTES,
  type Scanned,
  type ScanQuery,
  type Store,
  StoreClosedError,
  type StoreLimits,
  type Usage,
  type WaitlistEntry,
} from '../store.js';
import { type Connection, isOutOfMemory } from './connection.js';
import { RedisCounts } from './counts.js';
import { appending, GRACE_MS, newName, type Packed, packedDelivery } from './delivering.js';
import { forgetting, nextDue } from './forgetting.js';
import { unpacked } from './packing.js';
import { recentPage } from './recent.js';
import { type Argument, ConnectionLost, type Reply } from './replies.js';
import { clearingMember, DUE_INBOXES, dueOf, emailOf, type Keys, type RedisEmail } from './rows.js';
import type { Server } from './server.js';
import type { Watches } from './watches.js';

/** How many things that are due are gone through at once for the names of inboxes. */
const INBOXES_PAGE = 1_000;

/** How many waitlist entries are read at once. */
const WAITLIST_PAGE = 100;

/** How many emails are listed at once where no limit is given. */
const LIST_PAGE = 1_000;

/** How often a delivery is repeated whose answer got lost. */
const REPEATS = 4;

const WAITLIST = { addresses: 'mayfly:{waitlist}:addresses', entries: 'mayfly:{waitlist}:entries' };

/** What a store on Redis is made of. */
export interface RedisStoreParts {
  readonly connection: Connection;
  readonly keys: Keys;
  readonly watches: Watches;
  readonly server: Server;
}

/** A store in a Redis server. Any number of nodes may have the same one open. */
export class RedisStore implements Store<RedisEmail> {
  readonly counts = new RedisCounts((...script) => this.#run(async () => this.#script(...script)));
  readonly #connection: Connection;
  readonly #keys: Keys;
  readonly #watches: Watches;
  readonly #server: Server;
  readonly #limits: StoreLimits;
  /** So that few large messages are held in memory a second time. */
  readonly #large = new Lane(2);
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  constructor({ connection, keys, watches, server }: RedisStoreParts, limits: StoreLimits) {
    this.#connection = connection;
    this.#keys = keys;
    this.#watches = watches;
    this.#server = server;
    this.#limits = limits;
  }

  append(delivery: Delivery, now: number): Promise<Appended> {
    return this.#run(() => {
      const append = async () => this.#append(delivery, await packedDelivery(delivery), now);
      return bytesOf(delivery.content) > CHUNK_BYTES ? this.#large.run(append) : append();
    });
  }

  list(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    return this.#run(() => this.#newest(inbox, query, now));
  }

  scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Promise<Scanned<RedisEmail>[]> {
    return this.#run(async () => {
      // No page has more: the row of each costs as much.
      const limit = Math.floor(maxBytes / SCAN_ROW_BYTES) + 1;
      for (let query: ListQuery = { ...range, limit }; ; ) {
        const emails = pageOf(await this.#newest(inbox, query, now), maxBytes);
        const scanned = await this.#withIndexes(emails);
        const last = emails.at(-1);
        // What was deleted a moment ago is no end of the list.
        if (scanned.length > 0 || last === undefined) return scanned;
        query = { ...query, before: last.receivedAt };
      }
    });
  }

  recent(query: RecentQuery, now: number): Promise<RecentPage<RedisEmail>> {
    const read = (...command: string[]) => this.#read(...command);
    const due = (keys: readonly string[], args: readonly string[]) => this.#script('recent', keys, args);
    return this.#run(() => recentPage({ due, read }, this.#keys, query, now));
  }

  summaries(emails: readonly RedisEmail[]): Promise<(Uint8Array | null)[]> {
    return this.#run(() => Promise.all(emails.map((email) => this.#field(email, 's'))));
  }

  content(email: RedisEmail): Promise<Content> {
    return this.#run(async () => ({
      first: await this.#chunk(email, 0),
      rest: email.chunks > 1 ? this.#chunksBehindFirst(email) : null,
    }));
  }

  contentKey({ message }: RedisEmail): string {
    return message;
  }

  async *#chunksBehindFirst(email: RedisEmail): AsyncGenerator<Uint8Array> {
    for (let chunk = 1; chunk < email.chunks; chunk += 1) yield await this.#run(() => this.#chunk(email, chunk));
  }

  watch(inbox: string, wake: () => void): () => void {
    this.#mustBeOpen();
    return this.#watches.watch(this.#keys.emails(inbox), wake);
  }

  clear(inbox: string, now: number): Promise<void> {
    return this.#run(async () => {
      const { due, emails, cleared, member } = this.#clearing(inbox);
      await this.#script('clear', [due, emails, cleared], [`${now}`, member]);
    });
  }

  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    return this.#run(async () => {
      const { due, emails, cleared, member } = this.#clearing(inbox);
      const isThere = await this.#script('clear-one', [due, emails, cleared], [`${now}`, `${receivedAt}`, member]);
      return isThere === 1;
    });
  }

  purge(now: number): Promise<boolean> {
    return this.#run(async () => {
      await this.#server.checkNowAndThen();
      return (await this.#purgeStep(now)) === 'more';
    });
  }

  async *inboxes(): AsyncGenerator<string> {
    // Redis may name one several times.
    const named = new Set<string>();
    let cursor = '0';
    do {
      const scan = ['ZSCAN', this.#keys.due, cursor, 'MATCH', DUE_INBOXES, 'COUNT', `${INBOXES_PAGE}`];
      const [next, found] = (await this.#run(() => this.#read(...scan))) as [Buffer, Buffer[]];
      for (const member of found.map(String)) {
        const due = dueOf(member);
        if (due.kind !== 'state') continue;
        const inbox = this.#keys.inboxOf(due.emailsKey);
        if (named.has(inbox)) continue;
        named.add(inbox);
        this.#mustBeOpen();
        yield inbox;
      }
      cursor = String(next);
    } while (cursor !== '0');
  }

  joinWaitlist(email: string, now: number): Promise<void> {
    return this.#run(async () => {
      const entry: WaitlistEntry = { email, joinedAt: now };
      await this.#lasting('join-waitlist', [WAITLIST.addresses, WAITLIST.entries], [email, JSON.stringify(entry)]);
    });
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    for (let start = 0; ; start += WAITLIST_PAGE) {
      const range = [`${start}`, `${start + WAITLIST_PAGE - 1}`];
      const page = textsOf(await this.#run(() => this.#read('LRANGE', WAITLIST.entries, ...range)));
      for (const entry of page) yield JSON.parse(entry);
      if (page.length < WAITLIST_PAGE) return;
    }
  }

  usage(): Promise<Usage> {
    return this.#run(async () => {
      const [bytes, emails] = ((await this.#read('HMGET', this.#keys.tally, 'bytes', 'emails')) as Reply[]).map(Number);
      return { bytes: bytes ?? 0, emails: emails ?? 0 };
    });
  }

  ping(): Promise<void> {
    return this.#run(() => this.#server.check());
  }

  clockOffsetMs(): number {
    return this.#server.clockOffsetMs;
  }

  close(): Promise<void> {
    this.#watches.close();
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#connection.close());
    return this.#closed;
  }

  #mustBeOpen(): void {
    if (this.#closed !== null) throw new StoreClosedError();
  }

  /** Runs what `close` has to wait for. */
  async #run<T>(job: () => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    const running = job();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Reads; again, where the answer got lost. */
  #read(...args: Argument[]): Promise<Reply> {
    const read = () => this.#connection.command(...args);
    const again = (error: unknown) => (error instanceof ConnectionLost ? read() : Promise.reject(error));
    return withAnswer(this.#server.usable(), () => read().catch(again)) as Promise<Reply>;
  }

  #script(...[name, keys, args]: Parameters<Connection['script']>): Promise<Reply> {
    return withAnswer(this.#server.usable(), () => this.#connection.script(name, keys, args)) as Promise<Reply>;
  }

  #lasting(...[name, keys, args]: Parameters<Connection['lastingScript']>): Promise<Reply> {
    return withAnswer(this.#server.usable(), () => this.#connection.lastingScript(name, keys, args)) as Promise<Reply>;
  }

  /** Stores what is ready to be stored, and makes room for it where there is none. */
  async #append(delivery: Delivery, packed: Packed, now: number): Promise<Appended> {
    const { keys, args } = appending(this.#keys, delivery, packed, now, this.#limits);
    for (;;) {
      const answer = await this.#stored(keys, args);
      if (answer === 'inbox-full') return { stored: false, reason: answer };
      if (answer !== 'store-full') return { stored: true, receivedAt: answer.split(' ').map(Number) };
      if ((await this.#purgeStep(now)) === 'nothing') return { stored: false, reason: answer };
    }
  }

  /** Runs the script; again, where its answer got lost: the name of the delivery tells whether it was stored. */
  async #stored(keys: readonly string[], args: readonly Argument[]): Promise<string> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return String(await this.#lasting('append', keys, args));
      } catch (error) {
        if (isOutOfMemory(error)) return 'store-full';
        if (!(error instanceof ConnectionLost) || repeats === REPEATS) throw error;
      }
    }
  }

  #clearing(inbox: string) {
    const clearing = newName();
    const { due } = this.#keys;
    const [emails, cleared] = [this.#keys.emails(inbox), this.#keys.cleared(clearing)];
    return { due, emails, cleared, member: clearingMember(inbox, clearing) };
  }

  /** Forgets some of what was cleared or had expired at `now`. */
  async #purgeStep(now: number): Promise<'nothing' | 'done' | 'more'> {
    const read = (...args: string[]) => this.#read(...args);
    const next = await nextDue(read, this.#keys, now);
    if (next === null) return 'nothing';
    const { keys, args } = forgetting(this.#keys, next, now, GRACE_MS);
    return (await this.#script('forget', keys, args)) === 1 ? 'more' : 'done';
  }

  /** What an inbox shows, newest first. */
  async #newest(inbox: string, query: ListQuery, now: number): Promise<RedisEmail[]> {
    const { after, limit = Number.POSITIVE_INFINITY } = query;
    const emails: RedisEmail[] = [];
    let { before } = query;
    while (emails.length < limit) {
      const most = Math.min(limit - emails.length, LIST_PAGE);
      const [from, to] = [before === undefined ? '+inf' : `(${before}`, after === undefined ? '-inf' : `(${after}`];
      const range = [from, to, 'BYSCORE', 'REV', 'LIMIT', '0', `${most}`, 'WITHSCORES'];
      const found = textsOf(await this.#read('ZRANGE', this.#keys.emails(inbox), ...range));
      for (let i = 0; i < found.length; i += 2) {
        const email = emailOf(inbox, found[i] ?? '', Number(found[i + 1]));
        before = email.receivedAt;
        if (now < email.expiresAt) emails.push(email);
      }
      if (found.length < 2 * most) break;
    }
    return emails;
  }

  async #withIndexes(emails: readonly RedisEmail[]): Promise<Scanned<RedisEmail>[]> {
    const indexes = await Promise.all(emails.map((email) => this.#index(email)));
    return emails.flatMap((email, i) => {
      const index = indexes[i];
      return index ? [{ email, index }] : [];
    });
  }

  /** A field of an email's message; null once the email is deleted, whoever else has the message. */
  async #field({ message, ordinal }: RedisEmail, field: string): Promise<Buffer | null> {
    const fields = await this.#read('HMGET', this.#keys.message(message), `e${ordinal}`, field);
    const [isThere, bytes] = fields as [Buffer | null, Buffer | null];
    return isThere === null ? null : bytes;
  }

  async #index(email: RedisEmail): Promise<Buffer | null> {
    const bytes = await this.#field(email, 'i');
    return bytes && unpacked(bytes, email.indexBytes);
  }

  async #chunk(email: RedisEmail, chunk: number): Promise<Uint8Array> {
    const bytes = await this.#field(email, email.chunks === 0 ? 's' : `${chunk}`);
    if (bytes === null) throw new EmailGoneError();
    return email.chunks === 0 ? bytes.subarray(0, 0) : unpacked(bytes, CHUNK_BYTES);
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

function textsOf(reply: Reply): string[] {
  return (reply as Buffer[]).map(String);
}
