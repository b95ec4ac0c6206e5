import type { Inbox, Mayfly, MayflyOptions } from 'mayfly-client';
import { SettingsError } from '../settings/reading.js';
import type { Invocation } from './command.js';

/** How a command that uses the client learns where Mayfly is, for its `--help`. */
export const WHERE =
  'It uses the service at MAYFLY_URL (default: http://127.0.0.1:8080), the domain MAYFLY_DOMAIN (default: inbox.test) and ' +
  'the API key MAYFLY_API_KEY (NAME=KEY, default: none).';

/** Runs what uses the client. What the client does not understand is a mistake of the command line, or of the environment. */
export async function withMayfly<T>(options: MayflyOptions, use: (mayfly: Mayfly) => Promise<T>): Promise<T> {
  const { Mayfly, MayflyOptionError } = await import('mayfly-client');
  try {
    return await use(new Mayfly(options));
  } catch (error) {
    throw error instanceof MayflyOptionError ? new SettingsError(error.message) : error;
  }
}

/** The inbox that the operand of a command names. */
export function inboxOf(mayfly: Mayfly, { operands: [address] }: Invocation): Inbox {
  if (address === undefined) throw new SettingsError('Which inbox? Give its address or its name. Try --help.');
  return mayfly.inbox(address);
}
