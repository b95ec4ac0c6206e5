import type { WayOut } from 'mayfly-protocol';
import { BoundedMap } from '../base/bounded-map.js';
import type { Clock } from '../base/clock.js';
import { Timed, Timetable } from '../base/timetable.js';
import type { StoredEmail } from '../store/store.js';
import type { Changes } from './changes.js';
import { isFilter } from './read/filter.js';
import { laterThan, type Selection, type Shelf, select } from './read/selecting.js';

/** How long a stream waits (interface section 8). */
export const WAIT_MS = 30_000;

/** When the store is checked for new mail (interface section 4.2). */
const CHECKS = [
  { everyMs: 500, fromMs: 0, untilMs: 2_000 },
  { everyMs: 1_000, fromMs: 2_000, untilMs: 10_000 },
  { everyMs: 2_000, fromMs: 10_000, untilMs: WAIT_MS },
] as const;

/** All checks after the first, in milliseconds after the start; the last ends the time. */
const CHECKS_AT_MS = CHECKS.flatMap(({ everyMs, fromMs, untilMs }) =>
  Array.from({ length: (untilMs - fromMs) / everyMs }, (_, n) => fromMs + (n + 1) * everyMs),
);

const LAST_CHECK = CHECKS_AT_MS.length - 1;

export type FoundEmail = StoredEmail;

/** Whom mail is given to. */
export interface Taker {
  readonly way: WayOut;
  /** The client's key. */
  readonly client: string;
}

/** Exactly one method is called, once. None may throw. */
export interface Waiter extends Taker {
  found(email: FoundEmail): void;
  timedOut(): void;
  failed(error: unknown): void;
}

/** What all waits share. */
export class Waits {
  readonly shelf: Shelf;
  readonly changes: Changes<Wait>;
  readonly clock: Clock;
  readonly checks: Timetable;
  readonly passedOver = new PassedOver();

  constructor(shelf: Shelf, changes: Changes<Wait>, clock: Clock) {
    this.shelf = shelf;
    this.changes = changes;
    this.clock = clock;
    this.checks = new Timetable(clock, CHECKS_AT_MS);
  }

  /**
   * Waits for a matching email: the newest there, or the next. Looks now, at each arrival, by the interface's schedule
   * wherever an arrival may have been missed (D8), and at the end. The waiter hears after this has returned.
   */
  begin(inbox: string, selection: Selection, waiter: Waiter): Wait {
    const wait = new Wait(this, inbox, selection, waiter);
    wait.begin();
    return wait;
  }
}

/** One wait. Thousands are open, so it is one object with nothing superfluous. */
export class Wait extends Timed {
  readonly #waits: Waits;
  readonly #inbox: string;
  readonly selection: Selection;
  readonly waiter: Waiter;
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
  /** The newest email that did not match: it never will. */
  #passed: number | undefined;
  #isLooking = false;
  #looksAgain = false;
  #isLate = false;
  #isOver = false;

  constructor(waits: Waits, inbox: string, selection: Selection, waiter: Waiter) {
    super();
    this.#waits = waits;
    this.#inbox = inbox;
    this.selection = selection;
    this.waiter = waiter;
    this.since = waits.clock.now();
  }

  begin(): void {
    const { changes, checks, passedOver, clock } = this.#waits;
    const { after } = this.selection;
    this.#passed = isFilter(this.selection) ? passedOver.after(this.#inbox, this.selection, clock.now()) : after;
    checks.begin(this);
    try {
      changes.watch(this.#inbox, this);
    } catch {
      // The look tells why.
    }
    this.#look();
  }

  /** Ends the wait and drops what was found. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waits.checks.end(this);
    this.#waits.changes.leave(this.#inbox, this);
  }

  get aborted(): boolean {
    return this.#isOver;
  }

  arrived(): void {
    this.#look();
  }

  /** Looks, unless nothing can have come since the last look (D8). */
  due(check: number): void {
    this.#isLate = check === LAST_CHECK;
    if (this.#isLooking) {
      this.#looksAgain = true;
      return;
    }
    this.#waits.changes.hasTold(this.#inbox, this).then(
      (hasTold) => this.#checked(check, hasTold),
      // The look tells why.
      () => this.#look(),
    );
  }

  #checked(check: number, hasTold: boolean): void {
    if (!hasTold) this.#look();
    else if (check === LAST_CHECK && !this.#isLooking) this.#timeOut();
  }

  #look(): void {
    if (this.#isOver) return;
    if (this.#isLooking) {
      this.#looksAgain = true;
      return;
    }
    this.#isLooking = true;
    this.#newest().then(
      (email) => {
        this.#isLooking = false;
        this.#looked(email);
      },
      (error) => this.#fail(error),
    );
  }

  #looked(email: StoredEmail | null): void {
    if (this.#isOver) return;
    const looksAgain = this.#looksAgain;
    this.#looksAgain = false;
    if (email !== null) {
      this.leave();
      this.waiter.found(email);
    } else if (looksAgain) {
      this.#look();
    } else if (this.#isLate) {
      this.#timeOut();
    }
  }

  #timeOut(): void {
    if (this.#isOver) return;
    this.leave();
    this.waiter.timedOut();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.leave();
    this.waiter.failed(error);
  }

  /** The newest matching email that was not looked at before. */
  async #newest(): Promise<StoredEmail | null> {
    const { shelf, clock, passedOver } = this.#waits;
    const now = clock.now();
    const [newest] = await shelf.store.list(this.#inbox, { ...laterThan(this.#passed), limit: 1 }, now);
    if (newest === undefined || !isFilter(this.selection)) return newest ?? null;
    const selection = { ...this.selection, ...laterThan(this.#passed) };
    const look = { inbox: this.#inbox, selection, before: newest.receivedAt + 1, limit: 1, now, signal: this };
    const [email] = await select(shelf, look);
    if (email !== undefined || this.#isOver) return email ?? null;
    // Neither a later check nor another wait for the same looks at these again.
    this.#passed = newest.receivedAt;
    passedOver.note(this.#inbox, this.selection, newest.receivedAt);
    return null;
  }
}

/** Inboxes and filters remembered; the least recently used go first. */
const MAX_REMEMBERED = 1_000;

const MAX_KEY_CHARS = 1_000;

/** Up to where filters passed over an inbox's mail: streams opened in turn look at it once. Mail never changes. */
export class PassedOver {
  readonly #upTo = new BoundedMap<string, number>(MAX_REMEMBERED);

  /** Where to look from: `selection.after`, or later. */
  after(inbox: string, selection: Selection, now: number): number | undefined {
    const key = keyOf(inbox, selection);
    const upTo = this.#upTo.get(key);
    // After a clock went back, mail of a forgotten inbox may get an earlier time.
    if (upTo === undefined || upTo > now) return selection.after;
    return Math.max(upTo, selection.after ?? upTo);
  }

  note(inbox: string, selection: Selection, upTo: number): void {
    const key = keyOf(inbox, selection);
    if (key.length <= MAX_KEY_CHARS) this.#upTo.set(key, upTo);
  }
}

function keyOf(inbox: string, { after, from, subject, body, hasOtp, hasMagicLink }: Selection): string {
  return JSON.stringify([inbox, after, from, subject, body, hasOtp, hasMagicLink]);
}
