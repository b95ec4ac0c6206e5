import { INBOX_OPTIONS, inboxOf, printing } from './client-command.js';
import type { Command } from './command.js';

export const open: Command = {
  usage: 'open ADDRESS [OPTIONS]',
  summary: "Prints the URL of an inbox's page.",
  description: 'Prints the URL of the inbox page; of a private inbox with its secret. No request is sent.',
  switches: {},
  options: INBOX_OPTIONS,
  maxOperands: 1,
  run: (invocation) => printing(invocation, async (mayfly) => `${inboxOf(mayfly, invocation).pageUrl}\n`),
};
