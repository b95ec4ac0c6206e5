/**
 * Large work takes a turn only in every eighth round of the event loop, so that most rounds are short. libuv (since
 * 1.45) accepts only one connection per round, so the last of a thousand new clients waits for a thousand rounds.
 */
const ROUNDS = 8;

/** Runs large work in pieces, one per turn, so that other requests and mail are handled in between (D22). */
export class Turns {
  /** Has at most one entry for each open request and stream. */
  readonly #waiting: (() => void)[] = [];
  /** Rounds until the next turn; 0 if no turn was requested lately. */
  #rounds = 0;

  /** Resolves when a caller may begin: immediately if no turn was requested lately, otherwise at the caller's turn. */
  async first(): Promise<void> {
    if (this.#rounds > 0) await this.next();
    else this.#begin();
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#rounds === 0) this.#begin();
    });
  }

  #begin(): void {
    this.#rounds = ROUNDS;
    setImmediate(this.#comeRound);
  }

  readonly #comeRound = (): void => {
    this.#rounds -= 1;
    if (this.#rounds > 0) setImmediate(this.#comeRound);
    else if (this.#waiting.length > 0) {
      this.#begin();
      this.#waiting.shift()?.();
    }
  };
}

const ANSWER_SHARE_BYTES = 256 * 1024;

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
 * Maximum commands plus KiB of content that one SMTP connection may use in a round of the event loop. libuv would read
 * up to 2 MiB of it per round, so a dozen large messages or a flood of commands would block everything else.
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

  spend(contentBytes = 0): void {
    if (this.#spent === 0) setImmediate(this.#renew);
    this.#spent += 1 + (contentBytes >> KIB_BITS);
  }
}
