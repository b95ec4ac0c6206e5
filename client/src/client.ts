import { Calls } from './calls.js';
import { Inbox } from './inbox.js';
import { InboxApi } from './inbox-api.js';
import { checkedName, newName } from './names.js';
import { aSignal, aText, aTime, checkOptions } from './options.js';
import { checkedDomain, type MayflyOptions, readSettings, type Settings } from './settings.js';
import { Transport } from './transport.js';

export interface CreateInboxOptions {
  /** What the name begins with, before a hyphen: 1 to 37 characters of an inbox name. */
  readonly prefix?: string | undefined;
}

export interface ReadyOptions {
  /** How long to wait at most, in milliseconds; 20 s unless `new Mayfly` was told otherwise. */
  readonly timeout?: number | undefined;
  /** Ends the call, which rejects then with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One Mayfly service. Making one and making inboxes sends nothing. */
export class Mayfly {
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #calls: Calls;

  /** Throws `MayflyOptionError` for what is not valid, in the options and in the environment. */
  constructor(options: MayflyOptions = {}) {
    this.#settings = readSettings(options);
    this.#transport = new Transport(this.#settings);
    this.#calls = new Calls(this.#transport, this.#settings);
  }

  /** Base address of the service, without a slash at the end. */
  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  /** Domain of the inboxes. */
  get domain(): string {
    return this.#settings.domain;
  }

  /**
   * A new inbox whose name nobody can guess: two words and 60 random bits, behind the workspace's name and the prefix.
   * Throws `MayflyOptionError` when that makes no valid name.
   */
  createInbox(options: CreateInboxOptions = {}): Inbox {
    checkOptions('createInbox', options, { prefix: aText });
    return this.#inbox(newName(this.#settings.workspace?.name, options.prefix), this.domain);
  }

  /** The inbox of an address or of a name. Throws `MayflyOptionError` when it is neither. */
  inbox(nameOrAddress: string): Inbox {
    checkOptions('inbox', { nameOrAddress: nameOrAddress ?? null }, { nameOrAddress: aText });
    const [name = '', domain = this.domain] = nameOrAddress.split(/@(.*)/s);
    return this.#inbox(checkedName(name), checkedDomain(domain));
  }

  /**
   * Resolves when Mayfly takes mail and answers: for the set-up of tests that start it themselves. It may take its time
   * to come up. Rejects with `MayflyNetworkError` or `MayflyResponseError` when it is not ready in time.
   */
  async ready(options: ReadyOptions = {}): Promise<void> {
    checkOptions('ready', options, { timeout: aTime, signal: aSignal });
    await this.#calls.ready(options.timeout, options.signal);
  }

  #inbox(name: string, domain: string): Inbox {
    const api = new InboxApi(this.#transport, name, 'sdk');
    return new Inbox(name, domain, this.baseUrl, api, this.#calls);
  }
}
