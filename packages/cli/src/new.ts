import { docsUrl } from 'mayfly-protocol/docs';
import { isFault, scriptOf } from 'mayfly-protocol/fault-script';
import { CLIENT_OPTIONS, withMayfly } from './client-command.js';
import { type Command, UsageError } from './command.js';

export const newInbox: Command = {
  usage: 'new [OPTIONS]',
  summary: 'Prints the address of a new inbox.',
  description: 'Prints an unguessable address. No request is sent: any name is an inbox.',
  switches: {
    private:
      'Makes a private inbox: prints its address and, after a blank, its secret, which other commands take as --secret.',
  },
  options: {
    prefix: { placeholder: 'TEXT', description: 'Beginning of the address.' },
    simulate: {
      placeholder: 'FAULTS',
      description: `Faults for mail to the address, separated by commas: 451x2,lost250 (${docsUrl('failure-simulation')}).`,
      formerly: 'rehearse',
    },
    ...CLIENT_OPTIONS,
  },
  maxOperands: 0,
  run: (invocation) =>
    withMayfly(invocation, async (mayfly) => {
      const [prefix, simulate] = ['prefix', 'simulate'].map((name) => invocation.options.get(name));
      const faults = simulate?.split(',').map((fault) => fault.replace(/\s/g, '').toLowerCase());
      const isPrivate = invocation.switches.has('private');
      const inbox = mayfly.createInbox({ prefix, simulate: faults, private: isPrivate });
      if (faults !== undefined) checkFaults(faults, inbox.name);
      process.stdout.write(`${isPrivate ? `${inbox} ${inbox.secret}` : inbox}\n`);
      return 0;
    }),
};

/** Rejects invalid faults, because the service would refuse the address's mail, or deliver it without a failure. */
function checkFaults(faults: readonly string[], name: string): void {
  const wrong = faults.find((fault) => !isFault(fault));
  if (wrong !== undefined) {
    throw new UsageError(
      `--simulate: "${wrong}" is not a fault. Use faults such as 451x2, data550, lost250, delay5s, twice, greylist10s, limit3per10s or hold, separated by commas (${docsUrl('failure-simulation')}).`,
    );
  }
  if (scriptOf(name) === 'broken') throw new UsageError('--simulate: all delays together may take at most 60 s.');
}
