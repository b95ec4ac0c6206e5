/** A place in the queue of a gate. */
export interface Turn {
  /** Resolves when it has come. */
  readonly begun: Promise<void>;
  /** Gives it up, whether it has come or not. May be called again. */
  end(): void;
}

/** Lets a fixed number through at a time; the others wait in the order in which they came. */
export class Gate {
  readonly #width: number;
  readonly #through = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  constructor(width: number) {
    this.#width = width;
  }

  turn(): Turn {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    this.#waiting.add(begin);
    this.#admit();
    const end = () => {
      this.#waiting.delete(begin);
      this.#through.delete(begin);
      this.#admit();
    };
    return { begun, end };
  }

  #admit(): void {
    for (const begin of this.#waiting) {
      if (this.#through.size >= this.#width) return;
      this.#waiting.delete(begin);
      this.#through.add(begin);
      begin();
    }
  }
}
