import { inboxOf, WHERE, withMayfly } from './client.js';
import type { Command } from './command.js';

export const open: Command = {
  usage: 'open ADDRESS',
  summary: 'Prints where a browser shows an inbox.',
  description: `Prints the address of the inbox's page. ${WHERE}`,
  settings: [],
  switches: {},
  maxOperands: 1,
  run: (invocation) =>
    withMayfly({}, async (mayfly) => {
      process.stdout.write(`${inboxOf(mayfly, invocation).pageUrl}\n`);
      return 0;
    }),
};
