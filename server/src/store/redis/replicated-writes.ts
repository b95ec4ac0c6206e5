import { StoreAwayError } from '../store.js';
import { type Argument, ConnectionLost, type Reply } from './replies.js';

/** How long replicas may take to have a write before its sender is told that it is not safe. */
const WAIT_MS = 2_000;

/** How many writes wait for their replicas together at most. */
const MAX_GROUP = 200;

/** A connection over which nothing else goes. */
export interface OneConnection {
  /** Sends a command behind those that were sent before. */
  send(args: readonly Argument[]): Promise<Reply>;
  /** Changes each time that the connection is made anew: `WAIT` knows nothing of what went over the one before. */
  number(): number;
}

interface Write {
  readonly args: readonly Argument[];
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/**
 * Writes that are done only once so many replicas have them. `WAIT` speaks of all that its own connection wrote before, and holds up
 * what comes behind it: so all that waits is sent together with one `WAIT`, and nothing else goes over this connection.
 */
export class ReplicatedWrites {
  readonly #connection: OneConnection;
  readonly #replicas: number;
  #queue: Write[] = [];
  #isRunning = false;

  constructor(connection: OneConnection, replicas: number) {
    this.#connection = connection;
    this.#replicas = replicas;
  }

  /** Rejects with a `StoreAwayError` where too few replicas have it in time; it is written all the same, and may last. */
  write(args: readonly Argument[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ args, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Whatever else comes in the same moment goes along.
      queueMicrotask(() => this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) await this.#writeTogether(this.#queue.splice(0, MAX_GROUP));
    this.#isRunning = false;
  }

  async #writeTogether(writes: readonly Write[]): Promise<void> {
    const { send, number } = this.#connection;
    const before = number();
    const sent = writes.map(({ args }) => send(args));
    const waited = send(['WAIT', `${this.#replicas}`, `${WAIT_MS}`]);
    const [copies, ...replies] = await Promise.allSettled([waited, ...sent]);
    const isOne = before === number();
    for (const [i, { resolve, reject }] of writes.entries()) {
      const reply = replies[i] as PromiseSettledResult<Reply>;
      if (reply.status === 'rejected') reject(reply.reason);
      else if (copies.status === 'rejected') reject(copies.reason);
      else if (!isOne) reject(new ConnectionLost('the connection was lost while replicas were waited for'));
      else if (Number(copies.value) < this.#replicas) reject(this.#tooFew(Number(copies.value)));
      else resolve(reply.value);
    }
  }

  #tooFew(copies: number): StoreAwayError {
    return new StoreAwayError(`${copies} replicas have the mail, and --store-replicas asks for ${this.#replicas}`);
  }
}
