import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import {
  chmod,
  copyFile,
  lchown,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, fetchInbox, folderOfFile, runMayfly, serve, transportTo } from './service/process.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TARGET = `${process.platform}-${process.arch}`;
const MAX_COMPRESSED_BYTES = 60_000_000;
const FREE_PORTS = ['--http-port', '0', '--smtp-port', '0'];

const folder = await folderOfFile();

/** The executable in a folder that contains nothing else, as after a download. */
const program = path.join(folder.path, 'mayfly');

/** A user's environment on a system without Node. */
const environment = { PATH: '/nowhere', HOME: path.join(folder.path, 'home'), XDG_CACHE_HOME: '' };

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['tools/build-executable.js'], { cwd: ROOT });
  await copyFile(path.join(ROOT, 'packages/server/executable/dist', TARGET, 'mayfly'), program);
  await mkdir(environment.HOME);
});

afterAll(endAll);

const as: Parameters<typeof serve>[2] = { program };
const store = (name: string) => ['--store', `lmdb:${folder.path}/${name}`];

async function firstCode(args: readonly string[], variables: Record<string, string> = {}, how = as) {
  const mayfly = await serve(args, { ...environment, ...variables }, how);
  await transportTo(mayfly).sendMail({
    from: 'app@example.test',
    to: 'demo@inbox.example.com',
    text: 'Your code is 482913',
  });
  const { emails } = await fetchInbox(mayfly, 'demo');
  return { mayfly, otp: emails[0]?.otp };
}

test('the executable has at most 60 MB, compressed', async () => {
  let bytes = 0;
  for await (const piece of createReadStream(program).pipe(createGzip())) bytes += piece.length;
  expect(bytes).toBeLessThan(MAX_COMPRESSED_BYTES);
});

test('without Node on the path, --version, help, extract and doctor work', async () => {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  expect(await runMayfly(['--version'], environment, as)).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  const { stdout: page } = await runMayfly(['help', 'getting-started'], environment, as);
  expect(page).toContain('# Getting started');
  const message = path.join(folder.path, 'mail.eml');
  await writeFile(message, 'Subject: Welcome\r\n\r\nYour code is 482913\r\n');
  const { stdout } = await runMayfly(['extract', message], environment, as);
  expect(stdout).toContain('482913');
  const doctor = await runMayfly(['doctor', ...FREE_PORTS, ...store('doctor')], environment, as);
  expect(doctor.stdout).toMatch(/^ok {6}node: Node v24/m);
  expect(doctor.exitCode).toBe(0);
});

test('the executable serves the code, the page and the explanation, and stops on SIGTERM', async () => {
  const { mayfly, otp } = await firstCode(store('first'));
  expect(otp).toBe('482913');
  const [email] = (await fetchInbox(mayfly, 'demo')).emails;
  // A parser thread explains the code.
  const explained = await fetch(`${mayfly.url}/api/inbox/demo/${email?.receivedAt}/explain`);
  expect(await explained.json()).toMatchObject({ otp: '482913' });
  expect(await (await fetch(mayfly.url)).text()).toContain('<!doctype html>');
  expect(await mayfly.end('SIGTERM')).toBe(0);
});

test('the executable shares the store and the cache folder of the npm package, also if files are open to a group', async () => {
  // Only this version of Node writes to the cache folder.
  const node = path.join(ROOT, `node_modules/.cache/executable/${TARGET}/node_modules/node-${TARGET}/bin/node`);
  const prefix = ['/bin/sh', '-c', 'umask 002 && shift && exec "$0" "$@"', node];
  const cache = { XDG_CACHE_HOME: path.join(folder.path, 'shared-cache') };
  const npm = await firstCode(store('shared'), cache, { prefix });
  expect(await npm.mayfly.end('SIGTERM')).toBe(0);
  const { mayfly } = await firstCode(store('shared'), cache);
  expect((await fetchInbox(mayfly, 'demo')).emails).toHaveLength(2);
  expect(await mayfly.end('SIGTERM')).toBe(0);
});

