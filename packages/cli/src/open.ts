import { INBOX_OPTIONS, inboxOf, withMayfly } from './client-command.js';
import type { Command } from './command.js';

export const open: Command = {
  usage: 'open ADDRESS [OPTIONS]',
  summary: "Prints the URL of an inbox's page.",
  description: 'Prints the URL of the inbox page; of a private inbox with its secret. No request is sent.',
  switches: {},
  options: INBOX_OPTIONS,
  maxOperands: 1,
  run: (invocation) =>
    withMayfly(invocation, async (mayfly) => {
      process.stdout.write(`${inboxOf(mayfly, invocation).pageUrl}\n`);
      return 0;
    }),
};
