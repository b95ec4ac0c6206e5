import { SettingsError } from '../settings/reading.js';
import { version } from '../version.js';
import { CLIENT_OPTIONS } from './client.js';
import type { Command, Invocation } from './command.js';

export const mcp: Command = {
  usage: 'mcp [OPTIONS]',
  summary: 'Lets a coding agent use the inboxes of a running service.',
  description:
    'Serves the Model Context Protocol on standard input and output, for a coding agent that runs it: it can then make inboxes, wait ' +
    'for emails and read them. It uses a service that runs already ("mayfly serve"), and ends when the agent does. To have an agent ' +
    'use a service without running anything, start the service with --mcp and give the agent its address with /mcp behind it.',
  settings: [],
  switches: {},
  options: CLIENT_OPTIONS,
  maxOperands: 0,
  run: serveAgents,
};

async function serveAgents({ options }: Invocation): Promise<number> {
  const [{ serveAgent }, { MayflyOptionError }] = await Promise.all([
    import('mayfly-mcp/stdio'),
    import('mayfly-client'),
  ]);
  const given = { baseUrl: options.get('url'), domain: options.get('domain'), apiKey: options.get('api-key') };
  try {
    await serveAgent(version(), given);
  } catch (error) {
    throw error instanceof MayflyOptionError ? new SettingsError(error.message) : error;
  }
  return 0;
}
