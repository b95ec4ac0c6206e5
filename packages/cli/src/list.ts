import { INBOX_OPTIONS, inboxOf, ONE_REQUEST, withMayfly } from './client-command.js';
import type { Command } from './command.js';
import { emailLine, jsonText } from './terminal-text.js';

export const list: Command = {
  usage: 'list ADDRESS [OPTIONS]',
  summary: 'Lists the emails of an inbox.',
  description:
    'Lists the emails of an inbox, newest first: when each arrived, its sender and subject, and its code and link if it has them.',
  switches: { json: 'Prints a JSON array of the emails with all of their fields.' },
  options: INBOX_OPTIONS,
  maxOperands: 1,
  run: (invocation) =>
    withMayfly(
      invocation,
      async (mayfly) => {
        const emails = await inboxOf(mayfly, invocation).emails();
        const json = () => `${jsonText(emails)}\n`;
        process.stdout.write(invocation.switches.has('json') ? json() : emails.map(emailLine).join(''));
        return 0;
      },
      ONE_REQUEST,
    ),
};
