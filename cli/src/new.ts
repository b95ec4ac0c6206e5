import { CLIENT_OPTIONS, withMayfly } from './client-command.js';
import type { Command } from './command.js';

export const newInbox: Command = {
  usage: 'new [OPTIONS]',
  summary: 'Prints the address of a new inbox.',
  description: 'Prints an unguessable address. No request is sent: any name is an inbox.',
  switches: {},
  options: { prefix: { placeholder: 'TEXT', description: 'What the address begins with.' }, ...CLIENT_OPTIONS },
  maxOperands: 0,
  run: (invocation) =>
    withMayfly(invocation, async (mayfly) => {
      process.stdout.write(`${mayfly.createInbox({ prefix: invocation.options.get('prefix') })}\n`);
      return 0;
    }),
};
