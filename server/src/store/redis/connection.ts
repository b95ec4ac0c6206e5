import { StoreAwayError } from '../store.js';
import { type Client, CONNECT_MS, newClient, RefusedCommand } from './client.js';
import { ReplicatedWrites } from './replicated-writes.js';
import { type Argument, ConnectionLost, NotNow, NotSent, type Reply } from './replies.js';
import { type SubscriptionListener, Subscriptions } from './subscriptions.js';

/** How long whoever lost the connection waits for the next one before it is told so. */
const BLIP_MS = 2_000;

/** How long Redis may take to answer before whoever asked is told that it does not. */
const ANSWER_MS = 10_000;

/** How long a connection may take to be closed: longer than any answer takes. */
const CLOSE_MS = ANSWER_MS + 1_000;

/** How many commands wait for their answer at most; whoever comes then is told so at once. */
const MAX_WAITING = 20_000;

/** How many bytes of commands wait for their answer at most, beside one command that has more by itself. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * What Redis answers while it cannot do what it does otherwise: it still reads its files, cannot write them, or runs a script of somebody
 * else; it lacks the replicas that its own `min-replicas-to-write` asks for, or has become a replica itself, also while we waited for
 * replicas; its cluster is not whole, or moves the slot.
 */
const NOT_NOW = /^(?:LOADING|MISCONF|BUSY|UNBLOCKED|NOREPLICAS|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN) /;

/** What a connection tells whoever uses it. */
export interface ConnectionListener extends SubscriptionListener {
  /** The connection is there, or there again. */
  connected(): void;
  /** The connection is lost, or cannot be made. */
  lost?(): void;
}

/** Where Redis is, and how many replicas must have what is written. */
export interface RedisAddress {
  readonly url: string;
  readonly replicas: number;
}

/** A Redis server. What it does not answer in time, or cannot be asked, rejects with a `StoreAwayError`. */
export class Connection {
  readonly #commands: Client;
  readonly #subscriptions: Subscriptions;
  /** All connections. What replicas must have is written over one of its own. */
  readonly #clients: readonly Client[];
  readonly #replicated: ReplicatedWrites | null;
  /** Tells those who wait for a connection that there will be none. */
  readonly #closing: Promise<never>;
  #close = (_error: Error) => {};
  /** The connections that are waited for, each by all who do so together. */
  readonly #readies = new Map<Client, Promise<void>>();
  #waiting = 0;
  #waitingBytes = 0;
  /** How many answers came over a connection. */
  readonly #answers = new Map<Client, number>();
  /** Why there is no connection, as far as that is known. */
  #trouble: unknown = null;

