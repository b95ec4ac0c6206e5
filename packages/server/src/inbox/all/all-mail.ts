import type { StoreAndClock } from '../read/selecting.js';
import type { AllEmails } from './all-emails.js';

export type { Viewer } from './all-emails.js';
export type { AllSelection } from './all-test.js';
export type { Follower, ListedText } from './following.js';

/** Lists the mail of all inboxes, for the few who ask: nothing of it is loaded, read or kept before. */
export class AllMail {
  readonly #options: StoreAndClock;
  #emails: AllEmails | null = null;

  constructor(options: StoreAndClock) {
    this.#options = options;
  }

  async emails(): Promise<AllEmails> {
    const { AllEmails } = await import('./all-emails.js');
    this.#emails ??= new AllEmails(this.#options);
    return this.#emails;
  }

  changed(inboxes: Iterable<string>): void {
    this.#emails?.changed(inboxes);
  }
}
