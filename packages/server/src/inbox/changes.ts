import type { Store } from '../store/store.js';

export interface Arrived {
  readonly inbox: string;
  readonly receivedAt: number;
}

/** Called with changed inboxes and their new emails once lists show the change. Must neither throw nor wait. */
export type Listener = (inboxes: ReadonlySet<string>, arrived: readonly Arrived[]) => void;

interface Watcher {
  /** Called when an inbox has new mail. A read then already finds that mail. */
  arrived(): void;
}

/** Maximum number of watchers called in one turn of the event loop. Each may read and send a message. */
const CALLED_AT_ONCE = 50;

/** Calls listeners for this process's changes to any inbox, and watchers for any process's new mail in their inbox. */
export class Changes<W extends Watcher = Watcher> {
  readonly #store: Pick<Store, 'watch' | 'hasToldAll'>;
  readonly #watchers = new Map<string, Set<W>>();
  /** By inbox, the function that ends the watch for other processes' mail. */
  readonly #leave = new Map<string, () => void>();
  /** Inboxes with mail from other processes that is yet to be announced. */
  #elsewhere = new Set<string>();
  /** Announcements that have not called all of their watchers yet. */
  #unfinished = 0;
  readonly #listeners = new Set<Listener>();

  constructor(store: Pick<Store, 'watch' | 'hasToldAll'>) {
    this.#store = store;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The watchers of an inbox, the longest wait first. */
  of(inbox: string): Iterable<W> {
    return this.#watchers.get(inbox) ?? [];
  }

  watch(inbox: string, watcher: W): void {
    const watchers = this.#watchers.get(inbox);
    if (watchers !== undefined) watchers.add(watcher);
    else {
      const leave = this.#store.watch(inbox, () => this.#announceElsewhere(inbox));
      this.#leave.set(inbox, leave);
      this.#watchers.set(inbox, new Set([watcher]));
    }
  }

  leave(inbox: string, watcher: W): void {
    const watchers = this.#watchers.get(inbox);
    if (!watchers?.delete(watcher) || watchers.size > 0) return;
    this.#watchers.delete(inbox);
    this.#leave.get(inbox)?.();
    this.#leave.delete(inbox);
  }

  /** Whether an inbox's watchers have been called for all of its present mail. False if some are yet to be called. */
  async hasTold(inbox: string): Promise<boolean> {
    const hasToldAll = await this.#store.hasToldAll(inbox);
    return hasToldAll && !this.#elsewhere.has(inbox) && this.#unfinished === 0;
  }

  cleared(inboxes: ReadonlySet<string>): void {
    for (const listener of this.#listeners) listener(inboxes, []);
  }

  /** Announces mail that arrived or may have arrived; calls `told` once all watchers were called. */
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

  /** Calls the present watchers in groups. Watchers that leave before their group's turn are called as well. */
  async #announce(inboxes: ReadonlySet<string>): Promise<void> {
    const watchers = [...inboxes].flatMap((inbox) => [...this.of(inbox)]);
    this.#unfinished += 1;
    for (const [n, watcher] of watchers.entries()) {
      if (n > 0 && n % CALLED_AT_ONCE === 0) await new Promise(setImmediate);
      watcher.arrived();
    }
    this.#unfinished -= 1;
  }
}
