import { Calls } from './calls.js';
import { Inbox } from './inbox.js';
import { InboxApi } from './inbox-api.js';
import { checkedName, newName, rehearsing } from './names.js';
import { aList, aSignal, aText, aTime, checkOptions } from './options.js';
import { checkedDomain, type MayflyOptions, readSettings, type Settings } from './settings.js';
import { Transport } from './transport.js';

export interface CreateInboxOptions {
  /** Prefix of the name, before a hyphen: 1 to 37 characters of an inbox name. */
  readonly prefix?: string | undefined;
  /**
   * Failures that mail to this inbox meets, such as `['451 x2', 'lost250']`: see docs/rehearsals.md. They become part
   * of the name, which leaves less room for a prefix.
   */
  readonly rehearse?: readonly string[] | undefined;
}

export interface ReadyOptions {
  /** Maximum wait in milliseconds; by default that of `new Mayfly`, or else 20 s. */
  readonly timeout?: number | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One Mayfly service. Creating it, or its inboxes, sends no request. */
export class Mayfly {
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #calls: Calls;

  /** Throws `MayflyOptionError` if an option or an environment variable is invalid. */
  constructor(options: MayflyOptions = {}) {
    this.#settings = readSettings(options);
    this.#transport = new Transport(this.#settings);
    this.#calls = new Calls(this.#transport, this.#settings);
  }

  /** Base URL of the service, without a trailing slash. */
  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  /** Domain of the inboxes. */
  get domain(): string {
    return this.#settings.domain;
  }

  /**
   * A new inbox with an unguessable name: the workspace's name, the prefix, two words and 60 random bits.
   * Throws `MayflyOptionError` if the result is not a valid name.
   */
  createInbox(options: CreateInboxOptions = {}): Inbox {
    checkOptions('createInbox', options, { prefix: aText, rehearse: aList });
    const name = newName(this.#settings.workspace?.name, options.prefix);
    return this.#inbox(rehearsing(name, options.rehearse), undefined);
  }

  /**
   * The inbox with this address, or with this name in `domain`. Throws `MayflyOptionError` if it is neither. An address
   * of a domain that the service does not accept mail for is refused by the first call.
   */
  inbox(nameOrAddress: string): Inbox {
    checkOptions('inbox', { nameOrAddress: nameOrAddress ?? null }, { nameOrAddress: aText });
    const [name = '', domain] = nameOrAddress.split(/@(.*)/s);
    return this.#inbox(checkedName(name), domain === undefined ? undefined : checkedDomain(domain));
  }

  /**
   * Resolves once Mayfly accepts mail and answers requests: for tests that start it themselves. Waits for a service
   * that is still starting. Rejects with `MayflyNetworkError` or `MayflyResponseError` if it is not ready in time.
   */
  async ready(options: ReadyOptions = {}): Promise<void> {
    checkOptions('ready', options, { timeout: aTime, signal: aSignal });
    await this.#calls.ready(options.timeout, options.signal);
  }

  /** Without a domain, neither given nor chosen, the name alone tells the inbox of the service's first domain. */
  #inbox(name: string, given: string | undefined): Inbox {
    const address = `${name}@${given ?? this.domain}`;
    const inbox = given === undefined && !this.#settings.isDomainChosen ? name : address;
    const api = new InboxApi(this.#transport, inbox, 'sdk');
    return new Inbox(address, `${this.baseUrl}/inbox/${encodeURI(inbox)}`, api, this.#calls);
  }
}
