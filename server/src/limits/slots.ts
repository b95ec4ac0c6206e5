/** Why there is no slot: the client has all that it may have, or every one is taken. */
export type NoSlot = 'client-full' | 'all-taken';

/** How many of something may be held at once, in all and by one client. */
export interface SlotBounds {
  readonly total: number;
  readonly perClient: number;
}

/**
 * Who holds how many of something that is bounded, such as connections or streams (D13), of those of this process. Where nodes share
 * a store, those of a client on all of them are counted in `shared/`.
 */
export class Slots {
  readonly #bounds: SlotBounds;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /**
   * Takes a slot for a client. Returns what frees it, which does so once, or why there is none: what the client can change
   * itself goes first.
   */
  take(client: string): (() => void) | NoSlot {
    const refused = this.hold(client);
    if (refused !== null) return refused;
    let isHeld = true;
    return () => {
      if (isHeld) this.free(client);
      isHeld = false;
    };
  }

  /** The same for a holder that remembers by itself whether it has a slot, and calls `free` once. Returns null when it has. */
  hold(client: string): NoSlot | null {
    const refused = this.refusal(client);
    if (refused !== null) return refused;
    this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + 1);
    this.#taken += 1;
    return null;
  }

  /** Why a client would get no slot; null when it would. */
  refusal(client: string): NoSlot | null {
    if ((this.#byClient.get(client) ?? 0) >= this.#bounds.perClient) return 'client-full';
    return this.isFull ? 'all-taken' : null;
  }

  /** Whether every slot is taken. */
  get isFull(): boolean {
    return this.#taken >= this.#bounds.total;
  }

  /** Frees a slot that `hold` gave. */
  free(client: string): void {
    const left = (this.#byClient.get(client) ?? 0) - 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
    this.#taken -= 1;
  }
}
