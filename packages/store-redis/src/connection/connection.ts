import { StoreAwayError, StoreFullDiskError } from '../../../server/dist/store/seam.js';
import {
  type Argument,
  CONNECT_MS,
  ConnectionLost,
  Link,
  NotNow,
  NotSent,
  RefusedCommand,
  type Reply,
} from './client.js';
import { ReplicatedWrites } from './replicated-writes.js';
import { type SubscriptionListener, Subscriptions } from './subscriptions.js';
import { within } from './timers.js';

const BLIP_MS = 2_000;

const ANSWER_MS = 10_000;

/** How long a connection may take to close: the store has already waited for the answers it needs. */
const CLOSE_MS = 1_000;

/** Commands that may wait for their answers; further ones are refused at once. */
const MAX_WAITING = 20_000;

/** Their bytes at most, beside a single command that has more by itself. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Redis refuses for now: it loads files, runs a script, lacks replicas or is one, or its cluster is not whole. */
const NOT_NOW = /^(?:LOADING|BUSY|UNBLOCKED|NOREPLICAS|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN) /;

/** The answer to every write and PING while Redis cannot write its files: as a rule, its disk is full. */
const UNWRITTEN_FILES = /^MISCONF /;

/** Whether a command that waited for a new connection is sent over it. */
const ANY = { isSentAnew: true };
const LASTING = { isSentAnew: false };

export interface ConnectionListener extends SubscriptionListener {
  connected(): void;
  lost?(): void;
}

export interface RedisAddress {
  readonly url: string;
  readonly replicas: number;
  readonly onDisk?: boolean;
}

/** A Redis server. A request that is not answered in time, or cannot be sent, rejects with a `StoreAwayError`. */
export class Connection {
  readonly #commands: Link;
  readonly #subscriptions: Subscriptions;
  /** Writes that replicas must have go over a connection of their own. */
  readonly #links: readonly Link[];
  #fail = (_error: unknown) => {};
  readonly #replicated: ReplicatedWrites | null;
  readonly #closing: Promise<never>;
  #close = (_error: Error) => {};
  readonly #readies = new Map<Link, Promise<void>>();
  #waiting = 0;
  #waitingBytes = 0;
  readonly #answers = new Map<Link, number>();
  #trouble: unknown = null;

