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

export const url: Command = {
  usage: 'url ADDRESS [OPTIONS]',
  formerly: 'open',
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
