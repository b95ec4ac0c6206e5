import { type Client, CONNECT_MS, endClient, newClient } from './client.js';
import { later } from './timers.js';

export interface LinkListener {
  made?(client: Client): void;
  ready?(): void;
  lost(error: unknown): void;
}

/** One connection to a server, remade until it is dropped. A silent server gets a new client: an attempt to connect cannot be ended. */
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

  /** Gives up this connection, which seems to lead nowhere, for another. What waits for an answer over it is refused. */
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
    // It rejects only once it is ended: until then it tries again.
    this.#client.connect().catch(() => {});
  }

  #newClient(): Client {
    const client = newClient(this.#url);
    const isUsed = () => client === this.#client && !this.#isDropped;
    let cancelRenewal = () => {};
    client.on('connect', () => {
      cancelRenewal();
      // The library bounds how long a connection takes, but not how long a server that has one takes to say something.
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
