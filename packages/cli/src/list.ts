import { INBOX_OPTIONS, inboxOf, ONE_REQUEST, printing } from './client-command.js';
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
    printing(
      invocation,
      async (mayfly) => {
        const emails = await inboxOf(mayfly, invocation).emails();
        return invocation.switches.has('json') ? `${jsonText(emails)}\n` : emails.map(emailLine).join('');
      },
      ONE_REQUEST,
    ),
};
