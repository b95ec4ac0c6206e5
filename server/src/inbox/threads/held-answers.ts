import type { Clock } from '../../clock.js';

/**
 * How many bytes of answers are held for clients that have not read them yet. Nothing new is made for a client that has so many, or
 * for anybody while all have so many together; what is being made by then comes on top.
 */
export const MAX_HELD_BYTES = 256 * 1024 * 1024;
export const MAX_HELD_BYTES_PER_CLIENT = 32 * 1024 * 1024;

/** How long a client may take to read an answer: so long, and a second more for each of so many bytes. */
export const READ_MS = 30_000;
export const LEAST_BYTES_PER_SECOND = 128 * 1024;

/** Smaller answers fit into what the system holds for a connection. */
const LEAST_BYTES = 16 * 1024;

/** Who is given an answer. */
export interface Reader {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** Is aborted when the client has its answer, or has left. */
  readonly signal: AbortSignal;
  /** Ends the connection of a client that reads too slowly. */
  cut(): void;
}

/**
 * The answers that are in memory until their clients have read them. Whoever asks for many and reads none would otherwise fill the
 * memory, by as many connections as he may have.
 */
export class HeldAnswers {
  readonly #clock: Clock;
  readonly #freed: () => void;
  readonly #byClient = new Map<string, number>();
  #bytes = 0;

  /** `freed` is called whenever there may be room again. */
  constructor(clock: Clock, freed: () => void) {
    this.#clock = clock;
    this.#freed = freed;
  }

  /** Whether there is room for nobody's answer. */
  get isFull(): boolean {
    return this.#bytes >= MAX_HELD_BYTES;
  }

  /** Whether a client has as much unread as one may. */
  isFullFor(client: string): boolean {
    return (this.#byClient.get(client) ?? 0) >= MAX_HELD_BYTES_PER_CLIENT;
  }

  /** Counts an answer of so many bytes until its client has it, or has left. */
  hold(bytes: number, { client, signal, cut }: Reader): void {
    if (bytes < LEAST_BYTES || signal.aborted) return;
    this.#add(client, bytes);
    const endWatch = this.#clock.after(READ_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1_000, cut);
    const free = () => {
      endWatch();
      this.#add(client, -bytes);
      this.#freed();
    };
    signal.addEventListener('abort', free, { once: true });
  }

  #add(client: string, bytes: number): void {
    const held = (this.#byClient.get(client) ?? 0) + bytes;
    if (held > 0) this.#byClient.set(client, held);
    else this.#byClient.delete(client);
    this.#bytes += bytes;
  }
}
