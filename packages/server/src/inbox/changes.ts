import type { WayOut } from 'mayfly-protocol';
import type { Store, StoredEmail } from '../store/store.js';
import { isFilter, type Selection, type Shelf, select } from './read/selecting.js';

export interface Arrived {
  readonly inbox: string;
  readonly receivedAt: number;
}

/** Called with changed inboxes and their new emails once lists show the change. Must neither throw nor wait. */
export type Listener = (inboxes: ReadonlySet<string>, arrived: readonly Arrived[]) => void;

/** Maximum number of waits notified in one turn of the event loop. Each may read and send a message. */
const NOTIFIED_AT_ONCE = 50;

/** Notifies listeners of this process's changes to any inbox, and waits of any process's new mail in their inbox. */
export class Changes {
  readonly #store: Pick<Store, 'watch' | 'hasToldAll'>;
  /** By inbox, its waits, the longest first, and the function that ends the watch for other processes' mail. */
  readonly #watched = new Map<string, { readonly waits: Set<Wait>; readonly unwatch: () => void }>();
  /** Inboxes with mail from other processes that is yet to be announced. */
  #elsewhere = new Set<string>();
  /** Announcements that have not notified all of their waits yet. */
  #unfinished = 0;
  readonly #listeners = new Set<Listener>();

