import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import type { Store } from '../../store/store.js';

export interface Watcher {
  /** Called when an inbox has new mail, which a read must already find. */
  arrived(): void;
}

/**
 * How many are called in one go, of all inboxes of a message together, since each of them may read and send the email;
 * the others have their turn one go after the other.
 */
const CALLED_AT_ONCE = 50;

/**
 * Who waits for mail of which inbox, in this process. Mail of other processes is announced by the store that they
 * share, as far as it can; whoever waits finds it at the latest at the next check of its schedule.
 */
export class Arrivals<W extends Watcher = Watcher> {
  readonly #store: Pick<Store, 'watch' | 'hasToldAll'>;
  /** By inbox: the only one who waits, as a rule, or all of them. */
  readonly #waiting = new Map<string, W | Set<W>>();
  /** By inbox: what ends the watch for mail of other processes. */
  readonly #leave = new Map<string, () => void>();
  /** Inboxes in which other processes have put mail, to be announced together. */
  #elsewhere = new Set<string>();

  /** Those who are still to be called, in a later go. */
  readonly #toCall = new Set<Watcher>();

  constructor(store: Pick<Store, 'watch' | 'hasToldAll'>) {
    this.#store = store;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Calls the watcher at every arrival in an inbox until it leaves. */
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
   * Whether a watcher has been called for all mail that was in its inbox when this was called. False where it is still
   * to be called, or where the store cannot say.
   */
  hasTold(inbox: string, watcher: W): MaybePromise<boolean> {
    const isCalled = (hasToldAll: boolean) => hasToldAll && !this.#elsewhere.has(inbox) && !this.#toCall.has(watcher);
    return withAnswer(this.#store.hasToldAll(inbox), isCalled);
  }

  /** Tells all waiters that these inboxes have new mail; `told` is called when all have been. */
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

  /** All that a store tells in one go is announced together: it may be every inbox with a waiter. */
  #announceElsewhere(inbox: string): void {
    this.#elsewhere.add(inbox);
    if (this.#elsewhere.size > 1) return;
    setImmediate(() => {
      const inboxes = this.#elsewhere;
      this.#elsewhere = new Set();
      this.announce(inboxes);
    });
  }

  /** Calls watchers some at a time; who has left meanwhile must not mind. */
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
