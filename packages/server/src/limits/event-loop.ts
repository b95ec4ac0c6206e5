/** One of this many rounds that accept a connection has time for waiting work. */
const SHORT_ROUNDS = 8;

let isShort = false;
let shortRounds = 0;

/**
 * Lets seven of eight such rounds do none of the work that waits in `Turns`. For rounds that accept an SMTP connection:
 * libuv accepts one in each (since 1.45), so a client behind a thousand others in the system's queue waits for a
 * thousand rounds.
 */
export function shortenRound(): void {
  if (isShort) return;
  isShort = true;
  shortRounds = (shortRounds + 1) % SHORT_ROUNDS;
  setImmediate(endShortRound);
}

function endShortRound(): void {
  isShort = false;
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

/**
 * What one SMTP connection may do in a round: commands plus KiB of content. libuv has 32 pieces of 64 KiB at hand, and
 * a dozen large mails, or a flood of commands, would let nothing else in.
 */
const ROUND_BUDGET = 64;

const KIB_BITS = 10;

export class RoundBudget {
  #spent = 0;
  readonly #renew = () => {
    this.#spent = 0;
  };

  get isSpent(): boolean {
    return this.#spent >= ROUND_BUDGET;
  }

  /** Counts a command, or a piece of content of that size. */
  spend(contentBytes = 0): void {
    if (this.#spent === 0) setImmediate(this.#renew);
    this.#spent += 1 + (contentBytes >> KIB_BITS);
  }
}