test.each([
  ['ESM', 'plugin.mjs', "import { definePlugin } from 'mayfly-inbox/plugin';\nexport default definePlugin("],
  ['CommonJS', 'plugin.cjs', "module.exports = require('mayfly-inbox/plugin').definePlugin("],
])('a plugin on disk is loaded as %s, also in a parser thread', async (_, name, front) => {
  await writeFile(
    path.join(folder.path, name),
    `${front}{
      name: 'third-party',
      tasks: async () => ({ shout: (bytes) => [Buffer.from(bytes.toString().toUpperCase())] }),
      setUp(host) {
        host.addRoutes({ root: '/third', add(app) {
          app.get('/:word', async ({ params }) => {
            const [shouted] = await host.run('shout', null, Buffer.from(params.word));
            return Buffer.from(shouted).toString();
          });
        } });
      },
    });`,
  );
  const mayfly = await serve(['--store', 'memory:', '--plugin', path.join(folder.path, name)], environment, as);
  expect(await (await fetch(`${mayfly.url}/third/party`)).text()).toBe('PARTY');
  expect(await mayfly.end('SIGTERM')).toBe(0);
});

test('four first starts at the same time write the native part of LMDB once, and whole', async () => {
  const cache = { XDG_CACHE_HOME: path.join(folder.path, 'parallel-cache') };
  const started = await Promise.all([1, 2, 3, 4].map((n) => firstCode(store(`parallel-${n}`), cache)));
  expect(started.map(({ otp }) => otp)).toEqual(Array(4).fill('482913'));
  const [file = '', ...others] = await readdir(path.join(cache.XDG_CACHE_HOME, 'mayfly'));
  expect(others).toEqual([]);
  expect(file).toMatch(/^lmdb-[0-9a-f]{32}\.node$/);
  expect((await stat(path.join(cache.XDG_CACHE_HOME, 'mayfly', file))).mode & 0o777).toBe(0o755);
  await Promise.all(started.map(({ mayfly }) => mayfly.end('SIGTERM')));
});

test('a damaged native part is replaced', async () => {
  const XDG_CACHE_HOME = path.join(folder.path, 'damaged-cache');
  const { mayfly } = await firstCode(store('damaged'), { XDG_CACHE_HOME });
  await mayfly.end('SIGTERM');
  const [file = ''] = await readdir(path.join(XDG_CACHE_HOME, 'mayfly'));
  const whole = await readFile(path.join(XDG_CACHE_HOME, 'mayfly', file));
  await writeFile(path.join(XDG_CACHE_HOME, 'mayfly', file), whole.subarray(0, 1_000));
  const again = await firstCode(store('damaged'), { XDG_CACHE_HOME });
  expect(again.otp).toBe('482913');
  expect((await readFile(path.join(XDG_CACHE_HOME, 'mayfly', file))).equals(whole)).toBe(true);
  await again.mayfly.end('SIGTERM');
});

test('a folder with the name of the native part stops the start with a sentence', async () => {
  const XDG_CACHE_HOME = path.join(folder.path, 'folder-cache');
  const cache = path.join(XDG_CACHE_HOME, 'mayfly');
  const { mayfly } = await firstCode(store('folder'), { XDG_CACHE_HOME });
  await mayfly.end('SIGTERM');
  const [name = ''] = await readdir(cache);
  await rm(path.join(cache, name));
  await mkdir(path.join(cache, name));
  const args = ['serve', ...FREE_PORTS, ...store('folder')];
  const { exitCode, stderr } = await runMayfly(args, { ...environment, XDG_CACHE_HOME }, as);
  expect(stderr).toContain(`in ${cache}, but ${name} in it is a folder. Remove that folder.`);
  expect(exitCode).toBe(2);
});

