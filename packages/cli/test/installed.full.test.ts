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

/** The oldest Node that the packages say they run on. */
const OLDEST_NODE = '20.19.0';

/** npm may be slow, and so may the machine. */
const NPM_TIMEOUT_MS = 900_000;

/** How much may be installed for all packages, in bytes: 80 MB. */
const MAX_INSTALLED = 80_000_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let version: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  ({ version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')));
});

afterAll(() => folder.remove());

const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:MAYFLY|npm)_/i.test(name)));

/** Runs a program in a folder to its end. */
async function finished(cwd: string, program: string, args: readonly string[]): Promise<Finished> {
  const options = { cwd, env: { ...environment, npm_config_update_notifier: 'false' } };
  return run(program, args, options).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ exitCode: code, stdout, stderr }),
  );
}

/** A project with these of our packages, as npm lays them out, without asking it. */
async function project(name: string, workspaces: readonly string[]) {
  const at = path.join(folder.path, name);
  const modules = path.join(at, 'node_modules');
  await mkdir(path.join(modules, '.bin'), { recursive: true });
  for (const workspace of workspaces) await installPacked(at, path.join(ROOT, 'packages', workspace));
  return at;
}

/** Lets `mayfly` be the command of one of the packages, and gives what runs it. */
async function linked(at: string, name: string) {
  const command = path.join(at, 'node_modules/.bin/mayfly');
  await rm(command, { force: true });
  await symlink(`../${name}/bin/mayfly.js`, command);
  return (...args: readonly string[]) => finished(at, command, args);
}

