import { createHash } from 'node:crypto';
import { bytesOf, CHUNK_BYTES, chunkCount, chunksOf, joined } from '../chunks.js';
import {
  type Appended,
  type Content,
  type Delivery,
  EmailGoneError,
  type ListQuery,
  SCAN_ROW_BYTES,
  type Scanned,
  type ScanQuery,
  type Store,
  StoreClosedError,
  type StoredEmail,
  type StoreLimits,
  type WaitlistEntry,
} from '../store.js';
import { Lane } from './lane.js';
import { MessageIds } from './message-ids.js';
import type { Environment, MessageRow, Tables } from './tables.js';
import { appendEmails, clearInbox, isPurgeDue, purgeEmails } from './transactions.js';
import { turn } from './turn.js';

/** How many deliveries share a transaction at most: their part of it stops the event loop for some 20 µs each. */
const SMALL_AT_ONCE = 100;

/**
 * A larger message takes its turn among its like, one to a transaction. So a small one waits for no more than one of
 * these, and no more than one is held in memory a second time.
 */
const SMALL_BYTES = CHUNK_BYTES;

/** How many chunks of a large message are made ready before others have a turn. */
const CHUNKS_A_TURN = 8;

/** How many waitlist entries are read at once. */
const WAITLIST_PAGE = 100;

const NOTHING = new Uint8Array();

/** An email with what leads to its bytes. */
interface LmdbEmail extends StoredEmail {
  readonly inbox: string;
  /** Id of its message. */
  readonly message: string;
}

/** A store in LMDB. Several processes may have the same one open. */
export class LmdbStore implements Store<LmdbEmail> {
  readonly #environment: Environment;
  readonly #tables: Tables;
  readonly #limits: StoreLimits;
  readonly #small = new Lane(SMALL_AT_ONCE);
  readonly #large = new Lane(1);
  readonly #ids = new MessageIds();
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  constructor(environment: Environment, tables: Tables, limits: StoreLimits) {
    this.#environment = environment;
    this.#tables = tables;
    this.#limits = limits;
  }

  append(delivery: Delivery, now: number): Promise<Appended> {
    const lane = bytesOf(delivery.content) > SMALL_BYTES ? this.#large : this.#small;
    return this.#run(async () => {
      let appended = await lane.run(() => this.#tryAppend(delivery, now));
      while (isStoreFull(appended) && (await this.#purgeStep(now))) {
        appended = await lane.run(() => this.#tryAppend(delivery, now));
      }
      return appended;
    });
  }

  list(inbox: string, { limit = Number.POSITIVE_INFINITY, ...range }: ListQuery, now: number): LmdbEmail[] {
    const emails: LmdbEmail[] = [];
    for (const email of this.#newestFirst(inbox, range, now)) {
      if (emails.length >= limit) break;
      emails.push(email);
    }
    return emails;
  }

  scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Scanned<LmdbEmail>[] {
    const scanned: Scanned<LmdbEmail>[] = [];
    let bytes = 0;
    for (const email of this.#newestFirst(inbox, range, now)) {
      bytes += email.indexBytes + SCAN_ROW_BYTES;
      if (scanned.length > 0 && bytes > maxBytes) break;
      scanned.push({ email, index: this.#index(email) });
    }
    return scanned;
  }

  content(email: LmdbEmail): Content {
    const { indexBytes, contentBytes } = this.#messageOf(email);
    const start = chunkCount(indexBytes);
    const end = start + chunkCount(contentBytes);
    return {
      first: end > start ? this.#chunk(email, start) : NOTHING,
      rest: end > start + 1 ? this.#chunks(email, start + 1, end) : null,
    };
  }

  async *#chunks(email: LmdbEmail, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let position = start; position < end; position += 1) {
      this.#messageOf(email);
      yield this.#chunk(email, position);
    }
  }

  clear(inbox: string, now: number): Promise<void> {
    return this.#run(() => this.#environment.transaction(() => clearInbox(this.#tables, inbox, now)));
  }

  purge(now: number): Promise<boolean> {
    return this.#run(async () => {
      await this.#purgeStep(now);
      return isPurgeDue(this.#tables, now);
    });
  }