test('a new native part replaces those of old versions and of interrupted starts, except the newest two', async () => {
  const XDG_CACHE_HOME = path.join(folder.path, 'old-cache');
  const cache = path.join(XDG_CACHE_HOME, 'mayfly');
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const old = [1, 2, 3, 4].map((second) => `lmdb-${`${second}`.repeat(32)}.node`);
  old[0] += '.6a8c8a80-5b60-4e0c-9a39-1d5b8e6f1f6b';
  for (const name of [...old, 'foreign.node']) await writeFile(path.join(cache, name), '');
  for (const [second, name] of old.entries()) await utimes(path.join(cache, name), second, second);
  const { mayfly, otp } = await firstCode(store('old'), { XDG_CACHE_HOME });
  expect(otp).toBe('482913');
  await mayfly.end('SIGTERM');
  const own = (await readdir(cache)).find((name) => ![...old, 'foreign.node'].includes(name));
  expect((await readdir(cache)).sort()).toEqual([own, 'foreign.node', ...old.slice(2)].sort());
});

type Refused = [string, (cache: string) => Promise<Record<string, string>>, string, prefix?: readonly string[]];

const FOREIGN_LINK: Refused = [
  'to which the link of another user leads',
  async (cache) => {
    await mkdir(path.join(cache, 'own'), { recursive: true, mode: 0o700 });
    await symlink('own', path.join(cache, 'mayfly'));
    await lchown(path.join(cache, 'mayfly'), 12_345, 12_345);
    return { XDG_CACHE_HOME: cache };
  },
  'another user may write to it.',
];

const UNLISTED: Refused = [
  'of a user without HOME whom the system does not list',
  async () => chmod(folder.path, 0o755).then(() => ({})),
  'this user has no home folder.',
  ['/usr/bin/setpriv', '--reuid=54321', '--clear-groups', '/usr/bin/env', '--unset=HOME'],
];

/** Mounts the cache folder itself, because few systems have a writable folder that is mounted with noexec. */
const NOEXEC: Refused = [
  'in a file system without programs',
  async (cache) => mkdir(cache).then(() => ({ XDG_CACHE_HOME: cache })),
  'mounted with noexec.',
  [
    '/usr/bin/unshare',
    '--mount',
    '/bin/sh',
    '-c',
    '/bin/mount -t tmpfs -o noexec tmpfs "$XDG_CACHE_HOME" && exec "$0" "$@"',
  ],
];

const REFUSED: Refused[] = [
  ['that is a file', async (cache) => writeFile(cache, '').then(() => ({ XDG_CACHE_HOME: cache })), 'it is a file.'],
  [
    'that others may write to',
    async (cache) => {
      await mkdir(path.join(cache, 'mayfly'), { recursive: true });
      await chmod(path.join(cache, 'mayfly'), 0o777);
      return { XDG_CACHE_HOME: cache };
    },
    'another user may write to it.',
  ],
  // Only root can make such a link.
  ...(process.geteuid?.() === 0 ? [FOREIGN_LINK] : []),
  ['in a read-only file system', async () => ({ XDG_CACHE_HOME: '/proc' }), 'no folder can be created there.'],
  ['of a user without a home', async () => ({ HOME: '' }), 'this user has no home folder.'],
  ...(process.geteuid?.() === 0 ? [NOEXEC] : []),
  // Only root can run the executable as such a user.
  ...(process.geteuid?.() === 0 ? [UNLISTED] : []),
];

test.each(REFUSED)(
  'a cache folder %s is refused with one sentence, and memory: needs none',
  async (name, make, why, prefix = []) => {
    const variables = { ...environment, ...(await make(path.join(folder.path, name.replaceAll(' ', '-')))) };
    const args = [...FREE_PORTS, ...store('refused')];
    const { exitCode, stderr } = await runMayfly(['serve', ...args], variables, { ...as, prefix });
    expect(stderr).toMatch(/^mayfly: --store: Mayfly keeps the native part of LMDB in [^\n]+\n$/);
    expect(stderr).toContain(why);
    expect(stderr).toContain('--store memory:');
    expect(exitCode).toBe(2);
    expect((await runMayfly(['doctor', ...args], variables, { ...as, prefix })).stdout).toMatch(/^PROBLEM store: /m);
    const { mayfly, otp } = await firstCode(['--store', 'memory:'], variables);
    expect(otp).toBe('482913');
    await mayfly.end('SIGTERM');
  },
);
