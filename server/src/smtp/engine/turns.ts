/**
 * Numbers the turns of the event loop, so that a connection knows how much it has taken of this one. Nothing runs while
 * nobody asks.
 */
export class Turns {
  #number = 0;
  #endIsAwaited = false;
  readonly #end = () => {
    this.#endIsAwaited = false;
    this.#number += 1;
  };

  /** The number of the running turn. */
  get current(): number {
    if (!this.#endIsAwaited) {
      this.#endIsAwaited = true;
      setImmediate(this.#end);
    }
    return this.#number;
  }
}

/**
 * What one connection may have of a turn of the event loop: so many commands, or KiB of content, or what comes of both.
 * libuv has 32 pieces of 64 KiB at hand, and a dozen large mails, or a flood of commands, would let nobody else in.
 */
const TURN_BUDGET = 64;

const KIB_BITS = 10;

/** How much of the running turn one connection has had. */
export class Share {
  readonly #turns: Turns;
  #turn = -1;
  #spent = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Whether the connection has to wait for the next turn. */
  get isSpent(): boolean {
    return this.#spent >= TURN_BUDGET && this.#turn === this.#turns.current;
  }

  /** Counts a command, or a piece of content of so many bytes. */
  spend(contentBytes = 0): void {
    const turn = this.#turns.current;
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#spent = 0;
    }
    this.#spent += 1 + (contentBytes >> KIB_BITS);
  }
}
