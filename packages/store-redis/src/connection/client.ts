import { ErrorReply, RESP_TYPES, RedisClient } from '@redis/client';
import { StoreAwayError } from '../../../server/dist/store/seam.js';
import { later } from './timers.js';

export const CONNECT_MS = 5_000;

const RETRY = { first: 50, longest: 1_000 };

/** Redis says that our command is wrong, or cannot be done as things stand. */
export { ErrorReply as RefusedCommand };

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof ErrorReply && /^(?:ERR )?OOM/.test(error.message);
}

export type Client = ReturnType<typeof newClient>;

/** Ends a client for good, even while it connects: the library's `destroy` loses track of such a connection (6.3.1). */
export function endClient(client: Client): void {
  client.on('connect', () => client.destroy());
  client.destroy();
}

/** Texts are bytes, and subscriptions have a connection of their own. */
const PROTOCOL = { RESP: 2 } as const;

/**
 * Makes clients of one class. The library's `createClient` defines a class with a method for each command anew for each
 * url that is not the last one (6.3.1). That stops the process for tens of milliseconds, with each new connection to a
 * cluster.
 */
const clientOf = RedisClient.factory(PROTOCOL);

/** A connection that is not made yet. It is retried without end, also after a loss, unless `isKept` is false. */
export function newClient(url: string, { isKept = true, connectMs = CONNECT_MS } = {}) {
  const options = {
    ...PROTOCOL,
    url,
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    // Refuse now what cannot be sent now: the sender keeps the mail.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectMs,
      reconnectStrategy: (retries: number) =>
        isKept && Math.min(RETRY.first * 2 ** Math.min(retries, 10), RETRY.longest),
    },
  };
  return clientOf(options);
}

export type Argument = string | Buffer;

/** What Redis answers to the commands used here; texts are bytes. */
export type Reply = null | number | string | Buffer | Reply[];

export function textsOf(reply: Reply): string[] {
  return (reply as Buffer[]).map(String);
}

/** The connection was lost before the answer came, or is missing. It is being remade. */
export class ConnectionLost extends StoreAwayError {}

/** There was no connection in time: nothing was sent. */
export class NotSent extends StoreAwayError {}

/** A server cannot do that now, and has not: it loads its data, say, or a slot is moving to another. */
export class NotNow extends StoreAwayError {}

export interface LinkListener {
  made?(client: Client): void;
  ready?(): void;
  lost(error: unknown): void;
}

/** One connection, remade until it is dropped. A silent server gets a new client: connecting cannot be cancelled. */
export class Link {
  readonly #url: string;
  readonly #listener: LinkListener;
  #client: Client;
  #isBegun = false;
  #isDropped = false;
  #nextReady: Promise<void> | null = null;
  #isReadyNow = () => {};

  constructor(url: string, listener: LinkListener) {
    this.#url = url;
    this.#listener = listener;
    this.#client = this.#newClient();
  }

  get client(): Client {
    return this.#client;
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  begin(): void {
    this.#isBegun = true;
    this.#connect();
  }

  whenReady(): Promise<void> {
    if (this.isReady) return Promise.resolve();
    this.#nextReady ??= new Promise((resolve) => {
      this.#isReadyNow = resolve;
    });
    return this.#nextReady;
  }

  /** Replaces a connection that seems dead. Commands that wait for an answer over it are refused. */
  renew(): void {
    if (this.#isDropped || !this.#isBegun) return;
    const silent = this.#client;
    this.#client = this.#newClient();
    endClient(silent);
    this.#connect();
  }

  async close(): Promise<void> {
    if (this.isReady) await this.#client.close();
  }

  drop(): void {
    this.#isDropped = true;
    endClient(this.#client);
  }

  #connect(): void {
    // Rejects only once it is ended: until then it retries.
    this.#client.connect().catch(() => {});
  }

  #newClient(): Client {
    const client = newClient(this.#url);
    const isUsed = () => client === this.#client && !this.#isDropped;
    let cancelRenewal = () => {};
    client.on('connect', () => {
      cancelRenewal();
      // The library bounds the time to connect, but not the time until the server first answers.
      cancelRenewal = later(CONNECT_MS, () => {
        if (isUsed() && !client.isReady) this.renew();
      });
    });
    client.on('ready', () => {
      cancelRenewal();
      if (!isUsed()) return;
      this.#isReadyNow();
      this.#nextReady = null;
      this.#listener.ready?.();
    });
    client.on('error', (error) => {
      cancelRenewal();
      if (isUsed()) this.#listener.lost(error);
    });
    this.#listener.made?.(client);
    return client;
  }
}
