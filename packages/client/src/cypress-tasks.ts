import { type CreateInboxOptions, Mayfly } from './client.js';
import { CREATE_INBOX, type CypressInbox, WAIT_FOR_EMAIL, type WireOptions, waitOptions } from './cypress-wire.js';
import type { EmailData } from './email.js';
import type { MayflyOptions } from './settings.js';

/**
 * The Node side of the Cypress commands: give it to `on('task', …)` in `setupNodeEvents`. Throws `MayflyOptionError`.
 */
export function mayflyTasks(options: MayflyOptions = {}) {
  const mayfly = new Mayfly(options);
  return {
    [CREATE_INBOX]: (options: CreateInboxOptions): CypressInbox => {
      const { name, address, secret } = mayfly.createInbox(options);
      return { name, address, ...(secret && { secret }) };
    },
    [WAIT_FOR_EMAIL]: ([address, options, secret]: [string, WireOptions, string?]): Promise<EmailData> =>
      mayfly.inbox(address, { secret }).waitForEmail(waitOptions(options)),
  };
}
