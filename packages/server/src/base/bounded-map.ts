/** When there is no room for a value, those set longest ago leave (D55). A value's weight must stay the same. */
export class BoundedMap<K, V extends string | number | boolean | object> {
  readonly #values = new Map<K, V>();
  readonly #maxWeight: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;

  constructor(maxWeight: number, weightOf: (value: V) => number = () => 1) {
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  has(key: K): boolean {
    return this.#values.has(key);
  }

  /** The value becomes the newest. One that is heavier than all the room is not kept, and nothing leaves for it. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weightOf(value);
    if (weight > this.#maxWeight) return;
    for (const oldest of this.#values.keys()) {
      if (this.#weight + weight <= this.#maxWeight) break;
      this.delete(oldest);
    }
    this.#values.set(key, value);
    this.#weight += weight;
  }

  delete(key: K): boolean {
    const value = this.#values.get(key);
    if (value === undefined) return false;
    this.#weight -= this.#weightOf(value);
    return this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#weight = 0;
  }
}
