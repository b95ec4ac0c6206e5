/** How fast the content of a message must come: so many bytes in each period but the first. */
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
 * Whether the content of one message comes fast enough (D13). The idle time alone would let a client send a byte a
 * minute, and so hold a connection and what it has sent so far, for as long as the longest message may take. The first
 * period is free: somebody may type a mail.
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

  /** After how many milliseconds `check` is to be called next. */
  get nextCheckMs(): number {
    return Math.min(this.#limits.leastSpeed?.periodMs ?? this.#leftMs, this.#leftMs);
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The time until this check is over: begins the next period, or says what is wrong. */
  check(): TooLong | null {
    this.#leftMs -= this.nextCheckMs;
    if (this.#leftMs <= 0) return 'late';
    if (!this.#isFirst && this.#bytes < (this.#limits.leastSpeed?.bytes ?? 0)) return 'slow';
    this.#isFirst = false;
    this.#bytes = 0;
    return null;
  }
}

/** Watches the time of one message's content until it is stopped, or until what is wrong with it is told, once. */
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
    // Where the event loop was held up, what has come meanwhile is read before it is judged: our slowness is not the
    // client's.
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
