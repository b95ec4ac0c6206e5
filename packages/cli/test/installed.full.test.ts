import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { satisfies } from 'semver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipUnless } from '../../../tools/needs.js';
import { installPacked, type Packed, ROOT, sbomIn } from '../../client/test/packed.js';
import { type Finished, temporaryFolder } from '../../server/test/service/process.js';

const run = promisify(execFile);

/** The oldest Node version that the packages support. */
const OLDEST_NODE = '20.19.0';

/** npm and the machine may be slow. */
const NPM_TIMEOUT_MS = 900_000;

/** Maximum size of all installed packages, in bytes: 80 MB. */
const MAX_INSTALLED = 80_000_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let version: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  ({ version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')));
});

afterAll(() => folder.remove());

const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:MAYFLY|npm)_/i.test(name)));

/** Runs a program in a folder until it ends. */
async function finished(cwd: string, program: string, args: readonly string[]): Promise<Finished> {
  const options = { cwd, env: { ...environment, npm_config_update_notifier: 'false' } };
  return run(program, args, options).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ exitCode: code, stdout, stderr }),
  );
}

/** Creates a project with some of our packages, laid out as npm would, but without running npm. */
async function project(name: string, workspaces: readonly string[]) {
  const at = path.join(folder.path, name);
  const modules = path.join(at, 'node_modules');
  await mkdir(path.join(modules, '.bin'), { recursive: true });
  for (const workspace of workspaces) await installPacked(at, path.join(ROOT, 'packages', workspace));
  return at;
}

/** Links the command `mayfly` to one of the packages, and returns a function that runs it. */
async function linked(at: string, name: string) {
  const command = path.join(at, 'node_modules/.bin/mayfly');
  await rm(command, { force: true });
  await symlink(`../${name}/bin/mayfly.js`, command);
  return (...args: readonly string[]) => finished(at, command, args);
}