  joinWaitlist(email: string, now: number): Promise<void> {
    const { waitlist, waitlistAddresses } = this.#tables;
    const address = createHash('sha256').update(email).digest('hex');
    const join = () => {
      if (waitlistAddresses.doesExist(address)) return;
      const [last = 0] = waitlist.getKeys({ reverse: true, limit: 1 });
      waitlist.put(last + 1, { email, joinedAt: now });
      waitlistAddresses.put(address, last + 1);
    };
    return this.#run(() => this.#environment.transaction(join));
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    for (let start = 1; ; start += WAITLIST_PAGE) {
      this.#mustBeOpen();
      const page = [...this.#tables.waitlist.getRange({ start, limit: WAITLIST_PAGE })];
      yield* page.map(({ value }) => value);
      if (page.length < WAITLIST_PAGE) return;
    }
  }

  ping(): Promise<void> {
    return this.#run(() => this.#environment.transaction(() => undefined));
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#environment.close());
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

  async #tryAppend(delivery: Delivery, now: number): Promise<Appended> {
    const message = this.#ids.next(now);
    const chunks = await chunksInTurns(delivery);
    return this.#environment.transaction(
      () => appendEmails(this.#tables, message, delivery, now, this.#limits),
      () => {
        for (const [position, chunk] of chunks.entries()) this.#tables.chunks.put([message, position], chunk);
      },
    );
  }

  async #purgeStep(now: number): Promise<boolean> {
    if (!isPurgeDue(this.#tables, now)) return false;
    return this.#environment.transaction(() => purgeEmails(this.#tables, now));
  }

  /** What an inbox shows, newest first, all as of one moment: to be used up in one turn of the event loop. */
  *#newestFirst(inbox: string, { after = -1, before = Number.POSITIVE_INFINITY }: ListQuery, now: number) {
    this.#mustBeOpen();
    this.#environment.resetReadTxn();
    const { goneUpTo = -1 } = this.#tables.inboxes.get(inbox) ?? {};
    const range = this.#tables.emails.getRange({
      start: [inbox, before - 1],
      end: [inbox, Math.max(after, goneUpTo)],
      reverse: true,
    });
    for (const { key, value } of range) {
      if (now < value.expiresAt) yield { inbox, receivedAt: key[1], ...value };
    }
  }

  #index(email: LmdbEmail): Uint8Array {
    const chunks = Array.from({ length: chunkCount(email.indexBytes) }, (_, position) => this.#chunk(email, position));
    return joined(chunks);
  }

  /** The message of a listed email. Throws `EmailGoneError` when the email has been deleted since. */
  #messageOf(email: LmdbEmail): MessageRow {
    this.#mustBeOpen();
    const isThere = this.#tables.emails.doesExist([email.inbox, email.receivedAt]);
    const message = isThere ? this.#tables.messages.get(email.message) : undefined;
    if (message === undefined) throw new EmailGoneError();
    return message;
  }

  #chunk(email: LmdbEmail, position: number): Uint8Array {
    const chunk = this.#tables.chunks.get([email.message, position]);
    if (chunk === undefined) throw new Error(`The store lost a part of message ${email.message}.`);
    return chunk;
  }
}

function isStoreFull(appended: Appended): boolean {
  return !appended.stored && appended.reason === 'store-full';
}

/** The chunks of the index, then those of the content. Joining parts copies them, so others have turns in between. */
async function chunksInTurns({ index, content }: Delivery): Promise<Uint8Array[]> {
  const chunks = [...chunksOf([index])];
  for (const chunk of chunksOf(content)) {
    chunks.push(chunk);
    if (chunks.length % CHUNKS_A_TURN === 0) await turn();
  }
  return chunks;
}
