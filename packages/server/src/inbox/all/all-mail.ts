import type { AllEmails } from './all-emails.js';
import type { AllInboxes, AllInboxesOptions } from './all-inboxes.js';

export type { Viewer } from './all-inboxes.js';
export type { AllSelection } from './all-test.js';
export type { Follower, ListedText } from './following.js';

/** The mail of all inboxes, for the few who ask: nothing of it is loaded, read or kept before. */
export class AllMail {
  readonly #options: Omit<AllInboxesOptions, 'inboxes'>;
  #inboxes: AllInboxes | null = null;
  #emails: AllEmails | null = null;

  constructor(options: Omit<AllInboxesOptions, 'inboxes'>) {
    this.#options = options;
  }

  async inboxes(inboxes: AllInboxesOptions['inboxes']): Promise<AllInboxes> {
    const { AllInboxes } = await import('./all-inboxes.js');
    this.#inboxes ??= new AllInboxes({ ...this.#options, inboxes });
    return this.#inboxes;
  }

  async emails(): Promise<AllEmails> {
    const { AllEmails } = await import('./all-emails.js');
    this.#emails ??= new AllEmails(this.#options);
    return this.#emails;
  }

  changed(inboxes: Iterable<string>): void {
    this.#inboxes?.changed(inboxes);
    this.#emails?.changed(inboxes);
  }

  /** Walks the store for plugins that opened it. Rejects if that fails. */
  async warmUp(): Promise<void> {
    await this.#inboxes?.warmUp();
  }
}