/** Starts the service by a command, and resolves to how it ends after SIGTERM. */
async function servedBy(cwd: string, command: string, args: readonly string[] = []) {
  const flags = ['serve', '--http-port', '0', '--smtp-port', '0', '--store', 'memory:', '--log-level', 'silent'];
  const child = spawn(command, [...args, ...flags], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  return { line: String(line), ended: await ended };
}

describe('in a project that has both packages', () => {
  let both: string;

  beforeAll(async () => {
    both = await project('both', ['client', 'server']);
  }, NPM_TIMEOUT_MS);

  describe.each(['mayfly-client', 'mayfly-inbox'])('where npm has linked the command of %s', (name) => {
    let mayfly: Awaited<ReturnType<typeof linked>>;

    beforeAll(async () => {
      mayfly = await linked(both, name);
    });

    test('the service starts, and ends on SIGTERM', async () => {
      const { line, ended } = await servedBy(both, path.join(both, 'node_modules/.bin/mayfly'));
      expect(line).toMatch(/^ready smtp=127\.0\.0\.1:\d+ http=http:/);
      expect(ended).toEqual([0, null]);
    });

    test('the commands of the client answer', async () => {
      expect((await mayfly('new', '--prefix', 'both')).stdout).toMatch(/^both-\S+@inbox\.example\.com\n$/);
      expect((await mayfly('url', 'demo')).stdout).toBe('http://127.0.0.1:8080/inbox/demo\n');
    });

    test('the commands of the service answer', async () => {
      await writeFile(path.join(both, 'mail.eml'), 'Subject: Hello\r\n\r\nYour code is 482913\r\n');
      expect((await mayfly('extract', 'mail.eml')).stdout).toBe('otp: 482913\nmagicLink: null\n');
      expect(await mayfly('healthy', '--http-port', '9')).toMatchObject({ exitCode: 1, stdout: '' });
    });

    test('help lists all commands', async () => {
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
    ])('%s is taken for a slip', async (slip, meant) => {
      expect(await mayfly(slip)).toMatchObject({
        exitCode: 2,
        stderr: `mayfly: "${slip}" is not a command of Mayfly. Did you mean "mayfly ${meant}"?\n`,
      });
    });

    test('an unknown command is refused', async () => {
      expect(await mayfly('frobnicate')).toMatchObject({
        exitCode: 2,
        stderr: '"frobnicate" is not a command of Mayfly. Try "mayfly --help".'.replace(/^/, 'mayfly: ').concat('\n'),
      });
    });
  });

  test('the client of another folder, such as a global one, finds the service in the current folder', async () => {
    const elsewhere = await project('elsewhere', ['client']);
    const command = path.join(elsewhere, 'node_modules/mayfly-client/bin/mayfly.js');
    expect((await finished(both, command, ['help', 'serve'])).stdout).toMatch(/^Usage: mayfly serve/);
  });
});

describe('in a project that has the client alone', () => {
  let mayfly: Awaited<ReturnType<typeof linked>>;

  beforeAll(async () => {
    mayfly = await linked(await project('client', ['client']), 'mayfly-client');
  }, NPM_TIMEOUT_MS);

  test.each(['serve', 'extract', 'toString'])('%s is said to come with the service', async (name) => {
    const { exitCode, stdout, stderr } = await mayfly(name);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(
      `mayfly: "${name}" is not a command of mayfly-client. Service commands, such as serve, come with "npm i -D mayfly-inbox". Try "mayfly --help".\n`,
    );
  });

  test('help lists its commands, and names the package of the others', async () => {
    const { exitCode, stdout } = await mayfly('help');
    expect(exitCode).toBe(0);
    expect(stdout.match(/^ {2}mayfly [a-z]+/gm)).toEqual(
      ['new', 'wait', 'list', 'url', 'clear', 'help'].map((name) => `  mayfly ${name}`),
    );
    expect(stdout).toContain('npm install --save-dev mayfly-inbox');
    expect((await mayfly('help', 'jest')).stdout).toMatch(/^# Jest\n/);
    expect((await mayfly('-v')).stdout).toBe(`${version}\n`);
  });
});

/** It asks npm for what the packages need. */
const mayAsk = process.env.CI === 'true' || process.env.ASK_NPM === 'true';

/** What npm says of the user's own configuration, and, from version 11 on, of each package that has a script. */
const NOT_OF_OURS = /^npm warn (?:Unknown (?:user|env|project|builtin|global) config|install-scripts)/;

interface Listed {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, Listed>>;
}

/** The packages of a tree as `npm ls` prints it. */
function listed(tree: Readonly<Record<string, Listed>> = {}): [string, Listed][] {
  return Object.entries(tree).flatMap(([name, one]) => [[name, one] as [string, Listed], ...listed(one.dependencies)]);
}

const asking = skipUnless(mayAsk, 'it asks npm for packages; ASK_NPM=true runs it');

describe('npm, asked for the tarballs in an empty folder', { ...asking, timeout: NPM_TIMEOUT_MS }, () => {
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

  test('installs them without a warning', () => {
    expect(installed).toMatchObject({ exitCode: 0 });
    expect(installed.stderr.split('\n').filter((line) => line !== '' && !NOT_OF_OURS.test(line))).toEqual([]);
  });

  test('finds nothing that asks for a later Node', async () => {
    const lock = JSON.parse(await readFile(path.join(at, 'node_modules/.package-lock.json'), 'utf8'));
    const engines = Object.entries(lock.packages as Record<string, { engines?: { node?: string } }>);
    expect(engines.length).toBeGreaterThan(2);
    const later = engines.filter(([, one]) => !satisfies(OLDEST_NODE, one.engines?.node ?? '*'));
    expect(later).toEqual([]);
  });

  test('lists every package that runs, so that an audit sees it', async () => {
    const { stdout } = await finished(at, 'npm', ['ls', '--all', '--json']);
    const { dependencies } = JSON.parse(stdout);
    const installed = new Map(listed(dependencies).map(([name, { version }]) => [name, version]));
    const { components } = await sbomIn(at, 'mayfly-inbox');
    const needed = components.filter(({ scope }) => scope !== 'optional');
    const names = needed.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/|@[^@]*$/g, ''));
    expect(names.filter((name) => !installed.has(name))).toEqual([]);
    const manifest = path.join(at, 'node_modules/mayfly-inbox/package.json');
    for (const [name, version] of Object.entries<string>(JSON.parse(await readFile(manifest, 'utf8')).dependencies)) {
      // Bundled packages are listed in the version of the bundle, because an audit is about the code that runs.
      if (/^\d/.test(version)) expect(dependencies['mayfly-inbox'].dependencies[name].version).toBe(version);
    }
    const client = await readFile(path.join(at, 'node_modules/mayfly-client/package.json'), 'utf8');
    expect(JSON.parse(client)).not.toHaveProperty('dependencies');
  });

  test('takes less space than it may', async () => {
    const names = await readdir(path.join(at, 'node_modules'), { recursive: true });
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(at, 'node_modules', name))).size));
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(MAX_INSTALLED);
  });

  test('links one of the commands, and either does', async () => {
    expect((await finished(at, 'npx', ['--no', 'mayfly', 'new'])).stdout).toMatch(/@inbox\.example\.com\n$/);
    expect((await finished(at, 'npx', ['--no', 'mayfly', 'help', 'serve'])).stdout).toMatch(/^Usage: mayfly serve/);
  });

  test.each(['mayfly-inbox', 'mayfly-client'])(
    'also knows the command by the name of the package, %s',
    async (name) => {
      expect((await finished(at, 'npx', ['--no', name, 'new'])).stdout).toMatch(/@inbox\.example\.com\n$/);
    },
  );

  test.each([
    ['mayfly-client', 'mayfly-inbox'],
    ['mayfly-inbox', 'mayfly-client'],
  ])('restores the command when %s is removed and the others are linked again', async (gone, left) => {
    expect(await finished(at, 'npm', ['uninstall', '--no-audit', '--no-fund', gone])).toMatchObject({ exitCode: 0 });
    await finished(at, 'npm', ['rebuild', left]);
    expect((await finished(at, 'npx', ['--no', 'mayfly', 'new'])).stdout).toMatch(/@inbox\.example\.com\n$/);
    const { tarball } = tarballs.find((one) => one.tarball.includes(gone)) as Packed;
    await finished(at, 'npm', ['install', '--no-audit', '--no-fund', tarball]);
  });
});
