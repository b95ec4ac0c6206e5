/** Things by when they expire, kept in that order. */
export class ExpiryIndex<T> {
  #entries: { readonly at: number; readonly thing: T }[] = [];
  readonly #isSettled: (thing: T) => boolean;
  #settled = 0;

  /** `isSettled` tells whether a thing needs nothing any more when it expires. Once true, it stays so. */
  constructor(isSettled: (thing: T) => boolean) {
    this.#isSettled = isSettled;
  }

  add(thing: T, at: number): void {
    this.#entries.splice(this.#positionOf(at), 0, { at, thing });
  }

  /** When the first thing expires; `Infinity` when there is none. */
  get nextAt(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** The things that expire at `at` or before, the last ones first. Not to be changed meanwhile. */
  *latestFirst(at: number): Generator<T> {
    for (let i = this.#positionOf(at) - 1; i >= 0; i -= 1) yield (this.#entries[i] as { readonly thing: T }).thing;
  }

  /** Takes out at most so many of the things that have expired at `now`, the first ones, settled ones too. */
  take(now: number, limit: number): T[] {
    const things = this.#entries.splice(0, Math.min(this.#positionOf(now), limit)).map(({ thing }) => thing);
    this.#settled -= things.filter(this.#isSettled).length;
    return things;
  }

  /** To be told when a thing of the list has been settled. Entries go many at a time: taking one out costs as much. */
  settled(): void {
    this.#settled += 1;
    if (this.#settled * 2 <= this.#entries.length) return;
    this.#entries = this.#entries.filter(({ thing }) => !this.#isSettled(thing));
    this.#settled = 0;
  }

  clear(): void {
    this.#entries = [];
    this.#settled = 0;
  }

  #positionOf(at: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.at ?? at) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
