import { INBOX_OPTIONS, inboxOf, ONE_REQUEST, printing } from './client-command.js';
import type { Command } from './command.js';

export const clear: Command = {
  usage: 'clear ADDRESS [OPTIONS]',
  summary: 'Deletes the emails of an inbox.',
  description: 'Deletes all emails currently in the inbox. Mail that arrives later is kept as usual. Prints nothing.',
  switches: {},
  options: INBOX_OPTIONS,
  maxOperands: 1,
  run: (invocation) =>
    printing(
      invocation,
      async (mayfly) => {
        await inboxOf(mayfly, invocation).clear();
        return '';
      },
      ONE_REQUEST,
    ),
};
