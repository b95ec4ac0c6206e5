import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MayflyResponseError } from 'mayfly-client';
import type { PageApi } from 'mayfly-client/api';
import { clientOptions, INBOX_OPTIONS, inboxOf, withMayfly } from './client-command.js';
import { type Command, type Invocation, UsageError } from './command.js';
import { messagesIn } from './mbox.js';
import { printable } from './terminal-text.js';

export const importMail: Command = {
  usage: 'import ADDRESS FILES [OPTIONS]',
  summary: 'Stores messages from files in an inbox.',
  description:
    'Stores the messages of .eml and mbox files in an inbox as if they had just arrived. - reads standard input. The service ' +
    'must be on this machine, and no other machine may reach it. Its limits for mail apply. The command prints a line for each ' +
    'file and message that was not imported, and exits with code 1 if there is any.',
  switches: {},
  options: INBOX_OPTIONS,
  maxOperands: Number.POSITIVE_INFINITY,
  run: (invocation) => withMayfly(invocation, async (mayfly) => importAll(inboxOf(mayfly, invocation), invocation)),
};

/** Responses to one message, after which others may be accepted: malformed, refused or too large. */
const OF_ONE_MESSAGE: readonly number[] = [400, 409, 413];

/** How long a message may be postponed because the service is busy or a limit is used up. */
const MAX_PAUSE_MS = 600_000;

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

async function importAll({ address }: { readonly address: string }, invocation: Invocation): Promise<number> {
  const [, ...files] = invocation.operands;
  if (files.length === 0) throw new UsageError('Specify files, such as welcome.eml, or - for standard input.');
  const { inboxApi } = await import('mayfly-client/api');
  const secret = invocation.options.get('secret') ?? (process.env.MAYFLY_SECRET || null);
  const api = inboxApi(address, clientOptions(invocation.options), 'sdk', secret);
  const done = { imported: 0, failed: 0 };
  try {
    for (const file of files) await importFile(file, api, done);
  } finally {
    const { imported } = done;
    process.stdout.write(`${imported} ${imported === 1 ? 'email' : 'emails'} imported into ${address}.\n`);
  }
  return done.failed === 0 ? 0 : 1;
}

/** Counts each message in `done`, and prints what was not imported. Throws if the service accepts no message. */
async function importFile(file: string, api: PageApi, done: { imported: number; failed: number }): Promise<void> {
  const name =
    file === '-'
      ? ''
      : path
          .basename(file)
          .replace(/\p{Cc}/gu, ' ')
          .slice(0, 200);
  const fail = (what: string, why: string) => {
    done.failed += 1;
    process.stderr.write(`mayfly: ${printable(`${what} was not imported: ${why}`)}\n`);
  };
  let position = 0;
  try {
    for await (const message of messagesOf(file)) {
      position += 1;
      const error = await patiently(() => api.import(message, name));
      if (error === null) done.imported += 1;
      else if (OF_ONE_MESSAGE.includes(error.status)) fail(`Message ${position} of ${file}`, error.message);
      else throw new Error(`Stopped at message ${position} of ${file}: ${error.message}`, { cause: error });
    }
    if (position === 0) fail(file, 'it has no message.');
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    fail(position === 0 ? file : `The rest of ${file} after message ${position}`, `${error.message}.`);
  }
}

class UnreadableError extends Error {}

async function* messagesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* messagesIn(file === '-' ? process.stdin : createReadStream(file));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new UnreadableError(UNREADABLE[code] ?? message);
  }
}

/** Retries while the service asks to. Resolves to the error of the last try, or null. */
async function patiently(send: () => Promise<unknown>): Promise<MayflyResponseError | null> {
  for (let pausedMs = 0; ; ) {
    try {
      await send();
      return null;
    } catch (error) {
      const { retryAfterMs } = error as MayflyResponseError;
      if (retryAfterMs === undefined || pausedMs + retryAfterMs > MAX_PAUSE_MS) return error as MayflyResponseError;
      await sleep(retryAfterMs);
      pausedMs += retryAfterMs;
    }
  }
}
