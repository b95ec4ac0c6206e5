import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { freePort } from '../../server/test/ports.js';
import { temporaryFolder } from '../../server/test/service/process.js';
import { installPacked, ROOT } from './packed.js';

/** The tools that users have in their projects. `npm ci --prefix packages/client/test/consumers` installs them. */
export const TOOLS = fileURLToPath(new URL('consumers/node_modules/', import.meta.url));

const TESTS = fileURLToPath(new URL('runners', import.meta.url));

export const VITEST = 'node_modules/vitest/vitest.mjs';
export const JEST = 'node_modules/jest/bin/jest.js';
export const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

const RUN_TIMEOUT_MS = 180_000;

/** The timeout of a test that runs a runner. */
export const TEST_TIMEOUT_MS = RUN_TIMEOUT_MS + 60_000;

interface Outcome {
  readonly exitCode: number;
  readonly output: string;
  /** What the two concurrent tests received, by the names of their files. */
  readonly met: Record<string, Met>;
  readonly files: readonly string[];
}

export interface Met {
  readonly process: number;
  readonly url: string;
  readonly domain: string;
  readonly host: string;
  readonly port: string;
  readonly address: string;
}

export type Project = Awaited<ReturnType<typeof temporaryFolder>>;

/** A user's project with the packed client, the tools of a folder, and on request the packed service. */
export async function newProject({
  service,
  tools,
}: {
  readonly service: boolean;
  readonly tools: string;
}): Promise<Project> {
  const project = await temporaryFolder();
  const modules = path.join(project.path, 'node_modules');
  await installPacked(project.path);
  const links = (await readdir(tools))
    .filter((name) => /^(?:\w|@playwright$)/.test(name) && !name.startsWith('mayfly-'))
    .map((name) => path.join(tools, name));
  for (const target of links) await symlink(target, path.join(modules, path.basename(target)));
  if (service) await installPacked(project.path, path.join(ROOT, 'packages/server'));
  await cp(TESTS, project.path, { recursive: true });
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
  return project;
}

/** Runs a runner in a project until it ends, without the variables that this process's own runner has set. */
export async function run(
  project: Project,
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<Outcome> {
  const meeting = await temporaryFolder();
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1', MEETING_FOLDER: meeting.path, TMPDIR: meeting.path, ...variables };
  const options = { cwd: project.path, env, timeout: RUN_TIMEOUT_MS };
  const [exitCode, output] = await new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      resolve([typeof code === 'number' ? code : -1, stdout + stderr]);
    });
  });
  const files = (await readdir(meeting.path)).filter((file) => file.endsWith('.json'));
  const entries = files.map(async (file) => [
    file.replace('.json', ''),
    JSON.parse(await readFile(path.join(meeting.path, file), 'utf8')),
  ]);
  const met = Object.fromEntries(await Promise.all(entries));
  const shown = [...output.matchAll(/ to (\S+mayfly-run-\w+\.html)$/gm)].map(([, file = '']) => readFile(file, 'utf8'));
  const runFiles = await Promise.all(shown);
  await meeting.remove();
  return { exitCode, output, met, files: runFiles };
}

async function isFree(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const reached = once(socket, 'connect').then(
    () => false,
    () => true,
  );
  const free = await reached;
  socket.destroy();
  return free;
}

export interface Runner {
  readonly name: string;
  readonly args: readonly string[];
  readonly only: readonly string[];
  readonly passed: number;
}

/** Variables with free ports for Playwright, whose configuration sets the service's ports. None for other runners. */
export async function startingVariables(name: string): Promise<Record<string, string>> {
  if (name !== 'Playwright') return {};
  return { START_WITH: JSON.stringify({ httpPort: await freePort(), smtpPort: await freePort() }) };
}

/** Runs a project with two concurrent tests and one failing test, and checks the outcome. */
export async function expectService(project: Project, { name, args, only, passed }: Runner): Promise<void> {
  const { exitCode, output, met, files } = await run(project, args, await startingVariables(name));
  expect(output).toMatch(/1 failed/);
  expect(output).toMatch(new RegExp(`${passed} passed`));
  // The test may take 10 s, so the fixture shortens the wait, whose default timeout is longer.
  expect(output).toMatch(/MayflyTimeoutError: Waited [78](?:\.\d)? s for an email with a code\. No email came to /);
  expect(output).not.toMatch(/did not exit|hanging|open handle/i);
  // The service and its web UI end with the run, so the output has no URL of the run.
  expect(output).not.toContain('/run/');
  expect(output.split('Mayfly has written the run report, with the mail of 1 test that failed, to ')).toHaveLength(2);
  expect(files).toEqual([expect.stringContaining('waits for a code that never arrives')]);
  expect(exitCode).toBe(1);
  const [one, two] = only.map((file) => met[file] as Met);
  expect({ ...two, process: 0, address: '' }).toEqual({ ...one, process: 0, address: '' });
  expect(two?.address).not.toBe(one?.address);
  if (!name.includes('threads')) expect(two?.process).not.toBe(one?.process);
  expect(one?.address).toMatch(/@inbox\.example\.com$/);
  expect(await isFree(Number(new URL(one?.url ?? '').port))).toBe(true);
  expect(await isFree(Number(one?.port))).toBe(true);
}
