/** The least speed of content: bytes in each period after the first. */
export interface LeastSpeed {
  readonly bytes: number;
  readonly periodMs: number;
}

export interface DataTimeLimits {
  readonly dataTimeoutMs: number;
  readonly leastSpeed: LeastSpeed | null;
}

export type TooLong = 'late' | 'slow';

/**
 * Whether content arrives fast enough (D13): with the idle time alone, a byte a minute would hold a connection and its
 * memory almost forever. The first period is free: people type mail.
 */
export class DataTime {
  readonly #limits: DataTimeLimits;
  #leftMs: number;
  #bytes = 0;
  #isFirst = true;

  constructor(limits: DataTimeLimits) {
    this.#limits = limits;
    this.#leftMs = limits.dataTimeoutMs;
  }

  get nextCheckMs(): number {
    return Math.min(this.#limits.leastSpeed?.periodMs ?? this.#leftMs, this.#leftMs);
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Called when a period ends: begins the next, or says what is wrong. */
  check(): TooLong | null {
    this.#leftMs -= this.nextCheckMs;
    if (this.#leftMs <= 0) return 'late';
    if (!this.#isFirst && this.#bytes < (this.#limits.leastSpeed?.bytes ?? 0)) return 'slow';
    this.#isFirst = false;
    this.#bytes = 0;
    return null;
  }
}

/** Watches the content of one message, and reports a fault once. */
export class DataWatch {
  readonly #dataTime: DataTime;
  readonly #tooLong: (what: TooLong) => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(limits: DataTimeLimits, tooLong: (what: TooLong) => void) {
    this.#dataTime = new DataTime(limits);
    this.#tooLong = tooLong;
    this.#awaitCheck();
  }

  add(bytes: number): void {
    this.#dataTime.add(bytes);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #awaitCheck(): void {
    // After a stall of our event loop, what has arrived is read first: our slowness is not the client's.
    this.#timer = setTimeout(() => setImmediate(this.#check), this.#dataTime.nextCheckMs).unref();
  }

  readonly #check = (): void => {
    if (this.#isOver) return;
    const tooLong = this.#dataTime.check();
    if (tooLong === null) this.#awaitCheck();
    else {
      this.#isOver = true;
      this.#tooLong(tooLong);
    }
  };
}
