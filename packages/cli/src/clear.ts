import { INBOX_OPTIONS, inboxOf, ONE_REQUEST, withMayfly } from './client-command.js';
import type { Command } from './command.js';

export const clear: Command = {
  usage: 'clear ADDRESS [OPTIONS]',
  summary: 'Deletes the emails of an inbox.',
  description: 'Deletes all emails currently in the inbox. Mail that arrives later is kept as usual. Prints nothing.',
  switches: {},
  options: INBOX_OPTIONS,
  maxOperands: 1,
  run: (invocation) =>
    withMayfly(
      invocation,
      async (mayfly) => {
        await inboxOf(mayfly, invocation).clear();
        return 0;
      },
      ONE_REQUEST,
    ),
};
