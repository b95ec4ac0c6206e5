import { Attempt, type Begun, type Notes, type Surroundings, type Told } from './attempt.js';

/** An attempt that is under way: what happens to it is told here, and its end writes it down. */
export class OpenAttempt {
  readonly #notes: Notes;
  readonly #attempt: Attempt;

  constructor(notes: Notes, begun: Begun) {
    this.#notes = notes;
    this.#attempt = new Attempt(notes, begun);
  }

  /** A recipient, by its address, that was accepted (null) or refused. */
  recipient(address: string, told: Told | null): void {
    this.#attempt.rcpt = this.#elapsed();
    this.#attempt.recipient(address, told);
  }

  /** The whole of it is refused. What follows from the first refusal does not count. */
  refused(told: Told): void {
    this.#attempt.refuse(told);
  }

  /** Its content is asked for. */
  asked(around: Surroundings): void {
    this.#attempt.surround(around);
    this.#attempt.data = this.#elapsed();
    this.#attempt.ending = 'mail-lost';
  }

  /** Its content has come in whole. */
  received(): void {
    this.#attempt.content = this.#elapsed();
  }

  /** It was kept: one email, by its `receivedAt`, for each recipient that was accepted, in their order. */
  kept(receivedAt: readonly number[]): void {
    this.#attempt.kept = this.#elapsed();
    this.#attempt.keep(receivedAt);
  }

  /** It is over, and written down. To be called once. */
  end(around?: Surroundings): void {
    if (around !== undefined) this.#attempt.surround(around);
    this.#notes.add(this.#attempt);
  }

  #elapsed(): number {
    return this.#attempt.elapsed(this.#notes.monotonic());
  }
}
