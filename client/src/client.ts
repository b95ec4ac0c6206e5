import { MayflyOptionError } from './errors.js';
import { Inbox } from './inbox.js';
import { checkedName, newName } from './names.js';
import { checkOptions } from './options.js';
import { checkedDomain, type MayflyOptions, readSettings, type Settings } from './settings.js';

export interface CreateInboxOptions {
  /** What the name begins with, before a hyphen: 1 to 37 characters of an inbox name. */
  readonly prefix?: string | undefined;
}

/** One Mayfly service. Making one and making inboxes sends nothing. */
export class Mayfly {
  readonly #settings: Settings;

  /** Throws `MayflyOptionError` for what is not valid, in the options and in the environment. */
  constructor(options: MayflyOptions = {}) {
    this.#settings = readSettings(options);
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
    checkOptions('createInbox', options, ['prefix']);
    const { workspace, domain } = this.#settings;
    return new Inbox(this.#settings, newName(workspace?.name ?? '', options.prefix ?? ''), domain);
  }

  /** The inbox of an address or of a name. Throws `MayflyOptionError` when it is neither. */
  inbox(nameOrAddress: string): Inbox {
    const [name = '', domain = this.#settings.domain, ...others] = nameOrAddress.split('@');
    if (others.length > 0) throw new MayflyOptionError(`"${nameOrAddress}" is not an address.`);
    return new Inbox(this.#settings, checkedName(name), checkedDomain(domain));
  }
}
