/** How one kind of work is shared out. */
export interface FairTurnsOptions<T> {
  /** How much of it one client may begin each time the event loop comes round. */
  readonly share: number;
  /** How much that had to wait is begun in one round, of all clients together. */
  readonly atOnce: number;
  /** How much of one client's may wait. */
  readonly most: number;
  /** Does a piece of work. Must not throw. */
  begin(work: T): void;
}

/**
 * Work that clients bring along, such as requests, in turns by client: one that brings more than its share waits for later rounds of
 * the event loop, and others come between (D22). Who brings little never waits.
 */
export class FairTurns<T> {
  readonly #options: FairTurnsOptions<T>;
  /** How much each client has begun since the event loop came round. */
  readonly #begun = new Map<string, number>();
  /** What waits, by client; who has waited longest is first. */
  readonly #waiting = new Map<string, T[]>();
  #roundIsAwaited = false;

  constructor(options: FairTurnsOptions<T>) {
    this.#options = options;
  }

  /** Begins a piece of work of a client, now or in a later round. Answers false when too much of the client's waits already. */
  take(client: string, work: T): boolean {
    const { share, most, begin } = this.#options;
    const waiting = this.#waiting.get(client);
    if (waiting !== undefined) {
      if (waiting.length >= most) return false;
      waiting.push(work);
      return true;
    }
    const begun = this.#begun.get(client) ?? 0;
    if (begun >= share) this.#waiting.set(client, [work]);
    else {
      this.#begun.set(client, begun + 1);
      this.#awaitRound();
      begin(work);
    }
    return true;
  }

  #awaitRound(): void {
    if (this.#roundIsAwaited) return;
    this.#roundIsAwaited = true;
    setImmediate(this.#comeRound);
  }

  readonly #comeRound = (): void => {
    const { share, atOnce, begin } = this.#options;
    this.#roundIsAwaited = false;
    this.#begun.clear();
    let left = atOnce;
    for (const [client, waiting] of [...this.#waiting]) {
      if (left <= 0) break;
      const served = waiting.splice(0, share);
      left -= served.length;
      // What the work brings along, and the rest, goes behind all others.
      this.#waiting.delete(client);
      if (waiting.length > 0) this.#waiting.set(client, waiting);
      this.#begun.set(client, served.length);
      for (const work of served) begin(work);
    }
    if (this.#begun.size > 0 || this.#waiting.size > 0) this.#awaitRound();
  };
}
