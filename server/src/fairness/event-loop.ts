import type { MaybePromise } from '../base/maybe-promise.js';

/**
 * Turns on the event loop for work whose size a client chose. Whoever has done its share asks for the next turn, and each time
 * the event loop comes round one of them has it: however many read long lists at once, requests and mail of others come
 * between any two shares (D22).
 */
export class Turns {
  /** As many as there are requests and streams that read, which have bounds of their own. */
  readonly #waiting: (() => void)[] = [];
  /** Whether a turn was given, or is about to be, before the event loop comes round. */
  #isTaken = false;

  /**
   * Answers when it is the caller's first turn: at once, unless another has had one since the event loop came round. So hundreds
   * that begin at the same moment do not have all of their first shares in one go.
   */
  first(): MaybePromise<void> {
    if (this.#isTaken) return this.next();
    this.#take();
  }

  /** Resolves when it is the caller's turn. Turns are given in the order in which they are asked for. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isTaken) this.#take();
    });
  }

  #take(): void {
    this.#isTaken = true;
    setImmediate(this.#comeRound);
  }

  readonly #comeRound = (): void => {
    this.#isTaken = false;
    const give = this.#waiting.shift();
    if (give === undefined) return;
    this.#take();
    give();
  };
}

/** How many bytes of an answer are made in one turn. */
const ANSWER_SHARE_BYTES = 256 * 1024;

/** The same pieces, with a turn for others after each share of them. */
export async function* inTurns(pieces: AsyncIterable<Uint8Array>, turns: Turns): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    if (bytes >= ANSWER_SHARE_BYTES) {
      await turns.next();
      bytes = 0;
    }
    bytes += piece.byteLength;
    yield piece;
  }
}

/** How one kind of work is shared out. */
export interface RoundRobinOptions<T> {
  /** How much of it one client may begin each time the event loop comes round. */
  readonly share: number;
  /** How much that had to wait is begun in one round, of all clients together. */
  readonly atOnce: number;
  /** How much of one client's may wait. */
  readonly most: number;
  /** Does a piece of work. Must not throw. */
  begin(work: T): void;
}

/**
 * Work that clients bring along, such as requests, in turns by client: one that brings more than its share waits for later rounds of
 * the event loop, and others come between (D22). A client that brings little never waits.
 */
export class RoundRobin<T> {
  readonly #options: RoundRobinOptions<T>;
  /** How much each client has begun since the event loop came round. */
  readonly #begun = new Map<string, number>();
  /** What waits, by client; the one that has waited longest is first. */
  readonly #waiting = new Map<string, T[]>();
  #roundIsAwaited = false;

  constructor(options: RoundRobinOptions<T>) {
    this.#options = options;
  }

  /** Begins a piece of work of a client, now or in a later round. Answers false when too much of the client's waits already. */
  take(client: string, work: T): boolean {
    const { share, most, begin } = this.#options;
    const waiting = this.#waiting.get(client);
    if (waiting !== undefined) {
      if (waiting.length >= most) return false;
      waiting.push(work);
      return true;
    }
    const begun = this.#begun.get(client) ?? 0;
    if (begun >= share) this.#waiting.set(client, [work]);
    else {
      this.#begun.set(client, begun + 1);
      this.#awaitRound();
      begin(work);
    }
    return true;
  }

  #awaitRound(): void {
    if (this.#roundIsAwaited) return;
    this.#roundIsAwaited = true;
    setImmediate(this.#comeRound);
  }

  readonly #comeRound = (): void => {
    const { share, atOnce, begin } = this.#options;
    this.#roundIsAwaited = false;
    this.#begun.clear();
    let left = atOnce;
    for (const [client, waiting] of [...this.#waiting]) {
      if (left <= 0) break;
      const served = waiting.splice(0, share);
      left -= served.length;
      // What the work brings along, and the rest, goes behind all others.
      this.#waiting.delete(client);
      if (waiting.length > 0) this.#waiting.set(client, waiting);
      this.#begun.set(client, served.length);
      for (const work of served) begin(work);
    }
    if (this.#begun.size > 0 || this.#waiting.size > 0) this.#awaitRound();
  };
}

/** Numbers the rounds of the event loop. Nothing runs while nobody asks. */
export class Rounds {
  #number = 0;
  #endIsAwaited = false;
  readonly #end = () => {
    this.#endIsAwaited = false;
    this.#number += 1;
  };

  /** The number of the running round. */
  get current(): number {
    if (!this.#endIsAwaited) {
      this.#endIsAwaited = true;
      setImmediate(this.#end);
    }
    return this.#number;
  }
}

/**
 * What one SMTP connection may have of a round: so many commands, or KiB of content, or what comes of both.
 * libuv has 32 pieces of 64 KiB at hand, and a dozen large mails, or a flood of commands, would let nobody else in.
 */
const ROUND_BUDGET = 64;

const KIB_BITS = 10;

/** How much of the running round one connection has had. */
export class RoundBudget {
  readonly #rounds: Rounds;
  #round = -1;
  #spent = 0;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  /** Whether the connection has to wait for the next round. */
  get isSpent(): boolean {
    return this.#spent >= ROUND_BUDGET && this.#round === this.#rounds.current;
  }

  /** Counts a command, or a piece of content of so many bytes. */
  spend(contentBytes = 0): void {
    const round = this.#rounds.current;
    if (round !== this.#round) {
      this.#round = round;
      this.#spent = 0;
    }
    this.#spent += 1 + (contentBytes >> KIB_BITS);
  }
}
