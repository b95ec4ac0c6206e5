import type { MaybePromise } from '../base/maybe-promise.js';

/**
 * Turns on the event loop for work whose size a client chose. Work asks for a turn after each share, and each round of
 * the event loop gives one: however many read long lists, requests and mail of others come between any two shares
 * (D22).
 */
export class Turns {
  /** Bounded by the requests and streams that read. */
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** The caller's first turn: at once, unless this round's turn is given, so that hundreds do not all begin at once. */
  first(): MaybePromise<void> {
    if (this.#isTaken) return this.next();
    this.#take();
  }

  /** Resolves at the caller's turn, in the order of asking. */
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

/** Bytes of an answer made in one turn. */
const ANSWER_SHARE_BYTES = 256 * 1024;

/** The same pieces, with a turn for others after each share. */
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

export interface RoundRobinOptions<T> {
  /** What one client may begin in a round of the event loop. */
  readonly share: number;
  /** Waiting work begun in one round, of all clients together. */
  readonly atOnce: number;
  /** A client's work that may wait. */
  readonly most: number;
  /** Must not throw. */
  begin(work: T): void;
}

/**
 * Work that clients bring, such as requests, in turns by client: what exceeds a client's share waits for later rounds
 * of the event loop, and others come between (D22). A client with little never waits.
 */
export class RoundRobin<T> {
  readonly #options: RoundRobinOptions<T>;
  /** What each client has begun in this round. */
  readonly #begun = new Map<string, number>();
  /** By client, the one that has waited longest first. */
  readonly #waiting = new Map<string, T[]>();
  #roundIsAwaited = false;

  constructor(options: RoundRobinOptions<T>) {
    this.#options = options;
  }

  /** Begins a piece of work, now or in a later round. Returns false when too much of the client's waits already. */
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
      // New work and the rest go behind all others.
      this.#waiting.delete(client);
      if (waiting.length > 0) this.#waiting.set(client, waiting);
      this.#begun.set(client, served.length);
      for (const work of served) begin(work);
    }
    if (this.#begun.size > 0 || this.#waiting.size > 0) this.#awaitRound();
  };
}

/** Numbers the rounds of the event loop; idle while nothing asks. */
export class Rounds {
  #number = 0;
  #endIsAwaited = false;
  readonly #end = () => {
    this.#endIsAwaited = false;
    this.#number += 1;
  };

  get current(): number {
    if (!this.#endIsAwaited) {
      this.#endIsAwaited = true;
      setImmediate(this.#end);
    }
    return this.#number;
  }
}

/**
 * What one SMTP connection may do in a round: commands plus KiB of content. libuv has 32 pieces of 64 KiB at hand, and
 * a dozen large mails, or a flood of commands, would let nothing else in.
 */
const ROUND_BUDGET = 64;

const KIB_BITS = 10;

export class RoundBudget {
  readonly #rounds: Rounds;
  #round = -1;
  #spent = 0;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  get isSpent(): boolean {
    return this.#spent >= ROUND_BUDGET && this.#round === this.#rounds.current;
  }

  /** Counts a command, or a piece of content of that size. */
  spend(contentBytes = 0): void {
    const round = this.#rounds.current;
    if (round !== this.#round) {
      this.#round = round;
      this.#spent = 0;
    }
    this.#spent += 1 + (contentBytes >> KIB_BITS);
  }
}
