import { CLIENT_OPTIONS, clientOptions, withMayfly } from 'mayfly-cli';
import { version } from '../manifest.js';
import type { Command, Invocation } from './command.js';

export const mcp: Command = {
  usage: 'mcp [OPTIONS]',
  summary: 'Gives a coding agent access to the inboxes of a running service.',
  description:
    'Serves the Model Context Protocol on standard input and output, so that a coding agent can create inboxes, wait ' +
    'for emails and read them. It uses a running service ("mayfly serve") and exits when the agent does. To let an agent ' +
    'use a service directly, start the service with --mcp and give the agent its URL followed by /mcp.',
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
