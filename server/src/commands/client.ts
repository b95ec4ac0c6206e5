import type { Inbox, Mayfly, MayflyOptions } from 'mayfly-client';
import { SettingsError } from '../settings/reading.js';
import type { CommandOption, Invocation } from './command.js';

/** What every command that uses the client takes, so that one line can say where Mayfly is. */
export const CLIENT_OPTIONS: Readonly<Record<'url' | 'domain' | 'api-key', CommandOption>> = {
  url: {
    placeholder: 'URL',
    description: 'Where the service is. Default: http://127.0.0.1:8080. [MAYFLY_URL]',
  },
  domain: {
    placeholder: 'DOMAIN',
    description: 'The domain of the inboxes. Default: inbox.test. [MAYFLY_DOMAIN]',
  },
  'api-key': {
    placeholder: 'NAME=KEY',
    description:
      'The workspace and its key. Others on the machine can read a flag in the list of processes: better use the variable. [MAYFLY_API_KEY]',
  },
};

/** How long a command that sends one request tries when the service does not answer. */
export const ONE_REQUEST: MayflyOptions = { timeout: 3_000 };

/** Runs what uses the client. What the client does not understand is a mistake of the command line, or of the environment. */
export async function withMayfly<T>(
  { options }: Invocation,
  use: (mayfly: Mayfly) => Promise<T>,
  more: MayflyOptions = {},
): Promise<T> {
  const { Mayfly, MayflyOptionError } = await import('mayfly-client');
  const given = { baseUrl: options.get('url'), domain: options.get('domain'), apiKey: options.get('api-key') };
  try {
    return await use(new Mayfly({ ...more, ...given }));
  } catch (error) {
    throw error instanceof MayflyOptionError ? new SettingsError(error.message) : error;
  }
}

/** The inbox that the operand of a command names. */
export function inboxOf(mayfly: Mayfly, { operands: [address] }: Invocation): Inbox {
  if (address === undefined) throw new SettingsError('Which inbox? Give its address or its name. Try --help.');
  return mayfly.inbox(address);
}
