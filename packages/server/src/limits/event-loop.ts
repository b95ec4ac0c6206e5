/** One of this many rounds that accept a connection has time for waiting work. */
const SHORT_ROUNDS = 8;

let isShort = false;
/** Whether the round before accepted a connection, too: a crowd is connecting. */
let wasShort = false;
let shortRounds = 0;

/**
 * Lets this round do hardly any of the work that waits. For rounds that accept a connection: they accept only one
 * (libuv since 1.45), and a client behind a thousand others in the system's queue waits for a thousand rounds (D62).
 * The event loop is one, and so is this: whatever is accepted shortens the rounds of all that waits.
 */
export function shortenRound(): void {
  if (isShort) return;
  isShort = true;
  shortRounds = (shortRounds + 1) % SHORT_ROUNDS;
  setImmediate(endShortRound);
}

function endShortRound(): void {
  isShort = false;
  wasShort = true;
  setImmediate(endCrowd);
}

function endCrowd(): void {
  wasShort = isShort;
}

function isWorkDue(): boolean {
  return !isShort || shortRounds === 0;
}

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
  async first(): Promise<void> {
    if (this.#isTaken) await this.next();
    else this.#take();
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
    if (this.#waiting.length === 0) return;
    this.#take();
    if (isWorkDue()) this.#waiting.shift()?.();
  };
}

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
  /** Work begun in one round without waiting, of all clients together; absent where something else bounds it. */
  readonly newAtOnce?: number;
  /** A client's work that may wait. */
  readonly most: number;
  /** While a crowd connects, new work waits, too. */
  readonly waitsForCrowd?: boolean;
  /** What a piece of work counts of the shares; absent if each counts 1. */
  sizeOf?(work: T): number;
  /** Must not throw. */
  begin(work: T): void;
}

/**
 * Work that clients bring, such as requests, in turns by client: what exceeds a client's share waits for later rounds
 * of the event loop, and others come between (D22). A client with little waits only in a crowd of clients.
 */
export class RoundRobin<T> {
  readonly #options: RoundRobinOptions<T>;
  /** What each client has begun in this round. */
  readonly #begun = new Map<string, number>();
  readonly #waiting = new Map<string, T[]>();
  readonly #newAtOnce: number;
  #leftForNew: number;
  #roundIsAwaited = false;

  constructor(options: RoundRobinOptions<T>) {
    this.#options = options;
    this.#newAtOnce = options.newAtOnce ?? Number.POSITIVE_INFINITY;
    this.#leftForNew = this.#newAtOnce;
  }

  /** Begins a piece of work, now or in a later round. Returns false when too much of the client's waits already. */
  take(client: string, work: T): boolean {
    const waiting = this.#waiting.get(client);
    if (waiting !== undefined) {
      if (waiting.length >= this.#options.most) return false;
      waiting.push(work);
      return true;
    }
    this.#awaitRound();
    if (this.#mustWait(client)) this.#waiting.set(client, [work]);
    else {
      this.#leftForNew -= this.#sizeOf(work);
      this.#begin(client, work);
    }
    return true;
  }

  #mustWait(client: string): boolean {
    if (wasShort && this.#options.waitsForCrowd === true) return true;
    return this.#isSpentBy(client) || this.#leftForNew <= 0;
  }

  #isSpentBy(client: string): boolean {
    return (this.#begun.get(client) ?? 0) >= this.#options.share;
  }

  #sizeOf(work: T): number {
    return this.#options.sizeOf?.(work) ?? 1;
  }

  #begin(client: string, work: T): void {
    this.#begun.set(client, (this.#begun.get(client) ?? 0) + this.#sizeOf(work));
    this.#options.begin(work);
  }

  #awaitRound(): void {
    if (this.#roundIsAwaited) return;
    this.#roundIsAwaited = true;
    setImmediate(this.#comeRound);
  }

  /** How much of the waiting work this round begins. */
  #roundShare(): number {
    if (!isShort) return this.#options.atOnce;
    return isWorkDue() ? 1 : 0;
  }

  readonly #comeRound = (): void => {
    this.#roundIsAwaited = false;
    this.#begun.clear();
    this.#leftForNew = this.#newAtOnce;
    let left = this.#roundShare();
    // A client whose turn is over goes behind all others, and has another one while something is left.
    for (const [client, waiting] of this.#waiting) {
      if (left <= 0) break;
      if (this.#isSpentBy(client)) continue;
      this.#waiting.delete(client);
      const [next] = waiting.splice(0, 1) as [T];
      if (waiting.length > 0) this.#waiting.set(client, waiting);
      left -= this.#sizeOf(next);
      this.#begin(client, next);
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