  constructor(address: RedisAddress, listener: ConnectionListener) {
    this.#closing = new Promise<never>((_resolve, reject) => {
      this.#close = reject;
    });
    this.#closing.catch(() => {});
    const { url, replicas, onDisk = false } = address;
    const lost = (error: unknown) => {
      this.#trouble = error;
      this.#fail(error);
      listener.lost?.();
    };
    this.#commands = new Link(url, { lost, ready: () => listener.connected() });
    this.#subscriptions = new Subscriptions((more) => new Link(url, { lost, ...more }), listener);
    let connections = 0;
    const ready = () => {
      connections += 1;
    };
    const writes = replicas > 0 ? new Link(url, { lost, ready }) : null;
    const over = {
      send: (args: readonly Argument[]) => this.#answer(writes ?? this.#commands, args),
      number: () => connections,
    };
    this.#replicated = writes && new ReplicatedWrites(over, onDisk ? 'disk' : 'memory', replicas);
    this.#links = [this.#commands, this.#subscriptions.link, ...(writes ? [writes] : [])];
  }

  async open(): Promise<void> {
    const failed = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    failed.catch(() => {});
    for (const link of this.#links) link.begin();
    const ready = Promise.all(this.#links.map((link) => link.whenReady()));
    await this.#within(CONNECT_MS, Promise.race([ready, failed, this.#closing]));
  }

  get isReady(): boolean {
    return this.#links.every((link) => link.isReady);
  }

  get trouble(): unknown {
    return this.#trouble;
  }

  #ready(link: Link): Promise<void> {
    const ready = this.#readies.get(link) ?? this.#becomeReady(link).finally(() => this.#readies.delete(link));
    this.#readies.set(link, ready);
    return ready;
  }

  async #becomeReady(link: Link): Promise<void> {
    try {
      await this.#within(BLIP_MS, Promise.race([link.whenReady(), this.#closing]));
    } catch (error) {
      throw new NotSent(this.#trouble === null ? 'there is no connection' : String(this.#trouble), { cause: error });
    }
  }

  command(...args: readonly Argument[]): Promise<Reply> {
    return this.#answer(this.#commands, args);
  }

  /**
   * As `command` for what must last: resolves once the address's number of replicas have it. Rejects unsent with
   * `ConnectionLost` as the first over a remade connection: its basis may no longer hold.
   */
  lasting(...args: readonly Argument[]): Promise<Reply> {
    return this.#replicated === null ? this.#answer(this.#commands, args, LASTING) : this.#replicated.write(args);
  }

  async asking(...args: readonly Argument[]): Promise<Reply> {
    if (!this.#commands.isReady) await this.#ready(this.#commands);
    // In one turn of the event loop, as ASKING is about the next command.
    const [, reply] = await Promise.all([this.command('ASKING'), this.command(...args)]);
    return reply;
  }

  subscribe(channel: string, tag: string): void {
    this.#subscriptions.subscribe(channel, tag);
  }

  unsubscribe(channel: string): void {
    this.#subscriptions.unsubscribe(channel);
  }

  isCaughtUp(channel: string): Promise<boolean> {
    return this.#subscriptions.isCaughtUp(channel);
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map((link) => this.#within(CLOSE_MS, link.close()).catch(() => {})));
    this.drop();
  }

  drop(): void {
    this.#close(new StoreAwayError('the server is no longer used'));
    for (const link of this.#links) link.drop();
  }

  async #answer(link: Link, args: readonly Argument[], { isSentAnew } = ANY): Promise<Reply> {
    const bytes = args.reduce((sum, { length }) => sum + length, 0);
    this.#checkRoom(bytes);
    this.#waiting += 1;
    this.#waitingBytes += bytes;
    try {
      // A lost connection is usually back in a moment.
      if (!link.isReady) {
        await this.#ready(link);
        if (!isSentAnew) throw new ConnectionLost('the connection was re-established');
      }
      return await this.#answered(link, link.client.sendCommand<Reply>(args));
    } catch (error) {
      if (error instanceof RefusedCommand && UNWRITTEN_FILES.test(error.message)) {
        throw new StoreFullDiskError(`Redis cannot write its files: ${error.message}`, {
          cause: error,
          owner: 'Redis',
        });
      }
      if (error instanceof RefusedCommand && NOT_NOW.test(error.message)) {
        throw new NotNow(error.message.replace(/\.$/, ''), { cause: error });
      }
      if (error instanceof RefusedCommand || error instanceof StoreAwayError) throw error;
      throw new ConnectionLost(String(link.isReady ? error : (this.#trouble ?? error)), { cause: error });
    } finally {
      this.#waiting -= 1;
      this.#waitingBytes -= bytes;
    }
  }

  #checkRoom(bytes: number): void {
    if (this.#waiting >= MAX_WAITING) throw new StoreAwayError(`${MAX_WAITING} commands are waiting for a reply`);
    if (this.#waitingBytes === 0 || this.#waitingBytes + bytes <= MAX_WAITING_BYTES) return;
    throw new StoreAwayError(`commands of ${MAX_WAITING_BYTES / 1024 / 1024} MiB are waiting for a reply`);
  }

  /** Remakes a silent connection: it may be dead, and a write that is refused now must not run later. */
  async #answered(link: Link, reply: Promise<Reply>): Promise<Reply> {
    const { client } = link;
    const before = this.#answers.get(link);
    const note = () => this.#answers.set(link, (this.#answers.get(link) ?? 0) + 1);
    reply.then(note, (error) => error instanceof RefusedCommand && note());
    try {
      return await this.#within(ANSWER_MS, reply);
    } catch (error) {
      const isSilent = error instanceof StoreAwayError && this.#answers.get(link) === before;
      if (isSilent && link.client === client) link.renew();
      throw error;
    }
  }

  #within<T>(ms: number, promise: Promise<T>): Promise<T> {
    return within(ms, promise, () => new StoreAwayError(this.#why(ms)));
  }

  #why(ms: number): string {
    return this.#commands.isReady || this.#trouble === null
      ? `no reply for ${ms / 1_000} seconds`
      : String(this.#trouble);
  }
}
