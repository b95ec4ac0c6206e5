import { randomBytes } from 'node:crypto';

/** How many random bytes tell one store that is open from every other one, of this process and of others. */
const RANDOM_BYTES = 12;

/** Gives ids to messages. They are in the order of time, so that new rows stand together. */
export class MessageIds {
  readonly #writer = randomBytes(RANDOM_BYTES).toString('base64url');
  #given = 0;

  /** An id that no other message has. `now` is in milliseconds since the epoch. */
  next(now: number): string {
    this.#given += 1;
    return `${String(now).padStart(15, '0')}-${this.#writer}-${this.#given.toString(36)}`;
  }
}
