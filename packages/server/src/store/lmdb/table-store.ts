import { Semaphore } from '../../limits/semaphore.js';
import { bytesOf, JOINED_BYTES, joined } from '../admission.js';
import { Jobs } from '../seam.js';
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
  StoreFullDiskError,
  type StoreLimits,
  type Usage,
  type WaitlistEntry,
} from '../store.js';
import { isInOneRow, isPurgeDue, positionsOf } from './changes.js';
import type { DiskRoom } from './disk-room.js';
import {
  emailAt,
  emailKey,
  emailsIn,
  endOfInbox,
  inboxOf,
  isThere,
  type LmdbEmail,
  lastDeadlineAt,
  messageKey,
  partKey,
  stateOf,
  type Tables,
} from './layout.js';
import { newsOf } from './news.js';
import { Writer, type WriterParts } from './writer.js';

const NOTHING = new Uint8Array();

const WAITLIST_PAGE = 100;

/** Maximum tries per delivery. A large message may not fit even if `DiskRoom.make` found room for its small trial. */
const MAX_TRIES = 2;

const DISK_FULL: Appended = { stored: false, reason: 'disk-full' };

export interface TableStoreParts extends WriterParts {
  readonly limits: StoreLimits;
  readonly room: DiskRoom;
  /** Lets the next read see everything committed so far, by other processes too. */
  refresh(): void;
  /** Copies bytes that a table returned, so that they outlast the next read. */
  keep(bytes: Buffer): Uint8Array;
  close(): Promise<void>;
}

export class TableStore implements Store<LmdbEmail> {
  readonly #parts: TableStoreParts;
  readonly #writer: Writer;
  readonly #news: ReturnType<typeof newsOf>;
  /** Stores large messages one at a time, so that at most one of them is in memory twice. */
  readonly #large = new Semaphore(1);
  readonly #jobs = new Jobs();

  constructor(parts: TableStoreParts) {
    this.#parts = parts;
    this.#writer = new Writer(parts);
    this.#news = newsOf(() => this.#latest(), this.#writer.id);
  }

  append(delivery: Delivery, now: number): Promise<Appended> {
    return this.#jobs.run(async () => {
      for (let tries = 0; tries < MAX_TRIES && (await this.#hasRoom(now, true)); tries += 1) {
        let appended = await this.#tryAppend(delivery, now);
        while (!appended.stored && appended.reason === 'store-full' && (await this.#purgeStep(now)))
          appended = await this.#tryAppend(delivery, now);
        if (appended !== DISK_FULL) return appended;
      }
      return DISK_FULL;
    });
  }

  async list(inbox: string, query: ListQuery, now: number) {
    const { limit = Number.POSITIVE_INFINITY } = query;
    const emails: LmdbEmail[] = [];
    if (limit <= 0) return emails;
    for (const email of this.#newestFirst(inbox, query, now)) {
      emails.push(email);
      if (emails.length >= limit) break;
    }
    return emails;
  }

  async scan(inbox: string, query: ScanQuery, now: number): Promise<Scanned<LmdbEmail>[]> {
    const scanned: Scanned<LmdbEmail>[] = [];
    let bytes = 0;
    for (const email of this.#newestFirst(inbox, query, now)) {
      bytes += email.indexBytes + SCAN_ROW_BYTES;
      if (scanned.length > 0 && bytes > query.maxBytes) break;
      scanned.push({ email, index: joined(positionsOf(email).index.map((at) => this.#part(email, at, 'index'))) });
    }
    return scanned;
  }

  async recent({ behind, upTo, limit }: RecentQuery, now: number): Promise<RecentPage<LmdbEmail>> {
    const tables = this.#read();
    const start = behind === undefined ? lastDeadlineAt(upTo ?? Number.POSITIVE_INFINITY) : Buffer.from(behind, 'hex');
    // Two rows more than the page: the last row of the previous page, and one that shows whether there is a next page.
    const range = { start, end: lastDeadlineAt(now), reverse: true, limit: limit + 2 };
    const rows = [...tables.deadlines.getRange(range)].filter(({ key }) => !key.equals(start));
    const looked = rows.slice(0, limit);
    const shown: LmdbEmail[] = [];
    for (const { value: key } of looked) {
      const email = emailAt(tables, key);
      // The deadline of a deleted email may remain.
      if (email === undefined || !isListed(email, now)) continue;
      if (email.receivedAt > (stateOf(tables, email.inbox)?.goneUpTo ?? -1)) shown.push(email);
    }
    const last = looked.at(-1)?.key ?? start;
    return { emails: shown, next: rows.length > looked.length ? last.toString('hex') : null };
  }

  async summaries(emails: readonly LmdbEmail[]): Promise<(Uint8Array | null)[]> {
    this.#jobs.mustBeOpen();
    const { tables, keep } = this.#parts;
    return emails.map((email) => {
      if (!isThere(tables, email)) return null;
      const row = tables.messages.getBinaryFast(messageKey(email.message));
      if (row === undefined) throw new Error(`The store lost the summary of message ${email.message}.`);
      return keep(row.subarray(0, email.summaryBytes));
    });
  }

  async content(email: LmdbEmail): Promise<Content> {
    this.#mustBeThere(email);
    const [first, ...more] = positionsOf(email).content;
    return {
      first: first === undefined ? NOTHING : this.#part(email, first, 'content'),
      rest: more.length > 0 ? this.#partsAt(email, more) : null,
    };
  }

  async *#partsAt(email: LmdbEmail, positions: readonly number[]): AsyncGenerator<Uint8Array> {
    for (const position of positions) {
      this.#mustBeThere(email);
      yield this.#part(email, position, 'content');
    }
  }

  contentKey({ message }: LmdbEmail): number {
    return message;
  }

  watch(inbox: string, wake: () => void): () => void {
    this.#jobs.mustBeOpen();
    return this.#news.watch(inbox, wake);
  }

  async hasToldAll(): Promise<boolean> {
    this.#jobs.mustBeOpen();
    this.#news.look();
    return true;
  }

  clear(inbox: string, now: number): Promise<void> {
    return this.#jobs.run(() => this.#deleting(now, () => this.#writer.change((change) => change.clear(inbox, now))));
  }

  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    return this.#jobs.run(() =>
      this.#deleting(now, () => this.#writer.change((change) => change.clearOne(inbox, receivedAt, now))),
    );
  }

  purge(now: number): Promise<boolean> {
    return this.#jobs.run(async () => {
      await this.#deleting(now, () => this.#purgeStep(now));
      return isPurgeDue(this.#parts.tables, now);
    });
  }

  async *inboxes(): AsyncGenerator<string> {
    for (let start: Buffer = Buffer.of(0); ; ) {
      const [key] = this.#read().emails.getKeys({ start, limit: 1 });
      if (key === undefined) return;
      start = endOfInbox(key);
      yield inboxOf(key);
    }
  }

  joinWaitlist(email: string, now: number): Promise<void> {
    const join = () => this.#writer.change((change) => change.joinWaitlist(email, now));
    return this.#jobs.run(() => this.#parts.room.withReserve(join));
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    for (let start = 1; ; start += WAITLIST_PAGE) {
      const page = [...this.#read().waitlist.getRange({ start, limit: WAITLIST_PAGE })];
      yield* page.map(({ value }) => value);
      if (page.length < WAITLIST_PAGE) return;
    }
  }

  clockOffsetMs(): number {
    return 0;
  }

  async usage(): Promise<Usage> {
    const { tally, deadlines } = this.#read();
    const { entryCount = 0 } = deadlines.getStats();
    return { bytes: tally.getEntry('tally')?.value.bytes ?? 0, emails: entryCount };
  }

  ping(): Promise<void> {
    return this.#jobs.run(async () => {
      this.#parts.room.mustHaveRoom();
      await this.#writer.change(() => {});
    });
  }

