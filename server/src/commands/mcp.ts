import { CLIENT_OPTIONS, clientOptions, withMayfly } from 'mayfly-cli';
import { version } from '../manifest.js';
import type { Command, Invocation } from './command.js';

export const mcp: Command = {
  usage: 'mcp [OPTIONS]',
  summary: 'Lets a coding agent use the inboxes of a running service.',
  description:
    'Serves the Model Context Protocol on standard input and output, for a coding agent that runs it: it can then make inboxes, wait ' +
    'for emails and read them. It uses a service that runs already ("mayfly serve"), and ends when the agent does. To have an agent ' +
    'use a service without running anything, start the service with --mcp and give the agent its address with /mcp behind it.',
  switches: {},
  options: CLIENT_OPTIONS,
  maxOperands: 0,
  run: serveAgents,
};

async function serveAgents(invocation: Invocation): Promise<number> {
  const { serveAgent } = await import('mayfly-mcp/stdio');
  await withMayfly(invocation, () => serveAgent(version(), clientOptions(invocation.options)));
  return 0;
}
