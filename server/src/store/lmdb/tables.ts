import type { InboxState } from '../admission.js';
import type { WaitlistEntry } from '../store.js';

/**
 * How mail lies in LMDB. Keys are in the order of their parts. Times are in milliseconds since the epoch.
 * Whoever changes the meaning of a table changes `FORMAT` too.
 */
export interface Tables {
  /** `format`: the version of this layout. `bytes`: what everything in the store costs (see `cost.ts`). */
  readonly mayfly: Table<'format' | 'bytes', number>;
  /** Inbox and `receivedAt` → an email. */
  readonly emails: Table<[inbox: string, receivedAt: number], EmailRow>;
  /**
   * `expiresAt`, inbox and `receivedAt` → message id: every email, the one that expires next first. That of an email that was
   * the newest of its inbox when this was cleared stays until it is due, since the inbox's state does.
   */
  readonly deadlines: Table<[expiresAt: number, inbox: string, receivedAt: number], string>;
  /** When an inbox was cleared, and the inbox → the `receivedAt` up to which its emails are to be deleted. */
  readonly clearings: Table<[clearedAt: number, inbox: string], number>;
  /** Inbox → what is known of it: for as long as it has emails, and until its newest one would have expired. */
  readonly inboxes: Table<string, InboxState>;
  /** Message id → a message without its bytes. */
  readonly messages: Table<string, MessageRow>;
  /** Message id and position → a chunk. Those of the index come first, then those of the content. */
  readonly chunks: Table<[message: string, position: number], Uint8Array>;
  /** Number of the entry, counted from 1 → the entry. */
  readonly waitlist: Table<number, WaitlistEntry>;
  /** SHA-256 of an address on the waitlist → the number of its entry. Hashed, as LMDB bounds the size of a key. */
  readonly waitlistAddresses: Table<string, number>;
}

/** The version of the layout above, and of what `inbox/` keeps in a message. */
export const FORMAT = 2;

export interface EmailRow {
  readonly to: string;
  readonly expiresAt: number;
  readonly indexBytes: number;
  /** Id of its message. */
  readonly message: string;
}

export interface MessageRow {
  /** How many of its emails are not deleted yet. The last one takes the message with it. */
  readonly emails: number;
  readonly indexBytes: number;
  readonly contentBytes: number;
}

/** What is used of an LMDB table: reads are of the last commit, or of the running transaction within one. */
export interface Table<K, V> {
  get(key: K): V | undefined;
  doesExist(key: K): boolean;
  getKeys(range: Range<K>): Iterable<K>;
  getRange(range: Range<K>): Iterable<{ key: K; value: V }>;
  /** Within a transaction's job done at once, in `ahead` later. Not used elsewhere. */
  put(key: K, value: V): Promise<boolean>;
  remove(key: K): Promise<boolean>;
}

/** From `start` inclusive to `end` exclusive; backwards when `reverse`. */
export interface Range<K> {
  readonly start?: K;
  readonly end?: K;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** What is used of LMDB itself. */
export interface Environment {
  /**
   * One transaction, on disk when the promise resolves (D14): first the writes of `ahead`, done by a thread of
   * LMDB's binding, then the job, which holds up the event loop. A job that throws must not have written anything.
   */
  transaction<T>(job: () => T, ahead?: () => void): Promise<T>;
  /** Makes the next read see what other processes have committed up to now. */
  resetReadTxn(): void;
  close(): Promise<void>;
}
