import { Calls } from './calls.js';
import { Inbox, type WaitOptions } from './inbox.js';
import { InboxApi } from './inbox-api.js';
import { namedInbox, newName, simulating } from './names.js';
import { now } from './real-time.js';
import { newPrivateName } from './secrets.js';
import type { MayflyOptions, Settings } from './settings.js';
import { aFlag, aList, aSecret, aSignal, aText, aTime, checkOptions, readSettings, rule } from './settings.js';
import { Transport } from './transport.js';

export interface CreateInboxOptions {
  /** Prefix of the name: 1 to 37 characters that inbox names allow. A hyphen follows it. */
  readonly prefix?: string | undefined;
  /** Faults to simulate, such as `['451 x2', 'lost250']` (docs/failure-simulation.md). They become part of the name. */
  readonly simulate?: readonly string[] | undefined;
  /** @deprecated Use `simulate`. */
  readonly rehearse?: readonly string[] | undefined;
  /** Makes a private inbox, which has no prefix and no workspace. Its name is the hash of the secret that opens it. */
  readonly private?: boolean | undefined;
}

export interface OpenInboxOptions {
  /** The secret of a private inbox, from the `secret` property of the created inbox. */
  readonly secret?: string | undefined;
}

export type ReadyOptions = Pick<WaitOptions, 'timeout' | 'signal'>;

/** How many of this Mayfly object's newest inboxes are remembered, to look for missing mail there. */
const MAX_OWN = 20;

/** Rejects `prefix` with `private`, because the name of a private inbox always begins with `p-` and a hash. */
const LEFT_OUT = rule('left out with private', () => false);

/** A client for one Mayfly service. Creating it or its inboxes sends no request. */
export class Mayfly {
  readonly #settings: Settings;
  readonly #transport: Transport;
  protected readonly calls: Calls;

  /** Throws `MayflyOptionError` if an option or an environment variable is invalid. */
  constructor(options: MayflyOptions = {}) {
    this.#settings = readSettings(options);
    this.#transport = new Transport(this.#settings, () => import('./error-answer.js'));
    this.calls = new Calls(this.#transport, this.#settings);
  }

  /** Base URL of the service, without a trailing slash. */
  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  get domain(): string {
    return this.#settings.domain;
  }

  /** A new inbox with an unguessable name (60 random bits). Throws `MayflyOptionError` if the name is not valid. */
  createInbox(options: CreateInboxOptions = {}): Inbox {
    const prefix = options?.private ? LEFT_OUT : aText;
    checkOptions('createInbox', options, { prefix, simulate: aList, private: aFlag, rehearse: aList });
    const { name, secret } = options.private
      ? newPrivateName()
      : { name: newName(this.#settings.workspace?.name, options.prefix), secret: null };
    return this.#inbox(secret, simulating(name, options.simulate ?? options.rehearse), undefined, now());
  }

  /**
   * Returns the inbox with this address, or with this name in `domain`. Throws `MayflyOptionError` if the text is
   * neither. If the service accepts no mail for the address's domain, the first call rejects.
   */
  inbox(nameOrAddress: string, options: OpenInboxOptions = {}): Inbox {
    const given = { nameOrAddress: nameOrAddress ?? null, ...options };
    checkOptions('inbox', given, { nameOrAddress: aText, secret: aSecret });
    return this.#inbox(options.secret ?? null, ...namedInbox(nameOrAddress));
  }

  /** Resolves once Mayfly is ready. Rejects with `MayflyNetworkError` or `MayflyResponseError` on timeout. */
  async ready(options: ReadyOptions = {}): Promise<void> {
    checkOptions('ready', options, { timeout: aTime, signal: aSignal });
    await this.calls.ready(options.timeout, options.signal);
  }

  /** If neither caller nor settings chose a domain, requests have only the name; the service adds its first domain. */
  #inbox(secret: string | null, name: string, given?: string, madeAt?: number): Inbox {
    const address = `${name}@${given ?? this.domain}`;
    const inbox = given === undefined && !this.#settings.isDomainChosen ? name : address;
    const api = new InboxApi(this.#transport, inbox, secret);
    const { own } = this.calls;
    if (!own.has(address)) own.set(address, { api, madeAt });
    if (own.size > MAX_OWN) own.delete(own.keys().next().value ?? '');
    return new Inbox(address, `${this.baseUrl}/inbox/${encodeURI(inbox)}`, api, this.calls);
  }
}
