import { inboxOf, WHERE, withMayfly } from './client.js';
import type { Command } from './command.js';

export const open: Command = {
  usage: 'open ADDRESS',
  summary: "Prints the URL of an inbox's page.",
  description: `Prints the URL at which a browser shows the inbox. ${WHERE}`,
  settings: [],
  switches: {},
  maxOperands: 1,
  run: (invocation) =>
    withMayfly({}, async (mayfly) => {
      process.stdout.write(`${inboxOf(mayfly, invocation).pageUrl}\n`);
      return 0;
    }),
};
