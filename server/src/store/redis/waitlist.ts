import type { WaitlistEntry } from '../store.js';
import type { Bucket } from './bucket.js';
import { textsOf } from './replies.js';

/** The hash tag of the waitlist. */
export const WAITLIST_TAG = 'waitlist';

/** How many entries are read at once. */
export const WAITLIST_PAGE = 100;

const KEYS = { addresses: `mayfly:{${WAITLIST_TAG}}:addresses`, entries: `mayfly:{${WAITLIST_TAG}}:entries` };

/** The waitlist: a list of its entries in the order of joining, and a set of the addresses that are on it. */
export class Waitlist {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** Puts an address on it, unless it is there. */
  async join(entry: WaitlistEntry): Promise<void> {
    await this.#bucket.lasting('join-waitlist', [KEYS.addresses, KEYS.entries], [entry.email, JSON.stringify(entry)]);
  }

  /** `WAITLIST_PAGE` entries from one on, counted from 0; fewer where it ends. */
  async page(start: number): Promise<WaitlistEntry[]> {
    const range = [`${start}`, `${start + WAITLIST_PAGE - 1}`];
    return textsOf(await this.#bucket.read('LRANGE', KEYS.entries, ...range)).map((entry) => JSON.parse(entry));
  }
}
