import { CLIENT_OPTIONS, withMayfly } from './client-command.js';
import type { Command } from './command.js';

export const newInbox: Command = {
  usage: 'new [OPTIONS]',
  summary: 'Prints the address of a new inbox.',
  description: 'Prints an unguessable address. No request is sent: any name is an inbox.',
  switches: {
    private:
      'Prints an address whose mail only a secret opens, and after a blank that secret, for --secret of other commands.',
  },
  options: {
    prefix: { placeholder: 'TEXT', description: 'What the address begins with.' },
    rehearse: {
      placeholder: 'STEPS',
      description: 'Failures that mail to the address meets, separated by commas: 451x2,lost250 (docs/rehearsals.md).',
    },
    ...CLIENT_OPTIONS,
  },
  maxOperands: 0,
  run: (invocation) =>
    withMayfly(invocation, async (mayfly) => {
      const [prefix, rehearse] = ['prefix', 'rehearse'].map((name) => invocation.options.get(name));
      const isPrivate = invocation.switches.has('private');
      const inbox = mayfly.createInbox({ prefix, rehearse: rehearse?.split(','), private: isPrivate });
      process.stdout.write(`${isPrivate ? `${inbox} ${inbox.secret}` : inbox}\n`);
      return 0;
    }),
};
