import { StoreAwayError } from '../../../server/dist/store/seam.js';
import { type Argument, ConnectionLost, type Reply } from './client.js';

/** Writes that replicas must have: with `appendfsync everysec` a replica reports once a second what is on its disk. */
const PLACES = {
  memory: { waitMs: 2_000, maxGroup: 200, copies: 'replicas have the mail', command: (n: string) => ['WAIT', n] },
  disk: {
    waitMs: 5_000,
    maxGroup: 2_000,
    copies: 'replicas have the mail on disk',
    command: (n: string) => ['WAITAOF', '0', n],
  },
} as const;

export type Place = keyof typeof PLACES;

export interface OneConnection {
  send(args: readonly Argument[]): Promise<Reply>;
  /** Changes when the connection is remade: `WAIT` knows nothing of the connection before. */
  number(): number;
}

interface Write {
  readonly args: readonly Argument[];
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/**
 * Writes that are done only once enough replicas have them. `WAIT` and `WAITAOF` concern all earlier writes of their
 * connection and block what follows: so all writes that wait are sent together with one `WAIT`, and nothing else goes
 * over this connection.
 */
export class ReplicatedWrites {
  readonly #connection: OneConnection;
  readonly #place: (typeof PLACES)[Place];
  readonly #replicas: number;
  #queue: Write[] = [];
  #isRunning = false;

  constructor(connection: OneConnection, place: Place, replicas: number) {
    this.#connection = connection;
    this.#place = PLACES[place];
    this.#replicas = replicas;
  }

  /** Rejects with a `StoreAwayError` if too few replicas have it in time; it is written all the same, and may last. */
  write(args: readonly Argument[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ args, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Writes of the same moment go along.
      queueMicrotask(() => this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) await this.#writeTogether(this.#queue.splice(0, this.#place.maxGroup));
    this.#isRunning = false;
  }

  async #writeTogether(writes: readonly Write[]): Promise<void> {
    const { send, number } = this.#connection;
    const before = number();
    const sent = writes.map(({ args }) => send(args));
    const waited = send([...this.#place.command(`${this.#replicas}`), `${this.#place.waitMs}`]);
    const [copies, ...replies] = await Promise.allSettled([waited, ...sent]);
    const isOne = before === number();
    for (const [i, { resolve, reject }] of writes.entries()) {
      const reply = replies[i] as PromiseSettledResult<Reply>;
      if (reply.status === 'rejected') reject(reply.reason);
      else if (copies.status === 'rejected') reject(copies.reason);
      else if (!isOne) reject(new ConnectionLost('the connection was lost while waiting for replicas'));
      else if (copiesOf(copies.value) < this.#replicas) reject(this.#tooFew(copiesOf(copies.value)));
      else resolve(reply.value);
    }
  }

  #tooFew(copies: number): StoreAwayError {
    return new StoreAwayError(`${copies} ${this.#place.copies}, but --store-replicas requires ${this.#replicas}`);
  }
}

/** `WAITAOF` first says whether the master has it on its own disk, then how many replicas do. */
function copiesOf(reply: Reply): number {
  return Number(Array.isArray(reply) ? reply[1] : reply);
}