  close(): Promise<void> {
    this.#news.close();
    return this.#jobs.close(() => this.#parts.close());
  }

  async #tryAppend(delivery: Delivery, now: number): Promise<Appended> {
    const append = () =>
      this.#writer.change((change) => {
        // The disk may have become full while the delivery waited.
        this.#parts.room.mustHaveRoom();
        return change.append(delivery, now, this.#parts.limits);
      });
    const isLarge = delivery.index.length + bytesOf(delivery.content) > JOINED_BYTES;
    try {
      return await (isLarge ? this.#large.run(append) : append());
    } catch (error) {
      if (error instanceof StoreFullDiskError) return DISK_FULL;
      throw error;
    }
  }

  /** Runs a deletion, which may use the reserve, and then checks whether a full disk has room for mail again. */
  async #deleting<T>(now: number, job: () => Promise<T>): Promise<T> {
    const result = await this.#parts.room.withReserve(job);
    await this.#hasRoom(now, false);
    return result;
  }

  async #purgeStep(now: number): Promise<boolean> {
    return isPurgeDue(this.#parts.tables, now) && (await this.#writer.change((change) => change.purge(now)));
  }

  async #hasRoom(now: number, isForMail: boolean): Promise<boolean> {
    const { room } = this.#parts;
    return !room.isFull || room.make(now, isForMail, () => this.#purgeStep(now));
  }

  #read(): Tables {
    this.#jobs.mustBeOpen();
    return this.#latest();
  }

  #latest(): Tables {
    this.#parts.refresh();
    return this.#parts.tables;
  }

  /** The visible emails of an inbox at one moment, newest first. Must be consumed in one turn of the event loop. */
  *#newestFirst(inbox: string, { after = -1, before = Number.POSITIVE_INFINITY }: ListQuery, now: number) {
    const tables = this.#read();
    const state = stateOf(tables, inbox);
    if (state === undefined) return;
    const { kept, newest } = state;
    const seenAfter = Math.max(after, state.goneUpTo);
    // Most inboxes have one email. Getting it by its key takes a third of the time of a range.
    if (kept === 1 && seenAfter < newest && newest < before) {
      const only = emailAt(tables, emailKey(inbox, newest));
      if (only && isListed(only, now)) yield only;
      if (only) return;
    }
    const range = { start: emailKey(inbox, before - 1), end: emailKey(inbox, seenAfter), reverse: true };
    for (const email of emailsIn(tables, inbox, range)) if (isListed(email, now)) yield email;
  }

  #mustBeThere(email: LmdbEmail): void {
    this.#jobs.mustBeOpen();
    if (!isThere(this.#parts.tables, email)) throw new EmailGoneError();
  }

  #part(email: LmdbEmail, position: number, part: 'index' | 'content'): Uint8Array {
    const row = this.#parts.tables.messages.getBinaryFast(partKey(email.message, position));
    if (row === undefined) throw new Error(`The store lost a part of message ${email.message}.`);
    const joint = isInOneRow(email) ? email.indexBytes : null;
    const start = part === 'content' && joint !== null ? joint : 0;
    const end = part === 'index' && joint !== null ? joint : row.length;
    return this.#parts.keep(row.subarray(start, end));
  }
}

function isListed({ isCleared, expiresAt }: LmdbEmail, now: number): boolean {
  return !isCleared && now < expiresAt;
}
