import type { Store } from '../../store/store.js';

export interface Watcher {
  /** Called when an inbox has new mail that reads already find. */
  arrived(): void;
}

/** Watchers called in one go, of all inboxes of a message together: each may read and send the email. */
const CALLED_AT_ONCE = 50;

/** Who waits for mail in this process. A shared store announces mail of others; scheduled checks find the rest. */
export class Arrivals<W extends Watcher = Watcher> {
  readonly #store: Pick<Store, 'watch' | 'hasToldAll'>;
  /** By inbox: one waiter, as a rule, or several. */
  readonly #waiting = new Map<string, W | Set<W>>();
  /** By inbox: ends the watch for other processes' mail. */
  readonly #leave = new Map<string, () => void>();
  /** Inboxes with mail of other processes, announced together. */
  #elsewhere = new Set<string>();

  readonly #toCall = new Set<Watcher>();

  constructor(store: Pick<Store, 'watch' | 'hasToldAll'>) {
    this.#store = store;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** The watchers of an inbox, the first that came first. */
  of(inbox: string): Iterable<W> {
    const waiting = this.#waiting.get(inbox);
    if (waiting === undefined) return [];
    return waiting instanceof Set ? waiting : [waiting];
  }

  /** Calls the watcher at each arrival until it leaves. */
  watch(inbox: string, watcher: W): void {
    const waiting = this.#waiting.get(inbox);
    if (waiting === undefined) {
      this.#leave.set(
        inbox,
        this.#store.watch(inbox, () => this.#announceElsewhere(inbox)),
      );
      this.#waiting.set(inbox, watcher);
    } else if (waiting instanceof Set) waiting.add(watcher);
    else this.#waiting.set(inbox, new Set([waiting, watcher]));
  }

  /** Ends a watch. Leaving twice is fine. */
  leave(inbox: string, watcher: W): void {
    const waiting = this.#waiting.get(inbox);
    if (waiting instanceof Set) {
      waiting.delete(watcher);
      if (waiting.size === 0) this.#forget(inbox);
    } else if (waiting === watcher) this.#forget(inbox);
  }

  /**
   * Whether a watcher was called for all mail in its inbox at this call. False if it is yet to be called, or unknown.
   */
  async hasTold(inbox: string, watcher: W): Promise<boolean> {
    const hasToldAll = await this.#store.hasToldAll(inbox);
    return hasToldAll && !this.#elsewhere.has(inbox) && !this.#toCall.has(watcher);
  }

  /** Tells all waiters of new mail; `told` is called at the end. */
  announce(inboxes: ReadonlySet<string>, told?: () => void): void {
    const called: W[] = [];
    for (const inbox of inboxes) {
      const waiting = this.#waiting.get(inbox);
      if (waiting instanceof Set) for (const watcher of waiting) called.push(watcher);
      else if (waiting !== undefined) called.push(waiting);
    }
    for (const watcher of called.slice(CALLED_AT_ONCE)) this.#toCall.add(watcher);
    this.#callInGoes(called, told);
  }

  #forget(inbox: string): void {
    this.#waiting.delete(inbox);
    this.#leave.get(inbox)?.();
    this.#leave.delete(inbox);
  }

  /** A store may tell of every watched inbox at once: announced together. */
  #announceElsewhere(inbox: string): void {
    this.#elsewhere.add(inbox);
    if (this.#elsewhere.size > 1) return;
    setImmediate(() => {
      const inboxes = this.#elsewhere;
      this.#elsewhere = new Set();
      this.announce(inboxes);
    });
  }

  /** Calls some watchers at a time; those that left must not mind. */
  #callInGoes(watchers: readonly W[], told?: () => void): void {
    const others = watchers.slice(CALLED_AT_ONCE);
    for (const watcher of watchers.slice(0, CALLED_AT_ONCE)) {
      this.#toCall.delete(watcher);
      watcher.arrived();
    }
    if (others.length > 0) setImmediate(() => this.#callInGoes(others, told));
    else told?.();
  }
}
