/** A map that evicts its oldest values to make room for a new one (D55). The weight of a value must not change. */
export class BoundedMap<K, V extends string | number | boolean | object> extends Map<K, V> {
  readonly #maxWeight: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;

  constructor(maxWeight: number, weightOf: (value: V) => number = () => 1) {
    super();
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  /** Sets a value as the newest. A value heavier than the map's whole capacity is not kept, and evicts nothing. */
  override set(key: K, value: V): this {
    this.delete(key);
    const weight = this.#weightOf(value);
    if (weight > this.#maxWeight) return this;
    this.#weight += weight;
    if (this.#weight > this.#maxWeight) {
      // With a single iterator, because V8 would skip all deleted keys again for each new one.
      for (const oldest of this.keys()) {
        this.delete(oldest);
        if (this.#weight <= this.#maxWeight) break;
      }
    }
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    const value = this.get(key);
    if (value !== undefined) this.#weight -= this.#weightOf(value);
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    this.#weight = 0;
  }
}

export interface SharedMapOptions<V> {
  readonly maxSize: number;
  readonly maxBytes?: number;
  /** How long a value is kept after it was set; forever by default. */
  readonly keptMs?: number;
  readonly monotonic?: () => number;
  /** Called with each value that is evicted or expires. */
  readonly forgotten?: (value: V) => void;
}

interface Row<V> {
  readonly value: V;
  readonly client: string;
  readonly setAt: number;
  bytes: number;
}

interface Share<K> {
  readonly keys: Set<K>;
  bytes: number;
}

/** A map that, when full, evicts the oldest value of the client that holds the most, so that others lose none (D55). */
export class SharedMap<K, V> {
  readonly #options: Required<SharedMapOptions<V>>;
  /** Rows in order of age, the oldest first. The keys of each client's share have the same order. */
  readonly #rows = new Map<K, Row<V>>();
  readonly #shares = new Map<string, Share<K>>();
  #bytes = 0;
  /** No row was set earlier than this. */
  #oldestSetAt = Number.NEGATIVE_INFINITY;

  constructor(options: SharedMapOptions<V>) {
    const unbounded = { maxBytes: Number.POSITIVE_INFINITY, keptMs: Number.POSITIVE_INFINITY };
    this.#options = { ...unbounded, monotonic: () => 0, forgotten: () => {}, ...options };
  }

  get(key: K): V | undefined {
    this.#forgetExpired();
    return this.#rows.get(key)?.value;
  }

  newest(client: string | null = null): V[] {
    this.#forgetExpired();
    const keys = client === null ? this.#rows.keys() : (this.#shares.get(client)?.keys ?? []);
    return [...keys].reverse().map((key) => (this.#rows.get(key) as Row<V>).value);
  }

  /** Sets a value as the newest and adds it to the client's share. */
  set(key: K, value: V, client: string, bytes = 0): void {
    this.#forgetExpired();
    this.#remove(key);
    this.#rows.set(key, { value, client, setAt: this.#options.monotonic(), bytes: 0 });
    const share = this.#shares.get(client) ?? { keys: new Set(), bytes: 0 };
    share.keys.add(key);
    this.#shares.set(client, share);
    this.grow(key, bytes);
  }

  grow(key: K, bytes: number): void {
    this.#weigh(key, bytes);
    const { maxSize, maxBytes } = this.#options;
    while (this.#rows.size > maxSize || this.#bytes > maxBytes) {
      const oldest = otherThan(key, this.#heaviest().keys) ?? otherThan(key, this.#rows.keys());
      if (oldest === undefined) return;
      this.#forget(oldest);
    }
  }

  #weigh(key: K, bytes: number): void {
    const row = this.#rows.get(key);
    const share = row && this.#shares.get(row.client);
    if (row === undefined || share === undefined) return;
    row.bytes += bytes;
    share.bytes += bytes;
    this.#bytes += bytes;
  }

  #heaviest(): Share<K> {
    const isByNumber = this.#rows.size > this.#options.maxSize;
    const weightOf = ({ keys, bytes }: Share<K>) => (isByNumber ? keys.size : bytes);
    let heaviest: Share<K> = { keys: new Set(), bytes: 0 };
    for (const share of this.#shares.values()) if (weightOf(share) > weightOf(heaviest)) heaviest = share;
    return heaviest;
  }

  #forgetExpired(): void {
    const oldestKept = this.#options.monotonic() - this.#options.keptMs;
    // V8 skips all deleted keys for each new iterator.
    if (this.#oldestSetAt > oldestKept) return;
    for (const [key, { setAt }] of this.#rows) {
      this.#oldestSetAt = setAt;
      if (setAt > oldestKept) return;
      this.#forget(key);
    }
  }

  #forget(key: K): void {
    const value = this.#remove(key);
    if (value !== undefined) this.#options.forgotten(value);
  }

  #remove(key: K): V | undefined {
    const row = this.#rows.get(key);
    const share = row && this.#shares.get(row.client);
    if (row === undefined || share === undefined) return undefined;
    this.#weigh(key, -row.bytes);
    this.#rows.delete(key);
    share.keys.delete(key);
    if (share.keys.size === 0) this.#shares.delete(row.client);
    return row.value;
  }
}

function otherThan<K>(key: K, keys: Iterable<K>): K | undefined {
  for (const other of keys) if (other !== key) return other;
  return undefined;
}
