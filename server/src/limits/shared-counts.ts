/** What is counted: at most `count` in any `windowMs`. */
export interface CountedWindow {
  readonly count: number;
  readonly windowMs: number;
  /** How many uses are remembered together, and leave the window with the last of them. */
  readonly batchSize: number;
}

/** The store answers, but has no memory left to count anything new. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

/**
 * What all nodes that share a store count together. A count has a name, and so have those who hold a place. Time is the store's own.
 * All of it is forgotten by itself when it is over. Each method rejects where the store is away, and those that count something new
 * with a `NoRoomError`, too.
 */
export interface SharedCounts {
  /** Counts one use. Resolves to 0 when it is allowed, and otherwise to after how many milliseconds the next one will be. */
  use(count: string, window: CountedWindow): Promise<number>;
  /** What `use` would resolve to. Counts nothing. */
  wait(count: string, window: CountedWindow): Promise<number>;
  /** Counts a name, unless it has been counted within the window. Resolves as `use`. */
  useName(count: string, name: string, window: CountedWindow): Promise<number>;
  /** Takes back the use of a name, as if it had never been. */
  giveBackName(count: string, name: string): Promise<void>;
  /** Takes a place for so long, unless so many are taken. Resolves to whether the holder has it. */
  hold(count: string, holder: string, most: number, leaseMs: number): Promise<boolean>;
  /** Prolongs places from now on, also such as were forgotten meanwhile. */
  renew(count: string, holders: readonly string[], leaseMs: number): Promise<void>;
  /** Gives a place back. */
  free(count: string, holder: string): Promise<void>;
}
