import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { CLIENT_OPTIONS } from 'mayfly-cli';
import { canonicalInbox } from 'mayfly-protocol/inbox-name';
import { shiftedClock, systemClock } from '../base/clock.js';
import { makeFolder, whyUnusable, writeNewFile } from '../base/make-folder.js';
import { adHocOf, parseCredentials } from '../inbox/ad-hoc.js';
import type { KeptMessage } from '../inbox/read/read.js';
import { sizeUpTo } from '../settings/kinds.js';
import { readSettings, SettingsError, settingsOfEnvironment } from '../settings/reading.js';
import { openConfiguredStore } from '../settings/resources.js';
import { EmailGoneError, type Store } from '../store/store.js';
import type { Command, Invocation } from './command.js';

const size = sizeUpTo('1024GiB');

export const exportMail: Command = {
  usage: 'export FOLDER [OPTIONS]',
  summary: 'Writes all emails into a folder, or a run report into an HTML file.',
  description:
    'Writes each email in the store to its own file, TIME_INBOX.eml, byte for byte as received. The folder is ' +
    'created if it does not exist; otherwise it must be empty. Private inboxes and ad-hoc workspaces are left out. With ' +
    '--credentials, it writes only the emails of that ad-hoc workspace. The service may be running; ' +
    'mail that arrives or expires during the export may or may not be included. With --run, it asks the running service ' +
    'for that run and writes its tests and their mail into one HTML file, which opens without a service: ' +
    'export --run SECRET FILE.',
  settings: ['store'],
  switches: {},
  options: {
    run: {
      placeholder: 'SECRET',
      description: 'Secret of a run (its MAYFLY_RUN). Writes the report of this run to FILE, a new file.',
    },
    url: CLIENT_OPTIONS.url,
    'api-key': CLIENT_OPTIONS['api-key'],
    credentials: {
      ...CLIENT_OPTIONS.credentials,
      description:
        'Credentials of the ad-hoc workspace whose emails are written; with --run, the credentials of the run. Prefer the environment variable. [MAYFLY_CREDENTIALS]',
    },
    'max-size': {
      placeholder: 'SIZE',
      description:
        'Maximum number of bytes to write, such as 200MiB. Emails beyond the limit are left out and counted in the output.',
    },
  },
  maxOperands: 1,
  async run(invocation) {
    const secret = invocation.options.get('run');
    return secret === undefined
      ? exportEmails(invocation)
      : (await import('./export-run.js')).exportRun(invocation, secret);
  },
};

async function exportEmails({ settings, options, operands, environment }: Invocation): Promise<number> {
  const [folder] = operands;
  if (folder === undefined) throw new SettingsError('Specify a folder, new or empty. Try --help.');
  const maxBytes = sizeOf(options.get('max-size'));
  const adHoc = adHocIn(options.get('credentials') ?? credentialsIn(environment));
  const { keptMessages } = await import('../inbox/read/read.js');
  const { emails, bytes, leftOut } = await readingStore({ settings, environment }, 'export', async (store) => {
    await makeEmpty(folder);
    // The clock of the services that use the store decides which mail has expired.
    const clock = shiftedClock(systemClock, () => store.clockOffsetMs());
    return writeAll(keptMessages(store, clock, adHoc), folder, maxBytes);
  });
  const countOf = (count: number) => `${count} ${count === 1 ? 'email' : 'emails'}`;
  const rest = leftOut === 0 ? '' : `; ${countOf(leftOut)} left out because of --max-size`;
  const whose = adHoc === null ? '' : 'of the ad-hoc workspace ';
  process.stdout.write(`${countOf(emails)} ${whose}(${bytes} bytes) written to ${folder}${rest}.\n`);
  return 0;
}

function credentialsIn({ MAYFLY_CREDENTIALS, MAYFLY_SPACE }: Invocation['environment']): string | undefined {
  if (!MAYFLY_CREDENTIALS || !MAYFLY_SPACE) return MAYFLY_CREDENTIALS || MAYFLY_SPACE;
  throw new SettingsError('MAYFLY_SPACE is the old name of MAYFLY_CREDENTIALS, and both are set. Remove MAYFLY_SPACE.');
}

