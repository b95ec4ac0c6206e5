import { StoreAwayError } from '../store.js';
import type { Argument, Reply } from './replies.js';

/** How long replicas may take to have a write before its sender is told that it is not safe. */
const WAIT_MS = 2_000;

/** How many writes wait for their replicas together at most. */
const MAX_GROUP = 200;

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
  readonly #send: (args: readonly Argument[]) => Promise<Reply>;
  readonly #replicas: number;
  #queue: Write[] = [];
  #isRunning = false;

  /** `send` sends a command over one connection, in the order of the calls. */
  constructor(send: (args: readonly Argument[]) => Promise<Reply>, replicas: number) {
    this.#send = send;
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
    const sent = writes.map(({ args }) => this.#send(args));
    const waited = this.#send(['WAIT', `${this.#replicas}`, `${WAIT_MS}`]);
    const [copies, ...replies] = await Promise.allSettled([waited, ...sent]);
    for (const [i, { resolve, reject }] of writes.entries()) {
      const reply = replies[i] as PromiseSettledResult<Reply>;
      if (reply.status === 'rejected') reject(reply.reason);
      else if (copies.status === 'rejected') reject(copies.reason);
      else if (Number(copies.value) < this.#replicas) reject(this.#tooFew(Number(copies.value)));
      else resolve(reply.value);
    }
  }

  #tooFew(copies: number): StoreAwayError {
    return new StoreAwayError(`${copies} replicas have the mail, and --store-replicas asks for ${this.#replicas}`);
  }
}
