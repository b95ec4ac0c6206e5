import type { MaybePromise } from '../base/maybe-promise.js';

/**
 * The seam between Mayfly and what keeps its mail. A store keeps bytes and forgets them in time; what the
 * bytes mean is not its business. Time is an argument: `now` is in milliseconds since the epoch.
 */

export interface Recipient {
  /** Inbox name: local part in lower case (D1). */
  readonly inbox: string;
  /** Whole address in lower case, as the Email shows it. */
  readonly to: string;
}

/**
 * A message on its way into the store. Its recipients share `index`, `summary` and `content`, which are kept once. Nobody changes these
 * bytes or transfers them to another thread until `append` settles; the store has copied what it keeps by then. They may lie in
 * memory that is shared with a thread.
 */
export interface Delivery {
  /** When DATA had ended, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** One email comes of each, in this order; an address that is named twice gets two. */
  readonly recipients: readonly Recipient[];
  /** What a filter looks at, without the rest. */
  readonly index: Uint8Array;
  /** What a list shows, without the rest: some hundred bytes. */
  readonly summary: Uint8Array;
  /** All that is kept of the message, in pieces that are joined in order. */
  readonly content: readonly Uint8Array[];
}

export type Appended =
  | {
      readonly stored: true;
      readonly receivedAt: readonly number[];
    }
  | { readonly stored: false; readonly reason: 'inbox-full' | 'store-full' | 'disk-full' };

/** One email of an inbox, without its bytes: these are read with `scan`, `summaries` and `content`. */
export interface StoredEmail {
  readonly inbox: string;
  readonly to: string;
  /** Strictly increases within an inbox (D6). */
  readonly receivedAt: number;
  readonly expiresAt: number;
  readonly indexBytes: number;
  readonly summaryBytes: number;
}

export type ContentKey = number | string;

export interface Scanned<E extends StoredEmail> {
  readonly email: E;
  readonly index: Uint8Array;
}

export interface Content {
  /** From the beginning up to `CHUNK_BYTES`: nearly every message is no longer. */
  readonly first: Uint8Array;
  /**
   * What follows, in bounded pieces, each read when it is asked for; null where `first` is all. To be read once. Throws
   * `EmailGoneError` once the email is deleted.
   */
  readonly rest: AsyncIterable<Uint8Array> | null;
}

export interface ListQuery {
  readonly after?: number;
  /** Only emails with an earlier `receivedAt`, so that a long list is read in pages. */
  readonly before?: number;
  readonly limit?: number;
}

export interface ScanQuery extends Omit<ListQuery, 'limit'> {
  /**
   * Where the page ends: each email costs the bytes of its index and `SCAN_ROW_BYTES`. The first one is there whatever it
   * costs, so an empty page is the last one.
   */
  readonly maxBytes: number;
}

export interface RecentQuery {
  /** Those behind this place, which the page before gave; from the beginning without it. */
  readonly behind?: string;
  /** At most so many are looked at, of which some may be cleared. */
  readonly limit: number;
}

export interface RecentPage<E extends StoredEmail> {
  readonly emails: readonly E[];
  /** Where the next page goes on, which may be empty; null where there is none. What it looks like is the store's own. */
  readonly next: string | null;
}

/** What reading an email's row costs beside its index, put as bytes. */
export const SCAN_ROW_BYTES = 2_048;

export interface WaitlistEntry {
  readonly email: string;
  readonly joinedAt: number;
}

export interface Usage {
  readonly bytes: number;
  readonly emails: number;
}

export interface StoreLimits {
  readonly retentionMs: number;
  readonly maxEmails: number;
  /** How many bytes the store takes, counted as `cost.ts` does: each message once in each part of the store, and each of its emails. */
  readonly budgetBytes: number;
}

/** Whether a store that is not there yet is made when it is opened, or must be there. */
export type OpenMode = 'create' | 'existing';

export interface Opening {
  /** Is told, in a sentence, what an operator should know though the store goes on. */
  warn(sentence: string): void;
  /** How many replicas must have what is stored before it is. */
  readonly replicas: number;
  /** Whether they must have it on their disks; in memory is enough where it is left out. */
  readonly onDisk?: boolean;
}

/**
 * What keeps mail. Reads are answered at once where a store has the answer at hand, as those in memory and in LMDB do, and with a
 * promise where it has to be asked for. Every method but `close` throws `StoreClosedError` (or rejects with it) once the store is
 * closed, and `StoreAwayError` while it is elsewhere and cannot be reached.
 */
export interface Store<E extends StoredEmail = StoredEmail> {
  /**
   * Keeps a message for all of its recipients, or for none; a store of several parts may show it in some for a moment before it is
   * refused, and keeps it in these where the process is killed in between. Resolves once it is durable (as far as the store is)
   * and any list would show it. Each email's `receivedAt` is the delivery's, or the inbox's last one plus 1 ms where
   * that is later, or for a store elsewhere the moment at which it could be reached again; its `expiresAt` is its `receivedAt` plus the retention and never changes. An email that is past its
   * deadline already is accepted and never listed.
   * A refusal evicts nothing: `inbox-full` when a recipient's inbox would hold more than `maxEmails` that are neither
   * cleared nor expired at `now`, `store-full` when the bytes would pass `budgetBytes`. Before it is full, a store deletes
   * what was cleared or has expired at `now`, that of longest ago first and no more than it needs. `disk-full` where the disk of the
   * store has no room, whatever the budget is, and nothing can be deleted.
   */
  append(delivery: Delivery, now: number): Promise<Appended>;

