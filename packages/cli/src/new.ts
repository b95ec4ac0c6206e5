import { docsUrl } from 'mayfly-protocol/docs';
import { isStep, scriptOf } from 'mayfly-protocol/rehearsal-script';
import { CLIENT_OPTIONS, withMayfly } from './client-command.js';
import { type Command, UsageError } from './command.js';

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
      description: `Failures for mail to the address, separated by commas: 451x2,lost250 (${docsUrl('failure-simulation')}).`,
    },
    ...CLIENT_OPTIONS,
  },
  maxOperands: 0,
  run: (invocation) =>
    withMayfly(invocation, async (mayfly) => {
      const [prefix, rehearse] = ['prefix', 'rehearse'].map((name) => invocation.options.get(name));
      const steps = rehearse?.split(',').map((step) => step.replace(/\s/g, '').toLowerCase());
      const isPrivate = invocation.switches.has('private');
      const inbox = mayfly.createInbox({ prefix, rehearse: steps, private: isPrivate });
      if (steps !== undefined) checkSteps(steps, inbox.name);
      process.stdout.write(`${isPrivate ? `${inbox} ${inbox.secret}` : inbox}\n`);
      return 0;
    }),
};

/** The service would refuse mail to an address with other steps, or deliver it as if nothing was asked for. */
function checkSteps(steps: readonly string[], name: string): void {
  const wrong = steps.find((step) => !isStep(step));
  if (wrong !== undefined) {
    throw new UsageError(
      `--rehearse: "${wrong}" is not a step. Use steps such as 451x2, data550, lost250, delay5s, twice, greylist10s, limit3per10s or hold, separated by commas (${docsUrl('failure-simulation')}).`,
    );
  }
  if (scriptOf(name) === 'broken') throw new UsageError('--rehearse: all delays together may take at most 60 s.');
}
