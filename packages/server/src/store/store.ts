import { NamedError } from '../errors.js';

/** The seam between Mayfly and its storage engines, which do not interpret bytes. Times are in ms since the epoch. */

export interface Recipient {
  /** The inbox's name in lower case (D1, D64). */
  readonly inbox: string;
  readonly to: string;
}

/** The bytes may be in memory shared with a thread. They must not change until `append`, which copies them, settles. */
export interface Delivery {
  readonly receivedAt: number;
  /** Each recipient gets one email, in this order; an address named twice gets two. */
  readonly recipients: readonly Recipient[];
  readonly index: Uint8Array;
  /** The list entry: a few hundred bytes. */
  readonly summary: Uint8Array;
  /** The stored message, in pieces to be joined in order. */
  readonly content: readonly Uint8Array[];
}

export type Appended =
  | {
      readonly stored: true;
      readonly receivedAt: readonly number[];
    }
  | { readonly stored: false; readonly reason: 'inbox-full' | 'store-full' | 'disk-full' };

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
  /** The beginning, up to `CHUNK_BYTES`: for nearly every message, the whole content. */
  readonly first: Uint8Array;
  /** The rest in bounded pieces, each read on demand and once; null if none. Throws `EmailGoneError` if deleted. */
  readonly rest: AsyncIterable<Uint8Array> | null;
}

export interface ListQuery {
  readonly after?: number | undefined;
  /** Only emails with an earlier `receivedAt`, for the next page of a long list. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ScanQuery extends Omit<ListQuery, 'limit'> {
  /** Each email costs the bytes of its index plus `SCAN_ROW_BYTES`; the first is returned whatever it costs. */
  readonly maxBytes: number;
}

export interface RecentQuery {
  /** The cursor that the previous page returned; omitted for the first page. */
  readonly behind?: string | undefined;
  /** Starts the first page with emails that expire at this time or earlier. */
  readonly upTo?: number;
  /** Number of emails to read. A page may be shorter, because cleared emails are read but not returned. */
  readonly limit: number;
}

export interface RecentPage<E extends StoredEmail> {
  readonly emails: readonly E[];
  /** The cursor of the next page, which may be empty; null on the last one. Its form depends on the store. */
  readonly next: string | null;
}

/** The cost of reading an email's row in addition to its index, in bytes. */
export const SCAN_ROW_BYTES = 2_048;

export interface WaitlistEntry {
  readonly email: string;
  readonly joinedAt: number;
}

export interface Usage {
  readonly bytes: number;
  readonly emails: number;
  /** Whether the store is full. Only a store without a quota, such as Redis, reports this. */
  readonly isFull?: boolean;
}

export interface StoreLimits {
  readonly retentionMs: number;
  readonly maxEmails: number;
  /** Maximum bytes in the store, as `admission.ts` counts them: a message once, plus rows for each of its emails. */
  readonly budgetBytes: number;
}

export type OpenMode = 'create' | 'existing';

export interface Opening {
  /** Reports a problem to the operator, in a sentence. The store continues. */
  warn(sentence: string): void;
  /** Number of replicas that must have mail before it counts as stored. */
  readonly replicas: number;
  /** Whether replicas must have the mail on disk; by default, memory is enough. */
  readonly onDisk?: boolean;
}

/** Methods reject with `StoreClosedError` after `close`, and with `StoreAwayError` while the store is unreachable. */
export interface Store<E extends StoredEmail = StoredEmail> {
  /**
   * Stores a message for all of its recipients or for none. A remote store may show a refused message to some of them
   * for a moment, or permanently if this process is killed meanwhile. Resolves once the message is durable and every
   * list shows it. An email's `receivedAt` is the latest of three times: the delivery's, 1 ms after the inbox's last
   * email (a remote store also counts refused ones), and the moment at which a remote store could be reached again.
   * `expiresAt` is `receivedAt` plus the retention and never changes. An email already past its deadline is accepted
   * and never listed. A refusal evicts nothing: `inbox-full` if an inbox would hold more than `maxEmails` emails that a
   * list shows; `store-full` if the bytes would exceed `budgetBytes`, or the memory of a remote store. Before
   * `store-full`, the store deletes cleared and expired emails, oldest first and no more than it needs. `disk-full` if
   * the disk has no room and nothing can be deleted.
   */
  append(delivery: Delivery, now: number): Promise<Appended>;

  /** The emails of an inbox that are neither cleared nor expired at `now` (`now < expiresAt`), newest first. */
  list(inbox: string, query: ListQuery, now: number): Promise<E[]>;

