/** The client has all that it may have, or everything is taken that is not kept for others. */
export type Refusal = 'client-full' | 'all-taken';

/** How much may be held at once: a number of things, or bytes. */
export interface QuotaBounds {
  readonly total: number;
  readonly perClient: number;
  /** Absent: a client may have its bound however much is taken. */
  readonly scarce?: Scarcity;
}

/** When something is scarce, and a client's bound then: the rest is kept for clients that have little (D22). */
export interface Scarcity {
  readonly from: number;
  readonly perClient: number;
}

/** Scarce from half of the total on; never where one client may have more: such an operator trusts the clients. */
export function scarcity({ total, perClient }: QuotaBounds, perClientThen: number): { readonly scarce?: Scarcity } {
  return perClient > total / 2 ? {} : { scarce: { from: Math.ceil(total / 2), perClient: perClientThen } };
}

/** Counts who holds how much of something bounded, such as connections, streams (D13) or bytes, in this process. */
export class Quota {
  readonly #bounds: QuotaBounds;
  readonly #pool: Pool | undefined;
  readonly #byClient = new Map<string, number>();
  #used = 0;

  /** `reserve` is what other quotas always leave of the pool to this one. */
  constructor(bounds: QuotaBounds, shared?: { readonly pool: Pool; readonly reserve: number }) {
    this.#bounds = bounds;
    this.#pool = shared?.pool;
    shared?.pool.add(this, shared.reserve);
  }

  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used >= this.#total;
  }

  /** Only `add` can exceed the bounds. */
  get isExceeded(): boolean {
    return this.#used > this.#total;
  }

  of(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  isFullFor(client: string): boolean {
    return this.of(client) >= this.#bounds.perClient;
  }

  refusal(client: string, cost = 1): Refusal | null {
    const { perClient, scarce } = this.#bounds;
    const used = this.of(client);
    if (used + cost > perClient) return 'client-full';
    const isKeptBack = scarce !== undefined && this.#used >= scarce.from && used >= scarce.perClient;
    return isKeptBack || this.#used + cost > this.#total ? 'all-taken' : null;
  }

  /** Takes `cost` for a client, until `release`. Returns null, or why not. */
  acquire(client: string, cost = 1): Refusal | null {
    const refused = this.refusal(client, cost);
    if (refused === null) this.add(client, cost);
    return refused;
  }

  release(client: string, cost = 1): void {
    this.add(client, -cost);
  }

  /** As `acquire`, but returns the release, which works once, or why not. */
  take(client: string): (() => void) | Refusal {
    const refused = this.acquire(client);
    if (refused !== null) return refused;
    let isHeld = true;
    return () => {
      if (isHeld) this.release(client);
      isHeld = false;
    };
  }

  add(client: string, cost: number): void {
    const used = this.of(client) + cost;
    if (used > 0) this.#byClient.set(client, used);
    else this.#byClient.delete(client);
    this.#used += cost;
  }

  get #total(): number {
    const { total } = this.#bounds;
    return this.#pool === undefined ? total : Math.min(total, this.#pool.leftTo(this));
  }
}

export class Pool {
  readonly #total: number;
  readonly #reserves = new Map<Quota, number>();

  constructor(total: number) {
    this.#total = total;
  }

  /** Only for `Quota`. */
  add(quota: Quota, reserve: number): void {
    this.#reserves.set(quota, reserve);
  }

  /** All that the other quotas neither have nor keep. */
  leftTo(quota: Quota): number {
    let left = this.#total;
    for (const [other, reserve] of this.#reserves) if (other !== quota) left -= Math.max(other.used, reserve);
    return left;
  }
}
