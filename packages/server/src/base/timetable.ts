import type { Clock } from './clock.js';

/** Least pause between wakings: ten thousand streams have moments in every millisecond. Each is at most this late. */
const PAUSE_MS = 4;

/** How many are due in one go, so that thousands that began together do not block everything else. */
const AT_ONCE = 200;

const BREATH_MS = 1;

export abstract class Timed {
  /** As `Clock.monotonic` has it. */
  startedAt = 0;
  /** The moment it waits for. This and the next two are the timetable's own: separate objects would cost more. */
  row: Row | null = null;
  earlier: Timed | null = null;
  later: Timed | null = null;

  /** Called at each moment of the timetable with its number. Must not throw. */
  abstract due(moment: number): void;
}

class Row {
  readonly atMs: number;
  readonly number: number;
  first: Timed | null = null;
  last: Timed | null = null;

  constructor(atMs: number, number: number) {
    this.atMs = atMs;
    this.number = number;
  }
}

/**
 * Moments after a beginning, the same for all. Those that wait for the same moment are due in the order in which they
 * began: so each moment has a row, an entry that was due moves to the next row, and one timer serves thousands.
 */
export class Timetable {
  readonly #clock: Clock;
  readonly #rows: readonly Row[];
  #cancel: (() => void) | null = null;
  #wakesAt = Number.POSITIVE_INFINITY;
  #lastWokenAt = Number.NEGATIVE_INFINITY;
  #isCalling = false;
  #kept = 0;

  /** `momentsMs`: milliseconds after the beginning, in order. */
  constructor(clock: Clock, momentsMs: readonly number[]) {
    this.#clock = clock;
    this.#rows = momentsMs.map((atMs, number) => new Row(atMs, number));
  }

  begin(timed: Timed): void {
    timed.startedAt = this.#clock.monotonic();
    this.#enter(timed, this.#rows[0]);
    if (!this.#isCalling) this.#setTimer();
  }

  /** Ending twice is fine. */
  end(timed: Timed): void {
    const { row, earlier, later } = timed;
    if (row === null) return;
    if (earlier === null) row.first = later;
    else earlier.later = later;
    if (later === null) row.last = earlier;
    else later.earlier = earlier;
    timed.row = null;
    timed.earlier = null;
    timed.later = null;
    this.#kept -= 1;
    // A timer left behind would keep a stopped process alive until the next moment.
    if (this.#kept === 0 && !this.#isCalling) this.#wakeAt(Number.POSITIVE_INFINITY);
  }

  #enter(timed: Timed, row: Row | undefined): void {
    if (row === undefined) return;
    timed.row = row;
    timed.earlier = row.last;
    if (row.last === null) row.first = timed;
    else row.last.later = timed;
    row.last = timed;
    this.#kept += 1;
  }

  #nextAt(): number {
    let nextAt = Number.POSITIVE_INFINITY;
    for (const { first, atMs } of this.#rows) if (first !== null) nextAt = Math.min(nextAt, first.startedAt + atMs);
    return nextAt;
  }

  #setTimer(): void {
    const wakesAt = Math.max(this.#nextAt(), this.#lastWokenAt + PAUSE_MS);
    if (wakesAt === this.#wakesAt) return;
    this.#wakeAt(wakesAt);
  }

  #wakeAt(wakesAt: number): void {
    this.#cancel?.();
    this.#wakesAt = wakesAt;
    this.#cancel = null;
    if (wakesAt === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.#clock.after(Math.max(0, Math.ceil(wakesAt - this.#clock.monotonic())), this.#wake);
  }

  readonly #wake = (): void => {
    const now = this.#clock.monotonic();
    this.#cancel = null;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    this.#lastWokenAt = now;
    this.#isCalling = true;
    const isOver = this.#callDue(now);
    this.#isCalling = false;
    if (isOver) this.#setTimer();
    else this.#wakeAt(now + BREATH_MS);
  };

  #callDue(now: number): boolean {
    let left = AT_ONCE;
    for (const row of this.#rows) {
      for (let timed = row.first; timed !== null && timed.startedAt + row.atMs <= now; timed = row.first) {
        if (left === 0) return false;
        left -= 1;
        this.end(timed);
        this.#enter(timed, this.#rows[row.number + 1]);
        timed.due(row.number);
      }
    }
    return true;
  }
}
