import type { Clock } from '../../base/clock.js';
import { Turns } from '../../fairness/event-loop.js';
import type { Store, StoredEmail } from '../../store/store.js';
import { isHidden } from '../held-back.js';
import { select } from '../read/selecting.js';
import { Listing, type Message } from './message-list.js';

/** Newest emails of all inboxes. Older ones are found by their recipient. */
export const MOST_LISTED = 20_000;

/** Rows of the store that are looked at in one turn: some tenths of a millisecond. */
const SHARE = 100;

/** The list is updated in the background once it is older than this: other processes store mail, too. */
const FRESH_MS = 1_000;

/** Answers wait for the update once the list is older than this. */
const STALE_MS = 5_000;

/** Where more inboxes have changed since the last request, all are looked at. */
const MOST_CHANGED = 1_000;

/** One look serves many clients, so it goes on when one leaves. */
const STAYING = { aborted: false };

export interface CatalogueOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * The newest emails of all inboxes, by message. To go through the store for each request would take the event loop some
 * 20 ms for 10,000 emails; so the list is kept, and where mail came or went in this process, only its inbox is looked
 * at again. What another process stores or clears is seen a second later, or five after a pause.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #turns = new Turns();
  #listing: Listing;
  #changed = new Set<string>();
  /** What has changed since the current walk began, which may be past it. */
  #sinceWalk = new Set<string>();
  /** Whether too many inboxes have changed to be listed. */
  #isBehind = false;
  /** By the clock's `monotonic`. */
  #walkedAt = Number.NEGATIVE_INFINITY;
  #walking: Promise<void> | null = null;
  #syncing: Promise<void> = Promise.resolve();
  /** What every caller since the last one began waits for. */
  #next: Promise<void> | null = null;
  #isWholeNext = false;

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#listing = new Listing(options.store);
  }

  changed(inbox: string): void {
    // Before the first request there is no list.
    if (this.#walkedAt === Number.NEGATIVE_INFINITY && this.#walking === null) return;
    if (isHidden(inbox)) return;
    for (const changed of [this.#changed, this.#sinceWalk]) {
      if (changed.size < MOST_CHANGED) changed.add(inbox);
      else this.#isBehind = true;
    }
  }

  /** The newest first. `isWhole` goes through the store for what other processes have done up to this moment. */
  async messages({ isWhole = false } = {}): Promise<readonly Message[]> {
    this.#isWholeNext ||= isWhole;
    await (this.#next ?? this.#begin());
    this.#listing.cut(this.#options.clock.now(), MOST_LISTED);
    return this.#listing.messages;
  }

  /** Brings the list up to date after the current run, for all who wait by then. */
  #begin(): Promise<void> {
    const next = this.#syncing.then(() => {
      const isWhole = this.#isWholeNext;
      [this.#next, this.#isWholeNext] = [null, false];
      return this.#sync(isWhole);
    });
    this.#next = next;
    // The next caller tries again; those who waited hear that it failed.
    this.#syncing = next.catch(() => {});
    return next;
  }

  async #sync(isWhole: boolean): Promise<void> {
    // The current walk may be past what came since it began.
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
        // Nothing else tells what the walk should have found.
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
    const listing = new Listing(store);
    let behind: string | null = null;
    do {
      await this.#turns.next();
      const page = await store.recent(behind === null ? { limit: SHARE } : { behind, limit: SHARE }, clock.now());
      for (const email of page.emails) if (!isHidden(email.inbox)) listing.append(email);
      behind = page.next;
    } while (behind !== null && listing.emails < MOST_LISTED);
    if (behind !== null) listing.end();
    this.#listing = listing;
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
        // One mail may have come into hundreds of full inboxes.
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
    this.#listing.replace(now);
  }
}
