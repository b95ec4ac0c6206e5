import { WHERE, withMayfly } from './client.js';
import type { Command } from './command.js';

export const newInbox: Command = {
  usage: 'new [--prefix TEXT]',
  summary: 'Prints the address of a new inbox.',
  description: `Prints an address that nobody can guess. No request is sent, since any name is an inbox. ${WHERE}`,
  settings: [],
  switches: {},
  options: { prefix: { placeholder: 'TEXT', description: 'What the address begins with.' } },
  maxOperands: 0,
  run: ({ options }) =>
    withMayfly({}, async (mayfly) => {
      process.stdout.write(`${mayfly.createInbox({ prefix: options.get('prefix') })}\n`);
      return 0;
    }),
};