/** Starts the service with a command, and resolves to how it ends after SIGTERM. */
async function servedBy(cwd: string, command: string, args: readonly string[] = []) {
  const flags = ['serve', '--http-port', '0', '--smtp-port', '0', '--store', 'memory:', '--log-level', 'silent'];
  const child = spawn(command, [...args, ...flags], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  return { line: String(line), ended: await ended };
}

describe('a project with both packages', () => {
  let both: string;

  beforeAll(async () => {
    both = await project('both', ['client', 'server']);
  }, NPM_TIMEOUT_MS);

  describe.each(['mayfly-client', 'mayfly-inbox'])('with the command of %s', (name) => {
    let mayfly: Awaited<ReturnType<typeof linked>>;

    beforeAll(async () => {
      mayfly = await linked(both, name);
    });

    test('starts the service, which ends on SIGTERM', async () => {
      const { line, ended } = await servedBy(both, path.join(both, 'node_modules/.bin/mayfly'));
      expect(line).toMatch(/^ready smtp=127\.0\.0\.1:\d+ http=http:/);
      expect(ended).toEqual([0, null]);
    });

    test("runs the client's commands", async () => {
      expect((await mayfly('new', '--prefix', 'both')).stdout).toMatch(/^both-\S+@inbox\.example\.com\n$/);
      expect((await mayfly('url', 'demo')).stdout).toBe('http://127.0.0.1:8080/inbox/demo\n');
    });

    test("runs the service's commands", async () => {
      await writeFile(path.join(both, 'mail.eml'), 'Subject: Hello\r\n\r\nYour code is 482913\r\n');
      expect((await mayfly('extract', 'mail.eml')).stdout).toBe('otp: 482913\nmagicLink: null\n');
      expect(await mayfly('healthy', '--http-port', '9')).toMatchObject({ exitCode: 1, stdout: '' });
    });

    test('lists all commands in its help', async () => {
      for (const args of [['help'], ['--help'], []]) {
        const { stdout } = await mayfly(...args);
        for (const command of ['serve', 'new', 'wait', 'extract']) expect(stdout).toContain(`  mayfly ${command} `);
      }
      expect((await mayfly('help', 'serve')).stdout).toMatch(/^Usage: mayfly serve/);
      expect((await mayfly('help', 'wait')).stdout).toMatch(/^Usage: mayfly wait/);
      expect((await mayfly('help', 'scaling')).stdout).toMatch(/^# Scaling\n/);
      expect(await mayfly('-v')).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
    });

    test.each([
      ['lsit', 'list'],
      ['Wait', 'wait'],
      ['--verison', '--version'],
    ])('suggests a command for the misspelled %s', async (slip, meant) => {
      expect(await mayfly(slip)).toMatchObject({
        exitCode: 2,
        stderr: `mayfly: "${slip}" is not a command of Mayfly. Did you mean "mayfly ${meant}"?\n`,
      });
    });

    test('rejects an unknown command', async () => {
      expect(await mayfly('frobnicate')).toMatchObject({
        exitCode: 2,
        stderr: '"frobnicate" is not a command of Mayfly. Try "mayfly --help".'.replace(/^/, 'mayfly: ').concat('\n'),
      });
    });
  });

  test('provides its service to the command of a client installed in another folder', async () => {
    const elsewhere = await project('elsewhere', ['client']);
    const command = path.join(elsewhere, 'node_modules/mayfly-client/bin/mayfly.js');
    expect((await finished(both, command, ['help', 'serve'])).stdout).toMatch(/^Usage: mayfly serve/);
  });
});

describe('a project with only the client', () => {
  let mayfly: Awaited<ReturnType<typeof linked>>;

  beforeAll(async () => {
    mayfly = await linked(await project('client', ['client']), 'mayfly-client');
  }, NPM_TIMEOUT_MS);

  test.each(['serve', 'extract', 'toString'])('says that %s needs the service', async (name) => {
    const { exitCode, stdout, stderr } = await mayfly(name);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(
      `mayfly: "${name}" is not a command of mayfly-client. Service commands, such as serve, come with "npm i -D mayfly-inbox". Try "mayfly --help".\n`,
    );
  });

  test("lists the client's commands in its help, and names the package of all other commands", async () => {
    const { exitCode, stdout } = await mayfly('help');
    expect(exitCode).toBe(0);
    expect([...stdout.matchAll(/^ {2}mayfly ([a-z]+(?: [A-Z]+)?)/gm)].map(([, usage]) => usage)).toEqual([
      'new',
      ...['wait', 'list', 'url', 'clear'].map((name) => `${name} ADDRESS`),
      'help COMMAND',
      'help TOPIC',
    ]);
    expect(stdout).toContain('npm install --save-dev mayfly-inbox');
    expect((await mayfly('help', 'jest')).stdout).toMatch(/^# Jest\n/);
    expect((await mayfly('-v')).stdout).toBe(`${version}\n`);
  });
});

/** Whether tests may let npm download the packages' dependencies. */
const mayAsk = process.env.CI === 'true' || process.env.ASK_NPM === 'true';

/** Warnings of npm that are not about our packages: the user's configuration and, since npm 11, install scripts. */
const NOT_OF_OURS = /^npm warn (?:Unknown (?:user|env|project|builtin|global) config|install-scripts)/;

interface Listed {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, Listed>>;
}

/** Returns the packages of a tree that `npm ls` printed. */
function listed(tree: Readonly<Record<string, Listed>> = {}): [string, Listed][] {
  return Object.entries(tree).flatMap(([name, one]) => [[name, one] as [string, Listed], ...listed(one.dependencies)]);
}

const asking = skipUnless(mayAsk, 'it asks npm for packages; ASK_NPM=true runs it');

describe('npm with the packed packages in an empty folder', { ...asking, timeout: NPM_TIMEOUT_MS }, () => {
  let at: string;
  let tarballs: Packed[];
  let installed: Finished;

  beforeAll(async () => {
    at = path.join(folder.path, 'npm');
    const packing = path.join(folder.path, 'packing');
    tarballs = [];
    for (const name of ['client', 'mail', 'server'])
      tarballs.push(await installPacked(packing, path.join(ROOT, 'packages', name)));
    await mkdir(at);
    await writeFile(path.join(at, 'package.json'), '{ "private": true }');
    installed = await finished(at, 'npm', [
      'install',
      '--no-audit',
      '--no-fund',
      ...tarballs.map(({ tarball }) => tarball),
    ]);
  }, NPM_TIMEOUT_MS);

  test('installs both packages without a warning', () => {
    expect(installed).toMatchObject({ exitCode: 0 });
    expect(installed.stderr.split('\n').filter((line) => line !== '' && !NOT_OF_OURS.test(line))).toEqual([]);
  });

  test('installs only packages that support the oldest supported version of Node', async () => {
    const lock = JSON.parse(await readFile(path.join(at, 'node_modules/.package-lock.json'), 'utf8'));
    const engines = Object.entries(lock.packages as Record<string, { engines?: { node?: string } }>);
    expect(engines.length).toBeGreaterThan(2);
    const later = engines.filter(([, one]) => !satisfies(OLDEST_NODE, one.engines?.node ?? '*'));
    expect(later).toEqual([]);
  });

  test('lists each package with bundled code in npm ls, so that an audit covers it', async () => {
    const { stdout } = await finished(at, 'npm', ['ls', '--all', '--json']);
    const { dependencies } = JSON.parse(stdout);
    const installed = new Map(listed(dependencies).map(([name, { version }]) => [name, version]));
    const { components } = await sbomIn(at, 'mayfly-inbox');
    const needed = components.filter(({ scope }) => scope !== 'optional');
    const names = needed.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/|@[^@]*$/g, ''));
    expect(names.filter((name) => !installed.has(name))).toEqual([]);
    const manifest = path.join(at, 'node_modules/mayfly-inbox/package.json');
    for (const [name, version] of Object.entries<string>(JSON.parse(await readFile(manifest, 'utf8')).dependencies)) {
      // A bundled package must be listed with the version in the bundle, because that is the code to audit.
      if (/^\d/.test(version)) expect(dependencies['mayfly-inbox'].dependencies[name].version).toBe(version);
    }
    const client = await readFile(path.join(at, 'node_modules/mayfly-client/package.json'), 'utf8');
    expect(JSON.parse(client)).not.toHaveProperty('dependencies');
  });

  test('stays within the maximum installed size', async () => {
    const names = await readdir(path.join(at, 'node_modules'), { recursive: true });
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(at, 'node_modules', name))).size));
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(MAX_INSTALLED);
  });

  test('links one mayfly command, which has the commands of both packages', async () => {
    expect((await finished(at, 'npx', ['--no', 'mayfly', 'new'])).stdout).toMatch(/@inbox\.example\.com\n$/);
    expect((await finished(at, 'npx', ['--no', 'mayfly', 'help', 'serve'])).stdout).toMatch(/^Usage: mayfly serve/);
  });

  test.each(['mayfly-inbox', 'mayfly-client'])('installs a command named after its package: %s', async (name) => {
    expect((await finished(at, 'npx', ['--no', name, 'new'])).stdout).toMatch(/@inbox\.example\.com\n$/);
  });

  test.each([
    ['mayfly-client', 'mayfly-inbox'],
    ['mayfly-inbox', 'mayfly-client'],
  ])('restores the mayfly command with `npm rebuild` after %s was uninstalled', async (gone, left) => {
    expect(await finished(at, 'npm', ['uninstall', '--no-audit', '--no-fund', gone])).toMatchObject({ exitCode: 0 });
    await finished(at, 'npm', ['rebuild', left]);
    expect((await finished(at, 'npx', ['--no', 'mayfly', 'new'])).stdout).toMatch(/@inbox\.example\.com\n$/);
    const { tarball } = tarballs.find((one) => one.tarball.includes(gone)) as Packed;
    await finished(at, 'npm', ['install', '--no-audit', '--no-fund', tarball]);
  });
});