  constructor(store: Pick<Store, 'watch' | 'hasToldAll'>) {
    this.#store = store;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The waits for an inbox, the longest first. */
  of(inbox: string): Iterable<Wait> {
    return this.#watched.get(inbox)?.waits ?? [];
  }

  watch(inbox: string, wait: Wait): void {
    const watched = this.#watched.get(inbox);
    if (watched !== undefined) watched.waits.add(wait);
    else {
      const unwatch = this.#store.watch(inbox, () => this.#announceElsewhere(inbox));
      this.#watched.set(inbox, { waits: new Set([wait]), unwatch });
    }
  }

  leave(inbox: string, wait: Wait): void {
    const watched = this.#watched.get(inbox);
    if (!watched?.waits.delete(wait) || watched.waits.size > 0) return;
    this.#watched.delete(inbox);
    watched.unwatch();
  }

  /** Whether an inbox's waits have been notified for all of its present mail. False if some are yet to be notified. */
  async hasTold(inbox: string): Promise<boolean> {
    const hasToldAll = await this.#store.hasToldAll(inbox);
    return hasToldAll && !this.#elsewhere.has(inbox) && this.#unfinished === 0;
  }

  cleared(inboxes: ReadonlySet<string>): void {
    for (const listener of this.#listeners) listener(inboxes, []);
  }

  /** Announces mail that arrived or may have arrived; calls `told` once all waits were notified. */
  came(inboxes: ReadonlySet<string>, arrived: readonly Arrived[] = [], told?: () => void): void {
    for (const listener of this.#listeners) listener(inboxes, arrived);
    const announced = this.#announce(inboxes);
    if (told !== undefined) void announced.then(() => setImmediate(told));
  }

  /** Announces inboxes together, because a store may report every watched inbox in one turn. */
  #announceElsewhere(inbox: string): void {
    this.#elsewhere.add(inbox);
    if (this.#elsewhere.size > 1) return;
    setImmediate(() => {
      const inboxes = this.#elsewhere;
      this.#elsewhere = new Set();
      void this.#announce(inboxes);
    });
  }

  /** Notifies the present waits in groups. Waits that end before their group's turn are notified as well. */
  async #announce(inboxes: ReadonlySet<string>): Promise<void> {
    const waits = [...inboxes].flatMap((inbox) => [...this.of(inbox)]);
    this.#unfinished += 1;
    for (const [n, wait] of waits.entries()) {
      if (n > 0 && n % NOTIFIED_AT_ONCE === 0) await new Promise(setImmediate);
      wait.arrived();
    }
    this.#unfinished -= 1;
  }
}

/** How long a stream waits (interface section 8). */
export const STREAM_MS = 30_000;

/** Milliseconds until the next check of the store for new mail (interface section 4.2). */
function checkInterval(elapsedMs: number): number {
  if (elapsedMs < 2_000) return 500;
  return elapsedMs < 10_000 ? 1_000 : 2_000;
}

export interface Taker {
  readonly way: WayOut;
  readonly client: string;
}

/** Exactly one method is called, once. None may throw. */
export interface Waiter extends Taker {
  found(email: StoredEmail): void;
  timedOut(): void;
  failed(error: unknown): void;
}

export interface WaitContext extends Shelf {
  readonly changes: Changes;
}

/**
 * Finds the newest matching email, or else waits for one. Reads the inbox immediately, when mail arrives, whenever mail
 * may have been missed (D8), and at the end. The waiter is called after the constructor has returned.
 */
export class Wait {
  readonly #context: WaitContext;
  readonly #inbox: string;
  readonly selection: Selection;
  readonly waiter: Waiter;
  readonly since: number;
  readonly #startedAt: number;
  readonly #waitMs: number;
  #cancelCheck = () => {};
  /** `receivedAt` of the newest email that was checked without a match. Earlier emails are not checked again. */
  #passed: number | undefined;
  #isLooking = false;
  #looksAgain = false;
  #isLate = false;
  #isOver = false;

  constructor(context: WaitContext, inbox: string, selection: Selection, waiter: Waiter, waitMs: number) {
    const { changes, clock } = context;
    this.#context = context;
    this.#inbox = inbox;
    this.selection = selection;
    this.waiter = waiter;
    this.since = clock.now();
    this.#startedAt = clock.monotonic();
    this.#waitMs = waitMs;
    this.#passed = selection.after;
    this.#schedule(0);
    try {
      changes.watch(inbox, this);
    } catch {
      // The read that follows reports the error.
    }
    this.#look();
  }

  /** Ends the wait. If a read is running, ignores its result. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelCheck();
    this.#context.changes.leave(this.#inbox, this);
  }

  get aborted(): boolean {
    return this.#isOver;
  }

  /** The inbox has new mail, which a read finds. Ignored by a late wait, or a flood would prolong it without end. */
  arrived(): void {
    if (!this.#isLate) this.#look();
  }

  #schedule(lastAtMs: number): void {
    const { clock } = this.#context;
    const atMs = Math.min(lastAtMs + checkInterval(lastAtMs), this.#waitMs);
    const delayMs = Math.ceil(this.#startedAt + atMs - clock.monotonic());
    this.#cancelCheck = clock.after(delayMs, () => {
      if (atMs < this.#waitMs) this.#schedule(atMs);
      void this.#check(atMs >= this.#waitMs);
    });
  }

  /** Reads the inbox if mail may have arrived since the last read (D8). */
  async #check(isLast: boolean): Promise<void> {
    const hasTold = await this.#context.changes.hasTold(this.#inbox).catch(() => false);
    this.#isLate ||= isLast;
    if (!hasTold) this.#look();
    else if (isLast && !this.#isLooking) this.#over(() => this.waiter.timedOut());
  }

  #look(): void {
    this.#looksAgain = this.#isLooking;
    if (this.#isOver || this.#isLooking) return;
    this.#isLooking = true;
    this.#newest().then(
      (email) => {
        this.#isLooking = false;
        if (email !== null) this.#over(() => this.waiter.found(email));
        else if (this.#looksAgain) this.#look();
        else if (this.#isLate) this.#over(() => this.waiter.timedOut());
      },
      (error) => this.#over(() => this.waiter.failed(error)),
    );
  }

  #over(report: () => void): void {
    if (this.#isOver) return;
    this.leave();
    report();
  }

  async #newest(): Promise<StoredEmail | null> {
    const { store, clock } = this.#context;
    const [newest] = await store.list(this.#inbox, { after: this.#passed, limit: 1 }, clock.now());
    if (newest === undefined || !isFilter(this.selection)) return newest ?? null;
    const selection = { ...this.selection, after: this.#passed };
    const look = { inbox: this.#inbox, selection, before: newest.receivedAt + 1, limit: 1, signal: this };
    const [email] = await select(this.#context, look);
    if (email === undefined && !this.#isOver) this.#passed = newest.receivedAt;
    return email ?? null;
  }
}
