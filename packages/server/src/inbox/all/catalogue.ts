import { Turns } from '../../limits/event-loop.js';
import type { Store, StoredEmail } from '../../store/store.js';
import { isHidden, isUnlisted, openInbox } from '../held-back.js';
import { type StoreAndClock, select } from '../read/selecting.js';
import { spaceIn } from '../spaces/space.js';
import { Listing, type Message } from './message-list.js';

/** Newest emails of all inboxes; older ones are found by recipient. */
export const MOST_LISTED = 20_000;

/** Store rows per turn: some tenths of a millisecond. */
const SHARE = 100;

/** Older lists are updated in the background: other processes store mail, too. */
const FRESH_MS = 1_000;

/** For older lists, answers wait for the update. */
const STALE_MS = 5_000;

/** If more inboxes changed since the last request, all are looked at. */
const MOST_CHANGED = 1_000;

/** One look serves many clients and outlives each. */
const STAYING = { aborted: false };

export interface Look {
  readonly isWhole?: boolean;
  readonly space?: string | null;
}

/** The lists of one walk, by space and for all other mail, bounded together. */
class Listings {
  readonly #store: Store;
  readonly #bySpace = new Map<string | null, Listing>();
  emails = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  of(space: string | null): Listing {
    const known = this.#bySpace.get(space);
    if (known !== undefined) return known;
    // Not kept: requests with made-up pairs must not fill the memory.
    return new Listing(this.#store);
  }

  append(email: StoredEmail): void {
    this.#kept(spaceIn(email.inbox)).append(email);
    this.emails += 1;
  }

  end(): void {
    for (const listing of this.#bySpace.values()) listing.end();
  }

  /** Updates these inboxes in the lists of their spaces. */
  replace(inboxes: ReadonlyMap<string, readonly StoredEmail[]>): void {
    const bySpace = new Map<string | null, Map<string, readonly StoredEmail[]>>();
    for (const [inbox, emails] of inboxes) {
      const space = spaceIn(inbox);
      const changed = bySpace.get(space) ?? new Map();
      bySpace.set(space, changed.set(inbox, emails));
    }
    for (const [space, changed] of bySpace) this.#kept(space).replace(changed);
  }

  #kept(space: string | null): Listing {
    const listing = this.of(space);
    this.#bySpace.set(space, listing);
    return listing;
  }
}

/**
 * The newest emails of all inboxes, by message. Walking the store per request would take 20 ms for 10,000 emails, so
 * the list is kept and only inboxes changed in this process are looked at again. Changes of other processes show a
 * second later, or five after a pause.
 */
export class Catalogue {
  readonly #options: StoreAndClock;
  readonly #turns = new Turns();
  #listings: Listings;
  #holding: ReadonlySet<string> = new Set();
  #changed = new Set<string>();
  /** Changes since the walk began, which may be past them. */
  #sinceWalk = new Set<string>();
  #isBehind = false;
  #walkedAt = Number.NEGATIVE_INFINITY;
  #walking: Promise<void> | null = null;
  #syncing: Promise<void> = Promise.resolve();
  /** The update for callers that came after the last one began. */
  #next: Promise<void> | null = null;
  #isWholeNext = false;

  constructor(options: StoreAndClock) {
    this.#options = options;
    this.#listings = new Listings(options.store);
  }

  changed(inbox: string): void {
    // No list exists before the first request.
    if (this.#walkedAt === Number.NEGATIVE_INFINITY && this.#walking === null) return;
    if (isUnlisted(inbox)) return;
    for (const changed of [this.#changed, this.#sinceWalk]) {
      if (changed.size < MOST_CHANGED) changed.add(inbox);
      else this.#isBehind = true;
    }
  }

  /**
   * The newest first, of one space or outside of all. `isWhole` walks the store for what other processes did until now.
   */
  async messages({ isWhole = false, space = null }: Look = {}): Promise<readonly Message[]> {
    this.#isWholeNext ||= isWhole;
    await (this.#next ?? this.#begin());
    const listing = this.#listings.of(space);
    listing.cut(this.#options.clock.now(), MOST_LISTED);
    return listing.messages;
  }

  /** Inboxes that held mail back when the store was last walked, at most `MOST_LISTED`. */
  get holding(): readonly string[] {
    return [...this.#holding];
  }

  /** Updates the list after the current run, for all callers until then. */
  #begin(): Promise<void> {
    const next = this.#syncing.then(() => {
      const isWhole = this.#isWholeNext;
      [this.#next, this.#isWholeNext] = [null, false];
      return this.#sync(isWhole);
    });
    this.#next = next;
    // The next caller tries again; these hear of the failure.
    this.#syncing = next.catch(() => {});
    return next;
  }

  async #sync(isWhole: boolean): Promise<void> {
    // The current walk may be past newer mail.
    if (isWhole) await this.#walking?.catch(() => {});
    const age = this.#options.clock.monotonic() - this.#walkedAt;
    if (isWhole || this.#isBehind || age >= STALE_MS) await this.#walk();
    else if (age >= FRESH_MS) this.#walk().catch(() => {});
    if (this.#isBehind) await this.#walk();
    await this.#lookAgain();
  }

  #walk(): Promise<void> {
    const wasBehind = this.#isBehind;
    this.#walking ??= this.#goThrough()
      .catch((error) => {
        // Nothing else tells what the walk missed.
        this.#isBehind ||= wasBehind;
        throw error;
      })
      .finally(() => {
        this.#walking = null;
      });
    return this.#walking;
  }

  async #goThrough(): Promise<void> {
    const { store, clock } = this.#options;
    this.#sinceWalk = new Set(this.#changed);
    this.#isBehind = false;
    const begunAt = clock.monotonic();
    const listings = new Listings(store);
    const holding = new Set<string>();
    let behind: string | null = null;
    do {
      await this.#turns.next();
      const page = await store.recent(behind === null ? { limit: SHARE } : { behind, limit: SHARE }, clock.now());
      for (const email of page.emails) {
        if (!isUnlisted(email.inbox)) listings.append(email);
        else if (isHidden(email.inbox) && holding.size < MOST_LISTED) holding.add(openInbox(email.inbox));
      }
      behind = page.next;
    } while (behind !== null && listings.emails < MOST_LISTED);
    if (behind !== null) listings.end();
    this.#listings = listings;
    this.#holding = holding;
    this.#walkedAt = begunAt;
    for (const inbox of this.#sinceWalk) this.#changed.add(inbox);
  }

  async #lookAgain(): Promise<void> {
    const { store, clock } = this.#options;
    if (this.#changed.size === 0) return;
    const changed = this.#changed;
    this.#changed = new Set();
    const now = new Map<string, readonly StoredEmail[]>();
    let rows = 0;
    try {
      for (const inbox of changed) {
        // One mail may have changed hundreds of full inboxes.
        if (rows >= SHARE) {
          await this.#turns.next();
          rows = 0;
        }
        const look = { inbox, selection: {}, limit: MOST_LISTED, now: clock.now(), signal: STAYING };
        const emails = await select({ store, turns: this.#turns }, look);
        now.set(inbox, emails);
        rows += 1 + emails.length;
      }
    } catch (error) {
      for (const inbox of changed) this.#changed.add(inbox);
      throw error;
    }
    this.#listings.replace(now);
  }
}
