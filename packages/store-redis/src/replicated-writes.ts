import { StoreAwayError } from '../../server/dist/store/seam.js';
import { type Argument, NotSent, type Redis, type Reply } from './client.js';

/** Where replicas must have a write. The disk gets more time, because `appendfsync everysec` adds up to a second. */
const PLACES = {
  memory: { waitMs: 2_000, maxGroup: 200, copies: 'replicas have the mail', command: (n: string) => ['WAIT', n] },
  disk: {
    waitMs: 5_000,
    maxGroup: 2_000,
    copies: 'replicas have the mail on disk',
    command: (n: string) => ['WAITAOF', '0', n],
  },
} as const;

interface Write {
  readonly args: readonly [string, ...Argument[]];
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

interface Master {
  readonly link: Redis;
  queue: Write[];
  isRunning: boolean;
}

/**
 * Writes that resolve only once enough replicas have them. `WAIT` and `WAITAOF` cover all earlier writes of their
 * connection, so a single one follows all queued writes for a master. It blocks later commands, so these writes have a
 * separate connection. If that connection is lost, the library fails all writes that have no reply yet.
 */
export class ReplicatedWrites {
  readonly #links: { link(node: string): Redis };
  readonly #place: (typeof PLACES)[keyof typeof PLACES];
  readonly #replicas: number;
  readonly #masters = new Map<string, Master>();

  constructor(links: { link(node: string): Redis }, place: keyof typeof PLACES, replicas: number) {
    this.#links = links;
    this.#place = PLACES[place];
    this.#replicas = replicas;
  }

  /** Rejects with a `StoreAwayError` if too few replicas confirm in time. The write is not undone, and may survive. */
  write(node: string, args: Write['args']): Promise<Reply> {
    if (node === '') return Promise.reject(new NotSent('no master has the slot'));
    const master = this.#masters.get(node) ?? { link: this.#links.link(node), queue: [], isRunning: false };
    this.#masters.set(node, master);
    return new Promise((resolve, reject) => {
      master.queue.push({ args, resolve, reject });
      if (master.isRunning) return;
      master.isRunning = true;
      // Starts in a microtask, so that all writes until then share a WAIT.
      queueMicrotask(() => this.#work(master));
    });
  }

  /** Closes the connections to all nodes but these. */
  forgetBut(nodes: ReadonlySet<string>): void {
    for (const [node, { link }] of this.#masters) {
      if (nodes.has(node)) continue;
      this.#masters.delete(node);
      link.disconnect();
    }
  }

  async #work(master: Master): Promise<void> {
    while (master.queue.length > 0)
      await this.#writeTogether(master.link, master.queue.splice(0, this.#place.maxGroup));
    master.isRunning = false;
  }

  async #writeTogether(link: Redis, writes: readonly Write[]): Promise<void> {
    const pipeline = link.pipeline();
    for (const { args } of writes) pipeline.callBuffer(...args);
    const [wait, ...counts] = this.#place.command(`${this.#replicas}`) as [string, ...string[]];
    pipeline.callBuffer(wait, ...counts, `${this.#place.waitMs}`);
    try {
      const results = (await pipeline.exec()) as [Error | null, Reply][];
      const [noCount, count] = results[writes.length] as [Error | null, Reply];
      for (const [i, { resolve, reject }] of writes.entries()) {
        const [error, reply] = results[i] as [Error | null, Reply];
        if (error ?? noCount) reject(error ?? noCount);
        else if (copiesOf(count) >= this.#replicas) resolve(reply);
        else
          reject(
            new StoreAwayError(
              `${copiesOf(count)} ${this.#place.copies}, but --store-replicas requires ${this.#replicas}`,
            ),
          );
      }
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }
}

/** Returns the number of replicas that have the writes. `WAITAOF` replies with two numbers: masters, then replicas. */
function copiesOf(reply: Reply): number {
  return Number(Array.isArray(reply) ? reply[1] : reply);
}
