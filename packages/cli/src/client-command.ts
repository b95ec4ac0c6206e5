import type { Inbox, Mayfly, MayflyOptions } from 'mayfly-client';
import { type CommandOption, type Invocation, UsageError } from './command.js';

/** Options that locate Mayfly, shared by every command that uses the client. */
export const CLIENT_OPTIONS: Readonly<Record<'url' | 'domain' | 'api-key' | 'credentials', CommandOption>> = {
  url: {
    placeholder: 'URL',
    description: 'URL of the service. Default: http://127.0.0.1:8080. [MAYFLY_URL]',
  },
  domain: {
    placeholder: 'DOMAIN',
    description: 'Domain of the inboxes. Default: inbox.example.com. [MAYFLY_DOMAIN]',
  },
  'api-key': {
    placeholder: 'NAME=KEY',
    description:
      'Workspace and its API key. Prefer the variable: other users of the machine can see flags in the process list. [MAYFLY_API_KEY]',
  },
  credentials: {
    placeholder: 'USER:PASSWORD',
    description:
      'Credentials of an ad-hoc workspace, with which the application signs in to SMTP. Prefer the variable. [MAYFLY_CREDENTIALS]',
    formerly: 'space',
  },
};

export const INBOX_OPTIONS: Readonly<Record<'secret' | keyof typeof CLIENT_OPTIONS, CommandOption>> = {
  secret: {
    placeholder: 'SECRET',
    description: 'Secret of a private inbox, as "new --private" prints it. Prefer the variable. [MAYFLY_SECRET]',
  },
  ...CLIENT_OPTIONS,
};

/** Replaces names of client options in messages with the options of the command line. */
const IN_FLAGS: readonly (readonly [said: RegExp, here: string])[] = [
  [/\bbaseUrl(?= (?:and|or) MAYFLY_)/g, '--url'],
  [/\bapiKey(?= (?:and|or) MAYFLY_)/g, '--api-key'],
  [/\b(domain|credentials)(?=(?: and| or|,) MAYFLY_)/g, '--$1'],
  [/^\w+: secret(?= must )/, '--secret or MAYFLY_SECRET'],
  [/^\w+: (prefix|simulate)(?= must )/, '--$1'],
  [/(?<= left out with )private\b/, '--private'],
  [/\bwaitForCode\(\)/g, '--code'],
  [/\bwaitForLink\(\)/g, '--link'],
  [/\bmayfly\.inbox\('([^']*)'\)/g, '$1'],
  [/\binbox\.clear\(\)/g, 'mayfly clear'],
  [
    /Send its secret as "Authorization: Bearer <SECRET>", or with mayfly-client as mayfly\.inbox\(name, \{ secret \}\)\./,
    'Give its secret with --secret or MAYFLY_SECRET.',
  ],
  [
    /Is Mayfly running there\? Check --url and MAYFLY_URL\./,
    'To start Mayfly on this machine, run "npx mayfly-inbox serve" or the executable ("./mayfly serve"); if it runs elsewhere, set its URL with --url or MAYFLY_URL.',
  ],
];

export function clientOptions(given: Invocation['options']) {
  const [baseUrl, domain, apiKey, credentials] = Object.keys(CLIENT_OPTIONS).map((name) => given.get(name));
  return { baseUrl, domain, apiKey, credentials };
}

/** Rejects with `UsageError` for options that the client rejects, and with an `Error` for its other errors. */
export async function withMayfly<T>(
  { options }: Invocation,
  use: (mayfly: Mayfly) => Promise<T>,
  more: MayflyOptions = {},
): Promise<T> {
  // Imported late, because help and the service's commands do not need it.
  const { Mayfly, MayflyError, MayflyOptionError } = await import('mayfly-client');
  try {
    return await use(new Mayfly({ ...more, ...clientOptions(options) }));
  } catch (error) {
    if (!(error instanceof MayflyError)) throw error;
    const message = IN_FLAGS.reduce((text, [said, here]) => text.replace(said, here), error.message);
    throw error instanceof MayflyOptionError ? new UsageError(message) : new Error(message, { cause: error });
  }
}

export function inboxOf(mayfly: Mayfly, { operands: [address], options }: Invocation): Inbox {
  if (address === undefined) throw new UsageError('Specify an inbox by its address or name. Try --help.');
  return mayfly.inbox(address, { secret: options.get('secret') ?? (process.env.MAYFLY_SECRET || undefined) });
}
