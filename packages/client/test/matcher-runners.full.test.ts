import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { temporaryFolder } from '../../server/test/service/process.js';
import { installPacked } from './packed.js';
import { freshName, startService, type TestService } from './service.js';

/** The tools that users have in their projects. Installed with `npm ci --prefix packages/client/test/consumers`. */
const TOOLS = fileURLToPath(new URL('consumers/node_modules/', import.meta.url));

const TESTS = fileURLToPath(new URL('matchers', import.meta.url));

const RUNNERS = {
  vitest: ['node_modules/vitest/vitest.mjs', 'run', '--root', 'vitest'],
  jest: ['node_modules/jest/bin/jest.js', '--rootDir', 'jest', '--config', 'jest/jest.config.cjs'],
  playwright: ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright'],
};

/** Options to write missing snapshots. Playwright would fail without its option; the other runners need none. */
const WRITING = { vitest: [], jest: [], playwright: ['--update-snapshots'] };

const RUN_TIMEOUT_MS = 600_000;

let project: Awaited<ReturnType<typeof temporaryFolder>>;
let service: TestService;

beforeAll(async () => {
  [project, service] = await Promise.all([temporaryFolder(), startService()]);
  await installPacked(project.path);
  for (const name of (await readdir(TOOLS)).filter((name) => !name.startsWith('.'))) {
    await symlink(path.join(TOOLS, name), path.join(project.path, 'node_modules', name));
  }
  await cp(TESTS, project.path, { recursive: true });
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
});

afterAll(async () => {
  await Promise.all([project?.remove(), service?.stop()]);
});

interface Data {
  readonly code: string;
  readonly token: string;
  readonly date: string;
  readonly number: number;
  readonly greeting?: string;
}

const FIRST: Data = { code: '048291', token: 'V1StGXR8_Z5jdHi6B-myT', date: 'Fri, 27 Nov 2026 at 09:05', number: 7 };
const SECOND: Data = {
  code: '771204',
  token: 'kQ-wbnLAsqPXcZtRuMEyd',
  date: 'Tue, 2 Mar 2027 at 14:40',
  number: 4_312,
};

/** A new inbox with two emails, each with a link to a local host. */
async function inboxWith({ code, token, date, number, greeting = 'Hello' }: Data): Promise<string> {
  const inbox = freshName();
  const fields = [
    'From: Acme <app@example.test>',
    'Subject: Welcome',
    'List-Unsubscribe: <https://app.example.test/u>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ];
  const body = [
    `${greeting} ${inbox}@inbox.example.com, your code is ${code} (No. ${number}).`,
    `It expires on ${date}. Or open https://app.example.test/verify/${token}`,
    'Stop these emails: http://localhost:3000/unsubscribe',
  ];
  for (const extra of ['', 'Again!']) await service.message(inbox, [...fields, '', ...body, extra, ''].join('\r\n'));
  return inbox;
}

interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Runs a test runner to its end, with the name of an inbox of the running service. Omits the variables that this
 * process's own runner has set, so that the started runner does not count as part of this run.
 */
async function run(args: readonly string[], inbox: string): Promise<Outcome> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1', MAYFLY_URL: service.url, INBOX: inbox };
  const options = { cwd: project.path, env, timeout: RUN_TIMEOUT_MS };
  return await new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ exitCode: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

describe.each(Object.keys(RUNNERS) as (keyof typeof RUNNERS)[])('%s', needs('runners and frameworks'), (name) => {
  test('passes if a new email changes only the data in a snapshot, and fails if it changes the template', {
    timeout: 3 * RUN_TIMEOUT_MS + 60_000,
  }, async () => {
    const written = await run([...RUNNERS[name], ...WRITING[name]], await inboxWith(FIRST));
    expect(written.exitCode, written.output).toBe(0);
    const folder = path.join(project.path, name, '__snapshots__');
    const [file = ''] = await readdir(folder);
    const snapshot = await readFile(path.join(folder, file), 'utf8');
    expect(snapshot).toContain('Hello [address], your code is ****** ([masked]).\nIt expires on [date] at [time].');

    const again = await run(RUNNERS[name], await inboxWith(SECOND));
    expect(again.exitCode, again.output).toBe(0);
    expect(await readFile(path.join(folder, file), 'utf8')).toBe(snapshot);

    const changed = await run(RUNNERS[name], await inboxWith({ ...SECOND, greeting: 'Dear' }));
    expect(changed.exitCode).toBe(1);
    expect(changed.output).toMatch(/^ *- *Hello \[address\], your code is/m);
    expect(changed.output).toMatch(/^ *\+ *Dear \[address\], your code is/m);
  });
});