  /** A page of what `list` returns, with index bytes. The last email's `receivedAt` is the next page's `before`. */
  scan(inbox: string, query: ScanQuery, now: number): Promise<Scanned<E>[]>;

  /**
   * A page of all inboxes' listed emails, latest expiry time first. The time for a page does not grow with the store.
   * An email present from the first page to the last appears on one of them, whatever is added or removed meanwhile.
   */
  recent(query: RecentQuery, now: number): Promise<RecentPage<E>>;

  /** Summaries in the order of the emails; null for a deleted email. Does not read content. */
  summaries(emails: readonly E[]): Promise<(Uint8Array | null)[]>;

  /** Content, readable even if cleared or expired, until the email is deleted; then rejects with `EmailGoneError`. */
  content(email: E): Promise<Content>;

  /** Equal for two emails only if they have the same content. The key of deleted content is not used again. */
  contentKey(email: E): ContentKey;

  /**
   * Calls `wake` each time another process has stored mail in an inbox and lists show it, at most 50 ms after
   * this process was notified. A call may be spurious, and may be missing after the store was unreachable, so a waiter
   * also polls. `wake` must not throw. The returned function ends the calls and is idempotent.
   */
  watch(inbox: string, wake: () => void): () => void;

  /**
   * Whether each watch of an inbox has been woken for all mail that other processes had stored there before this call.
   * False if the store does not know, for example while it is unreachable. Simultaneous calls share one query.
   */
  hasToldAll(inbox: string): Promise<boolean>;

  /**
   * Resolves once no list shows the inbox's emails. Those in an earlier list stay readable until `purge` deletes them.
   * Mail that arrives meanwhile may stay. Its `receivedAt` is later than the cleared mail's, so no cursor skips it.
   */
  clear(inbox: string, now: number): Promise<void>;

  /** Like `clear`, for one email. Resolves to false if it was already cleared or expired, or is unknown. */
  clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean>;

  /**
   * Deletes a bounded number of emails that were cleared or expired at `now`, oldest first. Resolves to true if there
   * is more to delete. Does nothing if the store's engine deletes such emails itself.
   */
  purge(now: number): Promise<boolean>;

  /** Lists each inbox that has an undeleted email, and perhaps others. May lack inboxes that are new. */
  inboxes(): AsyncIterable<string>;

  /** Adds an address to the waitlist permanently. An address that is already there keeps its time. */
  joinWaitlist(email: string, now: number): Promise<void>;

  waitlist(): AsyncIterable<WaitlistEntry>;

  /** Milliseconds to add to this machine's clock for `now` in all methods. 0 unless machines share the store. */
  clockOffsetMs(): number;

  /**
   * The cost of this query does not depend on the store's size. An email counts until it is deleted; a cleared one may
   * count until it would have expired. For a remote store, `bytes` is all memory that its servers use.
   */
  usage(): Promise<Usage>;

  /** Resolves when the store answers. Rejects with `StoreFullDiskError` while its disk has no room for mail. */
  ping(): Promise<void>;

  close(): Promise<void>;
}

/** The named store is unusable, and a retry will not help: name another, or repair this one. */
export class UnusableStoreError extends NamedError {
  override name = 'UnusableStoreError';
}

/** The store is unreachable or does not answer in time. The request may have been carried out anyway. */
export class StoreAwayError extends NamedError {
  override name = 'StoreAwayError';
  constructor(reason: string, options?: ErrorOptions) {
    super(`The store does not answer: ${reason}.`, options);
  }
}

/** The store's disk is full. Its mail is still readable. */
export class StoreFullDiskError extends NamedError {
  override name = 'StoreFullDiskError';
  /** Names the owner of the full disk in error messages: `the store` or `Redis`. */
  readonly owner: string;

  constructor(sentence: string, options: ErrorOptions & { readonly owner?: string } = {}) {
    super(sentence, options);
    this.owner = options.owner ?? 'the store';
  }
}

/** The memory of a remote store is full. Its mail is still readable. */
export class StoreFullError extends NamedError {
  override name = 'StoreFullError';
  /** Names the owner of the full memory in error messages, such as `the server`. */
  readonly owner: string;

  constructor(owner: string) {
    super(`The memory of ${owner} is full (maxmemory): no mail is accepted until mail expires or maxmemory is raised.`);
    this.owner = owner;
  }
}

export class StoreClosedError extends NamedError {
  override name = 'StoreClosedError';
  constructor() {
    super('The store is closed.');
  }
}

/** An email was deleted between being listed and being read. */
export class EmailGoneError extends NamedError {
  override name = 'EmailGoneError';
  constructor() {
    super('The email was deleted while it was being read.');
  }
}