  /** The emails of an inbox that are neither cleared nor expired at `now` (`now < expiresAt`), newest first. */
  list(inbox: string, query: ListQuery, now: number): MaybePromise<E[]>;

  /** A page of the same emails, each with its index bytes. The next page is `before` the last one's `receivedAt`. */
  scan(inbox: string, query: ScanQuery, now: number): MaybePromise<Scanned<E>[]>;

  /**
   * A page of the emails of all inboxes that are neither cleared nor expired at `now`, that which expires last first: as long as the
   * retention has been the same, the last to arrive. Nobody is kept waiting: a page takes no longer for what the store has. An email
   * that is there from the first page to the last is on one of them, whatever comes and goes meanwhile.
   */
  recent(query: RecentQuery, now: number): MaybePromise<RecentPage<E>>;

  /**
   * The summaries of listed emails, in their order; null for each that is deleted by now. Their content is not touched. As with
   * `content`, one that was cleared or has expired since it was listed is there until it is deleted.
   */
  summaries(emails: readonly E[]): MaybePromise<(Uint8Array | null)[]>;

  /**
   * The content bytes of a listed email. An email that was cleared or has expired since it was listed can be read until it is
   * deleted. Throws `EmailGoneError` (or rejects with it) once it is.
   */
  content(email: E): MaybePromise<Content>;

  /** The same for two emails only where they have the same content; no later content gets the key of an earlier one. */
  contentKey(email: E): ContentKey;

  /**
   * Calls `wake` each time that another process which shares the store has put mail into an inbox, until the returned function is
   * called: within 50 ms after that process was told so, where neither machine is busy. A list shows the mail by then. It may be
   * called for nothing, and where the store was out of reach it may not be called: whoever has to know looks now and then all the
   * same. Mail that this process appends needs no call. `wake` must not throw. Leaving twice is fine.
   */
  watch(inbox: string, wake: () => void): () => void;

  /**
   * Whether every watch of an inbox has been woken of all mail that other processes had put there when this was called; `wake` may be
   * called meanwhile. False where the store cannot say so, as while it is out of reach: then whoever has to know lists the inbox. It
   * costs the same for one as for all who ask in the same moment.
   */
  hasToldAll(inbox: string): MaybePromise<boolean>;

  /**
   * Clears an inbox at `now`: resolves once no list shows the emails that it had. `purge` deletes them, so that whoever has
   * listed them before can still read them. What arrives meanwhile may stay; it gets a later `receivedAt` than they had, so
   * that no reader's cursor passes over it.
   */
  clear(inbox: string, now: number): Promise<void>;

  /**
   * Clears one email of an inbox at `now`, as `clear` does all. Resolves to whether it was there: neither cleared nor expired.
   */
  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean>;

  /**
   * Deletes a bounded number of emails that had been cleared or had expired at `now`, those of longest ago first, in each part of it
   * where a store has several. Only
   * cleaning up: nobody sees them anyway. Resolves to true when there is more to delete.
   */
  purge(now: number): Promise<boolean>;

  /**
   * The names of the inboxes, each once and in no order that anybody may rely on: every one that has an email that is not deleted, and
   * perhaps some that have none any more. What arrives meanwhile may be missing.
   */
  inboxes(): AsyncIterable<string>;

  /** Puts an address on the waitlist, for good. An address that is on it keeps its first time. */
  joinWaitlist(email: string, now: number): Promise<void>;

  waitlist(): AsyncIterable<WaitlistEntry>;

  /**
   * How far the clock by which the store goes is ahead of this machine's, in milliseconds: 0 but where several machines share it, which
   * then all give times of that clock as `now`.
   */
  clockOffsetMs(): number;

  /**
   * How much the store holds, which costs the same however much that is. An email counts until it is deleted; one that was cleared may
   * count until it would have expired and is purged.
   */
  usage(): MaybePromise<Usage>;

  /** Resolves when the store answers. Rejects with `StoreFullDiskError` while its disk has no room for mail. */
  ping(): Promise<void>;

  /** Finishes what was begun and lets go of everything. Closing twice is fine. */
  close(): Promise<void>;
}

/** The store that was named cannot be used, and will not be by trying again: another has to be named, or this one mended. */
export class UnusableStoreError extends Error {
  override name = 'UnusableStoreError';
}

/** The store cannot be reached, or does not answer in time. It may do so again; what was asked may have been done. */
export class StoreAwayError extends Error {
  override name = 'StoreAwayError';
  constructor(reason: string, options?: ErrorOptions) {
    super(`The store does not answer: ${reason}.`, options);
  }
}

/** The disk of the store is full. What is there can be read. */
export class StoreFullDiskError extends Error {
  override name = 'StoreFullDiskError';
  /** Whose disk it is: that of the service or that of another program. */
  readonly owner: string;

  constructor(sentence: string, options: ErrorOptions & { readonly owner?: string } = {}) {
    super(sentence, options);
    this.owner = options.owner ?? 'the store';
  }
}

export class StoreClosedError extends Error {
  override name = 'StoreClosedError';
  constructor() {
    super('The store is closed.');
  }
}

/** An email was deleted between being listed and being read. */
export class EmailGoneError extends Error {
  override name = 'EmailGoneError';
  constructor() {
    super('The email was deleted while it was being read.');
  }
}
