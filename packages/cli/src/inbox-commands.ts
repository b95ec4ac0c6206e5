import type { Inbox, Mayfly } from 'mayfly-client';
import { INBOX_OPTIONS, inboxOf, withMayfly } from './client-command.js';
import type { Command, Invocation } from './command.js';
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
    withInbox(invocation, async (inbox) => {
      const emails = await inbox.emails();
      const json = () => `${jsonText(emails)}\n`;
      process.stdout.write(invocation.switches.has('json') ? json() : emails.map(emailLine).join(''));
    }),
};

export const url: Command = {
  usage: 'url ADDRESS [OPTIONS]',
  formerly: 'open',
  summary: "Prints the URL of an inbox's page.",
  description: 'Prints the URL of the inbox page. For a private inbox, it contains the secret. No request is sent.',
  switches: {},
  options: INBOX_OPTIONS,
  maxOperands: 1,
  run: (invocation) => withInbox(invocation, async ({ pageUrl }) => void process.stdout.write(`${pageUrl}\n`)),
};

export const clear: Command = {
  usage: 'clear ADDRESS [OPTIONS]',
  summary: 'Deletes the emails of an inbox.',
  description: 'Deletes all emails currently in the inbox. Mail that arrives later is kept as usual. Prints nothing.',
  switches: {},
  options: INBOX_OPTIONS,
  maxOperands: 1,
  run: (invocation) => withInbox(invocation, (inbox) => inbox.clear()),
};

/** How long these commands wait for a service that does not answer. */
const TIMEOUT_MS = 3_000;

function withInbox(invocation: Invocation, use: (inbox: Inbox) => Promise<void>): Promise<number> {
  const run = (mayfly: Mayfly) => use(inboxOf(mayfly, invocation)).then(() => 0);
  return withMayfly(invocation, run, { timeout: TIMEOUT_MS });
}
