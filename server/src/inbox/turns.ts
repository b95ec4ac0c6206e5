import type { Soon } from '../soon.js';

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
   * Answers when it is the caller's first turn: at once, unless somebody has had one since the event loop came round. So hundreds
   * that begin at the same moment do not have all of their first shares in one go.
   */
  first(): Soon<void> {
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
