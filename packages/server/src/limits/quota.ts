/** Why a quota refuses: the client has used its share, or everything is taken except what is reserved for others. */
export type Refusal = 'client-full' | 'all-taken';

export interface QuotaBounds {
  readonly total: number;
  readonly perClient: number;
  /** If absent, a client's bound does not depend on how much is taken. */
  readonly scarce?: Scarcity | undefined;
}

/** Once clients hold `from` in total, each may hold only `perClient`, to leave room for those with little (D22). */
interface Scarcity {
  readonly from: number;
  readonly perClient: number;
}

/** Tightens the bound per client once half is taken, unless the operator allows one client more than half. */
export function withScarcity(bounds: QuotaBounds, perClientThen: number): QuotaBounds {
  const half = bounds.total / 2;
  return bounds.perClient > half ? bounds : { ...bounds, scarce: { from: Math.ceil(half), perClient: perClientThen } };
}

/** Counts how much each client holds of a bounded resource: connections, streams (D13) or bytes, in this process. */
export class Quota {
  readonly #bounds: QuotaBounds;
  readonly #byClient = new Map<string, number>();
  #used = 0;

  constructor(bounds: QuotaBounds) {
    this.#bounds = bounds;
  }

  get isFull(): boolean {
    return this.#used >= this.#bounds.total;
  }

  /** Can be true only after `add`, which does not check the bounds. */
  get isExceeded(): boolean {
    return this.#used > this.#bounds.total;
  }

  of(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  isFullFor(client: string): boolean {
    return this.of(client) >= this.#bounds.perClient;
  }

  refusal(client: string, cost = 1): Refusal | null {
    const { total, perClient, scarce } = this.#bounds;
    const used = this.of(client);
    if (used + cost > perClient) return 'client-full';
    const isKeptBack = scarce !== undefined && this.#used >= scarce.from && used >= scarce.perClient;
    return isKeptBack || this.#used + cost > total ? 'all-taken' : null;
  }

  /** Takes `cost` for a client, until `release`. Returns null, or the reason for a refusal. */
  acquire(client: string, cost = 1): Refusal | null {
    const refused = this.refusal(client, cost);
    if (refused === null) this.add(client, cost);
    return refused;
  }

  release(client: string, cost = 1): void {
    this.add(client, -cost);
  }

  /** Like `acquire`, but returns a release function that works once, or the reason for a refusal. */
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
}
