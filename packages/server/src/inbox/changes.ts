import type { Store } from '../store/store.js';

/** An email that can be read now. */
export interface Arrived {
  readonly inbox: string;
  readonly receivedAt: number;
}

/** Called with inboxes whose mail has changed, once lists show it, and the new emails. Must neither throw nor wait. */
export type Listener = (inboxes: ReadonlySet<string>, arrived: readonly Arrived[]) => void;

export interface Watcher {
  /** Called when an inbox has new mail that reads already find. */
  arrived(): void;
}

/** Watchers called in one go, of all inboxes of a message together: each may read and send the email. */
const CALLED_AT_ONCE = 50;

/**
 * Announces changes: to listeners, what this process does to any inbox; to watchers, new mail in their inbox. A shared
 * store announces mail of other processes; scheduled checks find the rest.
 */
export class Changes<W extends Watcher = Watcher> {
  readonly #store: Pick<Store, 'watch' | 'hasToldAll'>;
  /** By inbox: usually one watcher. */
  readonly #waiting = new Map<string, W | Set<W>>();
  /** By inbox: ends the watch for other processes' mail. */
  readonly #leave = new Map<string, () => void>();
  /** Inboxes with mail of other processes, announced together. */
  #elsewhere = new Set<string>();

  readonly #toCall = new Set<Watcher>();
  readonly #listeners = new Set<Listener>();

  constructor(store: Pick<Store, 'watch' | 'hasToldAll'>) {
    this.#store = store;
  }

  /** Returns a function that removes the listener. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The watchers of an inbox, the longest wait first. */
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
  hasTold(inbox: string, watcher: W): Promise<boolean> {
    const isCalled = (hasToldAll: boolean) => hasToldAll && !this.#elsewhere.has(inbox) && !this.#toCall.has(watcher);
    return this.#store.hasToldAll(inbox).then(isCalled);
  }

  /** Mail was cleared. */
  cleared(inboxes: ReadonlySet<string>): void {
    for (const listener of this.#listeners) listener(inboxes, []);
  }

  /** Mail came, or may have; `told` is called once all who wait for it have looked. */
  came(inboxes: ReadonlySet<string>, arrived: readonly Arrived[] = [], told?: () => void): void {
    for (const listener of this.#listeners) listener(inboxes, arrived);
    this.#announce(inboxes, told);
  }

  #announce(inboxes: ReadonlySet<string>, told?: () => void): void {
    const called: W[] = [];
    for (const inbox of inboxes) {
      for (const watcher of this.of(inbox)) called.push(watcher);
    }
    for (const watcher of called.slice(CALLED_AT_ONCE)) this.#toCall.add(watcher);
    this.#callInGoes(called, told);
  }

  #forget(inbox: string): void {
    this.#waiting.delete(inbox);
    this.#leave.get(inbox)?.();
    this.#leave.delete(inbox);
  }

  /** Announces inboxes together, because a store may report every watched inbox at once. */
  #announceElsewhere(inbox: string): void {
    this.#elsewhere.add(inbox);
    if (this.#elsewhere.size > 1) return;
    setImmediate(() => {
      const inboxes = this.#elsewhere;
      this.#elsewhere = new Set();
      this.#announce(inboxes);
    });
  }

  /** Calls some watchers in each turn of the event loop, also those that have left meanwhile. */
  #callInGoes(watchers: readonly W[], told?: () => void): void {
    const others = watchers.slice(CALLED_AT_ONCE);
    for (const watcher of watchers.slice(0, CALLED_AT_ONCE)) {
      this.#toCall.delete(watcher);
      watcher.arrived();
    }
    if (others.length > 0) setImmediate(() => this.#callInGoes(others, told));
    else if (told) setImmediate(told);
  }
}
