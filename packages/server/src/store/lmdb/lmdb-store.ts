import { Semaphore } from '../../limits/semaphore.js';
import { isStoreFull } from '../admission.js';
import { joined } from '../chunks.js';
import { Jobs } from '../jobs.js';
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
  type StoredEmail,
  StoreFullDiskError,
  type StoreLimits,
  type Usage,
  type WaitlistEntry,
} from '../store.js';
import type { DiskRoom, MakingRoom, Reason } from './disk-room.js';
import type { Draft } from './draft.js';
import { News, newWriterId } from './news.js';
import {
  type EmailRow,
  emailKey,
  emailRow,
  inboxKey,
  isSeen,
  messageIn,
  messageKey,
  partKey,
  receivedAtOf,
  stateOf,
} from './rows.js';
import { type Environment, inboxNames, recentPage, type Tables, waitlistEntries } from './tables.js';
import {
  appendEmails,
  chunkedParts,
  clearEmail,
  clearInbox,
  contentPlaces,
  indexPlaces,
  isPurgeDue,
  joinedBytes,
  joinWaitlist,
  purgeEmails,
} from './transactions.js';
import { Writer } from './writer.js';

const NOTHING = new Uint8Array();

interface LmdbEmail extends StoredEmail, EmailRow {}

export interface LmdbStoreParts {
  readonly environment: Environment;
  readonly tables: Tables;
  readonly limits: StoreLimits;
  readonly room: DiskRoom;
}

const DISK_FULL: Appended = { stored: false, reason: 'disk-full' };

export class LmdbStore implements Store<LmdbEmail> {
  readonly #environment: Environment;
  readonly #tables: Tables;
  readonly #limits: StoreLimits;
  readonly #room: DiskRoom;
  readonly #making: MakingRoom = {
    isPurgeDue: (now) => isPurgeDue(this.#tables, now),
    purgeStep: (now) => this.#purgeStep(now),
    tryRoom: () => this.#environment.tryRoom(),
  };
  readonly #writer: Writer;
  readonly #news: News;
  /** So no more than one large message is held in memory a second time. */
  readonly #large = new Semaphore(1);
  readonly #jobs = new Jobs();

  constructor({ environment, tables, limits, room }: LmdbStoreParts) {
    this.#room = room;
    this.#environment = environment;
    this.#tables = tables;
    this.#limits = limits;
    const id = newWriterId();
    this.#writer = new Writer(environment, tables, id);
    this.#news = new News(environment, tables, id);
  }

