import { clientOptions, withMayfly } from 'mayfly-cli';
import type { Mayfly, MayflyOptions } from 'mayfly-client';
import { inboxApi, runPage } from 'mayfly-client/api';
import type { EmailSummary, RunTest } from 'mayfly-protocol';
import { isRunSecret } from 'mayfly-protocol/run-secret';
import { SettingsError } from '../settings/reading.js';
import type { Invocation } from './command.js';
import { writeNewFile } from './new-file.js';
import { type ExportedRun, MAX_FILE_BYTES, runFile } from './run-file.js';

/** Why a file cannot be written, by the system's code. */
const UNWRITTEN: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already. Use a new file',
  ENOENT: 'its folder does not exist. Create the folder first',
  ENOTDIR: 'part of its path is a file. Use a file in a folder',
  EACCES: 'this user may not write there. Use another folder',
  EPERM: 'this user may not write there. Use another folder',
  EROFS: 'its file system is read-only. Use a folder on another one',
  ENAMETOOLONG: 'its name is too long. Use a shorter one',
  ENOSPC: 'no space is left on its disk. Free some, or use another disk',
  EMFILE: 'too many files are open. Raise the limit on open files',
};

/** Most tests that are read: as many as the service keeps of a run. */
const MAX_TESTS = 5_000;

/** Emails of failed tests whose whole text is read, and the size of each. */
const MAX_TEXTS = 200;
const MAX_TEXT_MAIL_BYTES = 1024 * 1024;

export async function exportRun(invocation: Invocation, secret: string): Promise<number> {
  const { operands, options, settings } = invocation;
  const [file] = operands;
  if (file === undefined) throw new SettingsError('Specify the file to write, such as run.html. Try --help.');
  // The text is not repeated: it may be a secret with a slip, and logs are read by others.
  if (!isRunSecret(secret)) throw new SettingsError('--run is not the secret of a run: 26 characters of a-z and 2-7.');
  if (settings.size > 0 || options.has('max-size'))
    throw new SettingsError('--run asks the service (--url), so it takes neither --store nor --max-size.');
  const own = clientOptions(options);
  const run = await withMayfly(invocation, (mayfly) => readRun(mayfly, secret, own));
  if (run.tests.length === 0) throw new Error('The service knows no test of this run, so nothing is written.');
  const { html, leftOut } = runFile(run);
  await writeNewFile(file, html).catch((cause) => {
    const why = UNWRITTEN[cause.code] ?? `${cause.message}. Use another file`;
    throw new SettingsError(`${file} cannot be written: ${why}.`, { cause });
  });
  const tests = run.tests.length === 1 ? '1 test' : `${run.tests.length} tests`;
  const rest = leftOut === 0 ? '' : `; ${leftOut} left out, since a file has at most ${MAX_FILE_BYTES / 2 ** 20} MiB`;
  process.stdout.write(`${tests} written to ${file}${rest}.\n`);
  return 0;
}

async function readRun(mayfly: Mayfly, secret: string, options: MayflyOptions): Promise<ExportedRun> {
  const tests: RunTest[] = [];
  for (let from = 0; ; ) {
    const page = await runPage(secret, from, options);
    tests.push(...page.tests);
    if (page.next === null || tests.length >= MAX_TESTS) {
      const texts = await textsOf(tests, options);
      return { ...page, tests, texts, origin: mayfly.baseUrl };
    }
    from = page.next;
  }
}

/** The texts of the emails of failed tests: a summary has only their beginning. */
async function textsOf(tests: readonly RunTest[], options: MayflyOptions): Promise<Map<EmailSummary, string>> {
  const texts = new Map<EmailSummary, string>();
  for (const { outcome, inboxes } of tests) {
    if (outcome !== 'failed') continue;
    for (const { to, emails } of inboxes) {
      for (const email of emails ?? []) {
        if (texts.size >= MAX_TEXTS) return texts;
        if (email.size > MAX_TEXT_MAIL_BYTES) continue;
        texts.set(email, await textOf(to, email, options));
      }
    }
  }
  return texts;
}

async function textOf(to: string, { receivedAt, text }: EmailSummary, options: MayflyOptions): Promise<string> {
  try {
    return (await inboxApi(to, options).email(receivedAt)).body;
  } catch {
    // It may be gone by now. Its summary has the beginning.
    return text;
  }
}
