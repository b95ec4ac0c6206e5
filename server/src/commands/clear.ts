import { CLIENT_OPTIONS, inboxOf, withMayfly } from './client.js';
import type { Command } from './command.js';

/** How long to try when the service does not answer. */
const TIMEOUT_MS = 3_000;

export const clear: Command = {
  usage: 'clear ADDRESS [OPTIONS]',
  summary: 'Deletes the emails of an inbox.',
  description: 'Deletes all emails that are in the inbox now. Mail that comes later is kept as ever. Prints nothing.',
  settings: [],
  switches: {},
  options: CLIENT_OPTIONS,
  maxOperands: 1,
  run: (invocation) =>
    withMayfly(
      invocation,
      async (mayfly) => {
        await inboxOf(mayfly, invocation).clear();
        return 0;
      },
      { timeout: TIMEOUT_MS },
    ),
};