  append(delivery: Delivery, now: number): Promise<Appended> {
    return this.#jobs.run(async () => {
      if (!(await this.#hasRoom(now, 'mail'))) return DISK_FULL;
      let appended = await this.#tryAppend(delivery, now);
      while (isStoreFull(appended) && (await this.#purgeStep(now))) appended = await this.#tryAppend(delivery, now);
      // Once, after something was deleted: mail that still has no room is too large.
      if (appended === DISK_FULL && (await this.#hasRoom(now, 'mail'))) appended = await this.#tryAppend(delivery, now);
      return appended;
    });
  }

  async list(
    inbox: string,
    { limit = Number.POSITIVE_INFINITY, ...range }: ListQuery,
    now: number,
  ): Promise<LmdbEmail[]> {
    const emails: LmdbEmail[] = [];
    if (limit <= 0) return emails;
    for (const email of this.#newestFirst(inbox, range, now)) {
      emails.push(email);
      if (emails.length >= limit) break;
    }
    return emails;
  }

  async scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Promise<Scanned<LmdbEmail>[]> {
    const scanned: Scanned<LmdbEmail>[] = [];
    let bytes = 0;
    for (const email of this.#newestFirst(inbox, range, now)) {
      bytes += email.indexBytes + SCAN_ROW_BYTES;
      if (scanned.length > 0 && bytes > maxBytes) break;
      scanned.push({ email, index: joined(indexPlaces(email).map((place) => this.#bytes(email, place))) });
    }
    return scanned;
  }

  async recent(query: RecentQuery, now: number): Promise<RecentPage<LmdbEmail>> {
    this.#jobs.mustBeOpen();
    this.#environment.resetReadTxn();
    return recentPage(this.#tables, query, now);
  }

  async summaries(emails: readonly LmdbEmail[]): Promise<(Uint8Array | null)[]> {
    this.#jobs.mustBeOpen();
    return emails.map((email) => (this.#isThere(email) ? this.#summary(email) : null));
  }

  async content(email: LmdbEmail): Promise<Content> {
    this.#mustBeThere(email);
    const [first, ...more] = contentPlaces(email);
    return {
      first: first === undefined ? NOTHING : this.#bytes(email, first),
      rest: more.length > 0 ? this.#pieces(email, more) : null,
    };
  }

  contentKey({ message }: LmdbEmail): number {
    return message;
  }

  async *#pieces(email: LmdbEmail, places: ReturnType<typeof contentPlaces>): AsyncGenerator<Uint8Array> {
    for (const place of places) {
      this.#mustBeThere(email);
      yield this.#bytes(email, place);
    }
  }

  watch(inbox: string, wake: () => void): () => void {
    this.#jobs.mustBeOpen();
    return this.#news.watch(inbox, wake);
  }

  async hasToldAll(): Promise<boolean> {
    this.#jobs.mustBeOpen();
    this.#news.tell();
    return true;
  }

  clear(inbox: string, now: number): Promise<void> {
    return this.#jobs.run(() =>
      this.#deleting(now, () => this.#writer.together((draft) => clearInbox(draft, inbox, now), 0)),
    );
  }

  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    return this.#jobs.run(() =>
      this.#deleting(now, () => this.#writer.alone((draft) => clearEmail(draft, inbox, receivedAt, now))),
    );
  }

  purge(now: number): Promise<boolean> {
    return this.#jobs.run(async () => {
      await this.#deleting(now, () => this.#purgeStep(now));
      return isPurgeDue(this.#tables, now);
    });
  }

  inboxes(): AsyncGenerator<string> {
    return inboxNames(this.#tables, () => this.#jobs.mustBeOpen());
  }

  joinWaitlist(email: string, now: number): Promise<void> {
    const join = (draft: Draft) => joinWaitlist(draft, email, now);
    return this.#jobs.run(() => this.#room.withReserve(() => this.#writer.alone(join)));
  }

  waitlist(): AsyncGenerator<WaitlistEntry> {
    return waitlistEntries(this.#tables, () => this.#jobs.mustBeOpen());
  }

  clockOffsetMs(): number {
    return 0;
  }

  async usage(): Promise<Usage> {
    this.#jobs.mustBeOpen();
    this.#environment.resetReadTxn();
    const { tally, deadlines } = this.#tables;
    return { bytes: tally.getEntry('tally')?.value.bytes ?? 0, emails: deadlines.getStats().entryCount ?? 0 };
  }

  ping(): Promise<void> {
    return this.#jobs.run(async () => {
      this.#room.mustHaveRoom();
      await this.#environment.transaction(() => undefined);
    });
  }

  close(): Promise<void> {
    this.#news.close();
    return this.#jobs.close(() => this.#environment.close());
  }

  async #tryAppend(delivery: Delivery, now: number): Promise<Appended> {
    const append = (parts: readonly Uint8Array[] | null) => (draft: Draft) => {
      // The disk may have become full while this waited.
      this.#room.mustHaveRoom();
      return appendEmails(draft, { delivery, parts, now }, this.#limits);
    };
    const bytes = joinedBytes(delivery);
    try {
      if (bytes !== null) return await this.#writer.together(append(null), bytes);
      return await this.#large.run(async () => this.#writer.alone(append(await chunkedParts(delivery))));
    } catch (error) {
      if (error instanceof StoreFullDiskError) return DISK_FULL;
      throw error;
    }
  }

  #hasRoom(now: number, reason: Reason): Promise<boolean> {
    return this.#room.make(now, this.#making, reason);
  }

  /** Deletes something, which always has room, and looks for what has room since. */
  async #deleting<T>(now: number, job: () => Promise<T>): Promise<T> {
    const result = await this.#room.withReserve(job);
    await this.#hasRoom(now, result === false ? 'time' : 'deleted');
    return result;
  }

  async #purgeStep(now: number): Promise<boolean> {
    if (!isPurgeDue(this.#tables, now)) return false;
    return this.#writer.alone((draft) => purgeEmails(draft, now));
  }

  /** What an inbox shows, newest first, as of one moment: use it up in one turn of the event loop. */
  *#newestFirst(
    inbox: string,
    { after = -1, before = Number.POSITIVE_INFINITY }: ListQuery,
    now: number,
  ): Generator<LmdbEmail> {
    this.#jobs.mustBeOpen();
    this.#environment.resetReadTxn();
    const bytes = this.#tables.emails.getBinaryFast(inboxKey(inbox));
    if (bytes === undefined) return;
    const { kept, newest, goneUpTo } = stateOf(bytes);
    const seenAfter = Math.max(after, goneUpTo);
    // Most inboxes have one email, which can be read without a cursor.
    const only = kept === 1 && seenAfter < newest && newest < before ? this.#row(inbox, newest) : undefined;
    if (only !== undefined) {
      if (isSeen(only, now)) yield { inbox, receivedAt: newest, ...emailRow(only) };
      return;
    }
    const range = { start: emailKey(inbox, before - 1), end: emailKey(inbox, seenAfter), reverse: true };
    for (const { key, value } of this.#tables.emails.getRange(range)) {
      if (isSeen(value, now)) yield { inbox, receivedAt: receivedAtOf(key), ...emailRow(value) };
    }
  }

  #row(inbox: string, receivedAt: number): Buffer | undefined {
    return this.#tables.emails.getBinaryFast(emailKey(inbox, receivedAt));
  }

  #mustBeThere(email: LmdbEmail): void {
    this.#jobs.mustBeOpen();
    if (!this.#isThere(email)) throw new EmailGoneError();
  }

  #isThere({ inbox, receivedAt, message }: LmdbEmail): boolean {
    const row = this.#row(inbox, receivedAt);
    return row !== undefined && messageIn(row) === message;
  }

  #summary({ message, summaryBytes }: LmdbEmail): Uint8Array {
    const row = this.#tables.messages.getBinaryFast(messageKey(message));
    if (row === undefined) throw new Error(`The store lost the summary of message ${message}.`);
    return Buffer.from(row.subarray(0, summaryBytes));
  }

  /** A copy of a message's bytes: LMDB's next read overwrites what it returned. */
  #bytes(
    { message }: LmdbEmail,
    { position, start, end }: { position: number; start: number; end: number },
  ): Uint8Array {
    const row = this.#tables.messages.getBinaryFast(partKey(message, position));
    if (row === undefined) throw new Error(`The store lost a part of message ${message}.`);
    return Buffer.from(row.subarray(start, Math.min(end, row.length)));
  }
}
