import type { Clock } from '../../base/clock.js';
import { Turns } from '../../fairness/event-loop.js';
import type { Store, StoredEmail } from '../../store/store.js';
import { select } from '../read/selecting.js';
import { Listing, type Message } from './message-list.js';

/** So many emails of all inboxes are listed, the newest: what is older is found by its recipient. */
export const MOST_LISTED = 20_000;

/** How many rows of the store are looked at in one turn: some tenths of a millisecond. */
const SHARE = 100;

/** How old what is known of other processes' mail may be before it is looked for while answers are made of what is known. */
const FRESH_MS = 1_000;

/** The same before answers wait for it. */
const STALE_MS = 5_000;

/** When more inboxes have changed since anybody asked, all are looked at. */
const MOST_CHANGED = 1_000;

/** A look for all who ask goes on, whoever of them leaves. */
const STAYING = { aborted: false };

export interface CatalogueOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * The newest emails of all inboxes, by message. To go through the store for each who asks would take the event loop some 20 ms a time for
 * 10,000 emails; so what was found is kept, and where mail came or went through this process, only its inbox is looked at again. What
 * another process stores or clears is seen a second later, or five where nobody asked for so long.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #turns = new Turns();
  #listing: Listing;
  #changed = new Set<string>();
  /** What has changed since the walk that is under way began: it may have been past it. */
  #sinceWalk = new Set<string>();
  /** Whether inboxes have changed that are not among the changed ones, since those are too many. */
  #isBehind = false;
  /** When the store was gone through last, as the clock's `monotonic` has it. */
  #walkedAt = Number.NEGATIVE_INFINITY;
  #walking: Promise<void> | null = null;
  #syncing: Promise<void> = Promise.resolve();
  /** What all wait for who came since the last one began. */
  #next: Promise<void> | null = null;
  /** Whether one of them wants what other processes have done, too. */
  #isWholeNext = false;

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#listing = new Listing(options.store);
  }

  /** Tells that mail came into an inbox or went, which a list of the inbox must show already. */
  changed(inbox: string): void {
    // While nobody asks, there is nothing to be kept up.
    if (this.#walkedAt === Number.NEGATIVE_INFINITY && this.#walking === null) return;
    for (const changed of [this.#changed, this.#sinceWalk]) {
      if (changed.size < MOST_CHANGED) changed.add(inbox);
      else this.#isBehind = true;
    }
  }

  /**
   * The messages that are neither cleared nor expired, the newest first. Nobody changes the list. `isWhole` has those of other processes
   * up to this moment, for which the store is gone through.
   */
  async messages({ isWhole = false } = {}): Promise<readonly Message[]> {
    this.#isWholeNext ||= isWhole;
    await (this.#next ?? this.#begin());
    this.#listing.cut(this.#options.clock.now(), MOST_LISTED);
    return this.#listing.messages;
  }

  /** Has the list brought up to date once more, after whoever has that done now: what has changed by then is in it for all who wait. */
  #begin(): Promise<void> {
    const next = this.#syncing.then(() => {
      const isWhole = this.#isWholeNext;
      [this.#next, this.#isWholeNext] = [null, false];
      return this.#sync(isWhole);
    });
    this.#next = next;
    // Whoever comes next tries again; that it failed is said to whom it failed for.
    this.#syncing = next.catch(() => {});
    return next;
  }

  async #sync(isWhole: boolean): Promise<void> {
    // A walk that is under way may be past what came since it began.
    if (isWhole) await this.#walking?.catch(() => {});
    const age = this.#options.clock.monotonic() - this.#walkedAt;
    if (isWhole || this.#isBehind || age >= STALE_MS) await this.#walk();
    else if (age >= FRESH_MS) this.#walk().catch(() => {});
    // One that was under way may have been past what has changed.
    if (this.#isBehind) await this.#walk();
    await this.#lookAgain();
  }

  /** Goes through the store, unless somebody does. */
  #walk(): Promise<void> {
    this.#walking ??= this.#goThroughUnlessItFails().finally(() => {
      this.#walking = null;
    });
    return this.#walking;
  }

  async #goThroughUnlessItFails(): Promise<void> {
    const wasBehind = this.#isBehind;
    try {
      await this.#goThrough();
    } catch (error) {
      // What the walk should have found, nothing else tells of.
      this.#isBehind ||= wasBehind;
      throw error;
    }
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
      for (const email of page.emails) listing.append(email);
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
        // One mail may have come into hundreds of inboxes that are full.
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
