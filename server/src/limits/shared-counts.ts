/** At most `count` in any `windowMs`. */
export interface CountedWindow {
  readonly count: number;
  readonly windowMs: number;
  /** Uses remembered together, which leave the window with the last of them. */
  readonly batchSize: number;
}

/** The store answers, but has no memory left to count anything new. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

/**
 * What all nodes that share a store count together. A count has a name, and so have the holders of places. Time is the
 * store's own, and it forgets what is over. Each method rejects while the store is away, and those that count something
 * new also with a `NoRoomError`.
 */
export interface SharedCounts {
  /** Counts one use. Resolves to 0 when it is allowed, otherwise to the milliseconds until the next one will be. */
  use(count: string, window: CountedWindow): Promise<number>;
  /** What `use` would resolve to. Counts nothing. */
  wait(count: string, window: CountedWindow): Promise<number>;
  /** Counts a name, unless it was counted within the window. Resolves as `use`. */
  useName(count: string, name: string, window: CountedWindow): Promise<number>;
  /** Takes back the use of a name, as if it had never been. */
  giveBackName(count: string, name: string): Promise<void>;
  /** Leases a place, unless `most` are taken. Resolves to whether the holder has it. */
  hold(count: string, holder: string, most: number, leaseMs: number): Promise<boolean>;
  /** Extends leases from now on, also those that were forgotten meanwhile. */
  renew(count: string, holders: readonly string[], leaseMs: number): Promise<void>;
  free(count: string, holder: string): Promise<void>;
}