  constructor(address: RedisAddress, listener: ConnectionListener) {
    this.#closing = new Promise<never>((_resolve, reject) => {
      this.#close = reject;
    });
    this.#closing.catch(() => {});
    const { url, replicas } = address;
    this.#commands = newClient(url);
    this.#commands.on('ready', () => listener.connected());
    const subscribed = newClient(url);
    this.#subscriptions = new Subscriptions(subscribed, listener);
    const writes = replicas > 0 ? newClient(url) : null;
    let connections = 0;
    writes?.on('ready', () => {
      connections += 1;
    });
    const over = {
      send: (args: readonly Argument[]) => this.#answer(writes ?? this.#commands, args),
      number: () => connections,
    };
    this.#replicated = writes && new ReplicatedWrites(over, replicas);
    this.#clients = [this.#commands, subscribed, ...(writes ? [writes] : [])];
    for (const client of this.#clients) {
      client.on('error', (error) => {
        this.#trouble = error;
        listener.lost?.();
      });
    }
  }

  /** Begins to connect, and goes on trying until it is closed. Resolves once it is connected; rejects when the first attempt fails. */
  async open(): Promise<void> {
    let fail = (_error: unknown) => {};
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const clients = this.#clients;
    for (const client of clients) client.once('error', fail);
    const connected = clients.map((client) => client.connect());
    // What is tried without end rejects only once it is closed.
    for (const one of connected) one.catch(() => {});
    try {
      await this.#within(CONNECT_MS, Promise.race([Promise.all(connected), failed]));
    } finally {
      for (const client of clients) client.off('error', fail);
    }
  }

  /** Whether commands can be sent. */
  get isReady(): boolean {
    return this.#clients.every((client) => client.isReady);
  }

  /** Why Redis cannot be reached, as far as that is known. */
  get trouble(): unknown {
    return this.#trouble;
  }

  /** Resolves once commands can be sent; rejects when they cannot in time. */
  #ready(client: Client): Promise<void> {
    const ready = this.#readies.get(client) ?? this.#becomeReady(client).finally(() => this.#readies.delete(client));
    this.#readies.set(client, ready);
    return ready;
  }

  async #becomeReady(client: Client): Promise<void> {
    let isHeard = () => {};
    const ready = new Promise<void>((resolve) => {
      isHeard = () => resolve();
      client.once('ready', isHeard);
    });
    try {
      await this.#within(BLIP_MS, Promise.race([ready, this.#closing]));
    } catch (error) {
      throw new NotSent(this.#trouble === null ? 'there is no connection' : String(this.#trouble), { cause: error });
    } finally {
      client.off('ready', isHeard);
    }
  }

  /** Sends a command. Those that are sent in one turn of the event loop go together. */
  command(...args: readonly Argument[]): Promise<Reply> {
    return this.#answer(this.#commands, args);
  }

  /** The same for what must not be lost: it is done once as many replicas have it as the address asks for. */
  lasting(...args: readonly Argument[]): Promise<Reply> {
    return this.#replicated === null ? this.command(...args) : this.#replicated.write(args);
  }

  /** The same of a slot that is on its way to this server. */
  async asking(...args: readonly Argument[]): Promise<Reply> {
    if (!this.#commands.isReady) await this.#ready(this.#commands);
    // In one turn of the event loop, so that nothing comes between: the server is asked for what comes next.
    const [, reply] = await Promise.all([this.command('ASKING'), this.command(...args)]);
    return reply;
  }

  /** Does what `Servers.subscribe` says. */
  subscribe(channel: string, tag: string): void {
    this.#subscriptions.subscribe(channel, tag);
  }

  unsubscribe(channel: string): void {
    this.#subscriptions.unsubscribe(channel);
  }

  /** Waits for the answers that are due, and lets go. */
  async close(): Promise<void> {
    for (const client of this.#clients) {
      if (client.isReady) await this.#within(CLOSE_MS, client.close()).catch(() => {});
    }
    this.drop();
  }

  /** Lets go at once: whoever waits for an answer is told that the connection is lost. */
  drop(): void {
    this.#close(new StoreAwayError('the server is not used any more'));
    for (const client of this.#clients) if (client.isOpen) client.destroy();
  }

  async #answer(client: Client, args: readonly Argument[]): Promise<Reply> {
    const bytes = args.reduce((sum, { length }) => sum + length, 0);
    this.#checkRoom(bytes);
    this.#waiting += 1;
    this.#waitingBytes += bytes;
    try {
      // A connection that is lost is back in a moment, as a rule.
      if (!client.isReady) await this.#ready(client);
      return await this.#answered(client, client.sendCommand<Reply>(args));
    } catch (error) {
      if (error instanceof RefusedCommand && NOT_NOW.test(error.message)) {
        throw new NotNow(error.message.replace(/\.$/, ''), { cause: error });
      }
      if (error instanceof RefusedCommand || error instanceof StoreAwayError) throw error;
      throw new ConnectionLost(String(client.isReady ? error : (this.#trouble ?? error)), { cause: error });
    } finally {
      this.#waiting -= 1;
      this.#waitingBytes -= bytes;
    }
  }

  #checkRoom(bytes: number): void {
    if (this.#waiting >= MAX_WAITING) throw new StoreAwayError(`${MAX_WAITING} commands wait for an answer`);
    if (this.#waitingBytes === 0 || this.#waitingBytes + bytes <= MAX_WAITING_BYTES) return;
    throw new StoreAwayError(`commands of ${MAX_WAITING_BYTES / 1024 / 1024} MiB wait for an answer`);
  }

  /**
   * What is answered in time. A connection over which nothing at all has come meanwhile is made anew, for it may be one that nobody
   * is at the other end of; and what was written to it, and is refused now, is not carried out some time later.
   */
  async #answered(client: Client, reply: Promise<Reply>): Promise<Reply> {
    const before = this.#answers.get(client);
    const note = () => this.#answers.set(client, (this.#answers.get(client) ?? 0) + 1);
    reply.then(note, (error) => error instanceof RefusedCommand && note());
    try {
      return await this.#within(ANSWER_MS, reply);
    } catch (error) {
      const isSilent = error instanceof StoreAwayError && this.#answers.get(client) === before;
      if (isSilent && client.isOpen) {
        note();
        client.destroy();
        client.connect().catch(() => {});
      }
      throw error;
    }
  }

  async #within<T>(ms: number, promise: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new StoreAwayError(this.#why(ms))), ms);
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #why(ms: number): string {
    return this.#commands.isReady || this.#trouble === null
      ? `nothing came for ${ms / 1_000} seconds`
      : String(this.#trouble);
  }
}
