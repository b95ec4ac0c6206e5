import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ClientMailboxes, type ServiceOptions } from './client-mailboxes.js';
import { Given } from './given.js';
import { agentServer } from './server.js';

/**
 * Serves the tools on standard input and output until the host closes one of them, then resolves. Nothing else may be
 * written to standard output. Throws `MayflyOptionError` for invalid options.
 */
export async function serveAgent(version: string, options: ServiceOptions): Promise<void> {
  const mailboxes = new ClientMailboxes(options);
  const agent = { mailboxes, given: new Given(), version };
  const { stdin, stdout } = process;
  const over = new Promise<void>((resolve) => {
    for (const end of ['end', 'close', 'error']) stdin.once(end, () => resolve());
    stdout.once('error', () => resolve());
  });
  const connection = serveStdio(() => agentServer(agent), {
    maxSubscriptions: 0,
    onerror: (error) => process.stderr.write(`mayfly: ${error.message}\n`),
  });
  await over;
  await connection.close();
}
