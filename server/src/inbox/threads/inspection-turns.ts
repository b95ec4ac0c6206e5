import type { Clock } from '../../clock.js';
import { type SlotBounds, Slots } from '../../limits/slots.js';
import { type Account, Accounts } from './accounts.js';
import { FairQueue } from './fair-queue.js';
import { HeldAnswers, type Reader } from './held-answers.js';

/**
 * How many messages are inspected at once. Each may hold a message of the largest size in memory, and what is found in it. One client may
 * have so many of them that none keeps the others from looking at mail (D22).
 */
const INSPECTIONS: SlotBounds = { total: 8, perClient: 2 };

/** How many wait for their turn: each holds a request and no message. */
export const MAX_WAITING = 4_000;
export const MAX_WAITING_PER_CLIENT = 400;

/** For how long: a client that gets no answer may have given up by then. */
export const MAX_WAIT_MS = 10_000;

/** Too many messages are being inspected, or wait for it. */
export class InspectorBusyError extends Error {
  override name = 'InspectorBusyError';
  constructor() {
    super('Too many messages are being inspected.');
  }
}

/** The service stops before the message's turn has come. */
export class InspectorClosedError extends Error {
  override name = 'InspectorClosedError';
  constructor() {
    super('The service is stopping.');
  }
}

/** Somebody's turn, which has come. */
export interface Turn {
  /** Counts an answer of so many bytes until its client has read it. */
  hold(bytes: number): void;
  /** Ends the turn. To be called once. */
  end(): void;
}

/** Somebody who waits. */
interface Waiting {
  /** The turn has come. */
  begin(): void;
  /** It does not come any more. */
  giveUp(reason: unknown): void;
}

/**
 * Who may inspect a message, and when: so many at once, in turns by the time that each client's have taken (D40). No turn comes for a
 * client that leaves its answers unread.
 */
export class InspectionTurns {
  readonly #clock: Clock;
  readonly #accounts = new Accounts();
  readonly #queue = new FairQueue<Waiting>();
  readonly #places = new Slots({ total: MAX_WAITING, perClient: MAX_WAITING_PER_CLIENT });
  readonly #running: Slots;
  readonly #held: HeldAnswers;
  #isClosed = false;

  /** `bounds` say how many turns there are at once. */
  constructor(clock: Clock, bounds = INSPECTIONS) {
    this.#clock = clock;
    this.#running = new Slots(bounds);
    this.#held = new HeldAnswers(clock, this.#begin);
  }

  /**
   * Resolves when the turn of a client has come. Rejects with `InspectorBusyError` when too many wait or it takes too long, with the
   * signal's reason as soon as the client has left, and with `InspectorClosedError`.
   */
  async wait(reader: Reader): Promise<Turn> {
    const { client, signal } = reader;
    signal.throwIfAborted();
    if (this.#isClosed) throw new InspectorClosedError();
    const turn = this.begin(reader);
    if (turn !== null) return turn;
    if (this.#places.hold(client) !== null) throw new InspectorBusyError();
    return new Promise((resolve, reject) => {
      const account = this.#accounts.open(client);
      const waiting: Waiting = {
        begin: () => {
          over();
          resolve(this.#turn(account, reader));
        },
        giveUp: (reason) => {
          this.#queue.remove({ account, item: waiting });
          this.#accounts.close(account);
          over();
          reject(reason);
        },
      };
      const left = () => waiting.giveUp(signal.reason);
      signal.addEventListener('abort', left, { once: true });
      const endWatch = this.#clock.after(MAX_WAIT_MS, () => waiting.giveUp(new InspectorBusyError()));
      const over = () => {
        endWatch();
        signal.removeEventListener('abort', left);
        this.#places.free(client);
      };
      this.#queue.add({ account, item: waiting });
    });
  }

  /** A turn for a client that is there, where one is to be had at once; null otherwise. */
  begin(reader: Reader): Turn | null {
    return this.#mayBegin(reader) ? this.#turn(this.#accounts.open(reader.client), reader) : null;
  }

  /** Counts an answer that took no turn as `Turn.hold` does. */
  hold(bytes: number, reader: Reader): void {
    this.#held.hold(bytes, reader);
  }

  /** Whether a client has as many unread answers as one may. */
  isFullFor(client: string): boolean {
    return this.#held.isFullFor(client);
  }

  /** Lets nobody wait any more. The turns that have come go on. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take()) {
      next.item.giveUp(new InspectorClosedError());
    }
  }

  /** Begins whatever may begin. */
  readonly #begin = (): void => {
    while (!this.#running.isFull && !this.#held.isFull) {
      const next = this.#queue.take(this.#mayBegin);
      if (next === undefined) return;
      next.item.begin();
    }
  };

  readonly #mayBegin = ({ client }: Pick<Account, 'client'>): boolean => {
    const { isFull } = this.#held;
    return !isFull && this.#running.refusal(client) === null && !this.#held.isFullFor(client);
  };

  /** Begins a turn. What it is expected to take does not depend on the size of the message, which is not known yet. */
  #turn(account: Account, reader: Reader): Turn {
    this.#running.hold(account.client);
    const expectedMs = this.#accounts.expectedMs(account, 0);
    this.#accounts.begin(account, expectedMs);
    const begunAt = this.#clock.monotonic();
    return {
      hold: (bytes) => this.#held.hold(bytes, reader),
      end: () => {
        const usedMs = this.#clock.monotonic() - begunAt;
        this.#accounts.end(account, 0, { expectedMs, usedMs });
        this.#queue.discharged(account);
        this.#accounts.close(account);
        this.#running.free(account.client);
        this.#begin();
      },
    };
  }
}