function adHocIn(text = ''): string | null {
  if (text === '') return null;
  const credentials = parseCredentials(text);
  const adHoc = credentials && adHocOf(credentials);
  if (adHoc !== null) return adHoc;
  // Does not repeat the text, which may be mistyped credentials.
  throw new SettingsError(
    '--credentials or MAYFLY_CREDENTIALS is not valid. Write it as USER:PASSWORD: the user name has 1 to 64 characters of ' +
      'a-z 0-9 . _ + - and the password 6 to 128 visible ASCII characters.',
  );
}

function sizeOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const bytes = size.parse(text);
  if (bytes === undefined) throw new SettingsError(`--max-size: "${text}" is not valid: ${size.rule}.`);
  return bytes;
}

async function makeEmpty(folder: string): Promise<void> {
  const files = await makeFolder(folder)
    .then(() => readdir(folder))
    .catch((error) => {
      throw new SettingsError(`${folder} cannot be used: ${whyUnusable(error)}`, { cause: error });
    });
  if (files.length > 0) throw new SettingsError(`${folder} is not empty. Use a new or an empty folder.`);
}

async function writeAll(messages: AsyncIterable<KeptMessage>, folder: string, maxBytes: number) {
  const exported = { emails: 0, bytes: 0, leftOut: 0 };
  for await (const message of messages) {
    const bytes = await writeMessage(message, `${folder}/${fileName(message)}`, maxBytes - exported.bytes);
    if (bytes === 'too large') exported.leftOut += 1;
    else if (bytes !== 'gone') {
      exported.emails += 1;
      exported.bytes += bytes;
    }
  }
  return exported;
}

const MAX_NAMED_CHARS = 200;

/** A file name that is valid on any system (some forbid colons). No inbox name (D1, D64) leads out of the folder. */
function fileName({ inbox, receivedAt }: KeptMessage): string {
  if (canonicalInbox(inbox) !== inbox)
    throw new Error(`The store has an inbox whose name cannot be a file name: ${inbox}`);
  const digest = () => createHash('sha256').update(inbox).digest('hex').slice(0, 16);
  const named = inbox.length > MAX_NAMED_CHARS ? `${inbox.slice(0, MAX_NAMED_CHARS)}~${digest()}` : inbox;
  return `${new Date(receivedAt).toISOString()}_${named}.eml`.replaceAll(':', '-');
}

async function writeMessage({ pieces }: KeptMessage, file: string, maxBytes: number) {
  let bytes = 0;
  async function* bounded() {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new TooLarge();
      yield piece;
    }
  }
  try {
    await writeNewFile(file, bounded());
    return bytes;
  } catch (error) {
    if (error instanceof TooLarge) return 'too large';
    if (error instanceof EmailGoneError) return 'gone';
    throw new Error(`${file} cannot be written: ${whyUnusable(error)}`, { cause: error });
  }
}

class TooLarge extends Error {}

/** Runs a command on the configured store. Throws an error for the user if no other process can open that store. */
async function readingStore<T>(
  { settings: flags, environment }: Pick<Invocation, 'settings' | 'environment'>,
  task: 'export' | 'list',
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const settings = readSettings(flags, settingsOfEnvironment(environment, { hasPlugins: false }));
  if (settings.store === 'memory:') {
    throw new SettingsError(
      `--store: a memory: store exists only inside the service process, so there is nothing to ${task}.`,
    );
  }
  const { store } = await openConfiguredStore(settings, 'existing');
  return read(store).finally(() => store.close());
}

export const waitlist: Command = {
  usage: 'waitlist [OPTIONS]',
  summary: 'Lists the addresses on the waitlist.',
  description:
    'Lists the addresses on the waitlist with the time each joined, in the order in which they joined. ' +
    'The service may be running.',
  settings: ['store'],
  switches: { json: 'Prints a JSON array of objects with "email" and "joinedAt".' },
  maxOperands: 0,
  async run(invocation) {
    const entries: { email: string; joinedAt: string }[] = [];
    await readingStore(invocation, 'list', async (store) => {
      for await (const { email, joinedAt } of store.waitlist()) {
        entries.push({ email, joinedAt: new Date(joinedAt).toISOString() });
      }
    });
    const lines = entries.map(({ email, joinedAt }) => `${joinedAt}  ${email}\n`);
    process.stdout.write(invocation.switches.has('json') ? `${JSON.stringify(entries, null, 2)}\n` : lines.join(''));
    return 0;
  },
};
