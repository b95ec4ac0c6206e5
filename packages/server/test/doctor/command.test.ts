import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { needs, skipUnless } from '../../../../tools/needs.js';
import { endAll, runMayfly, serve, temporaryFolder, transportTo } from '../service/process.js';
import { startDns } from './dns-server.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterEach(endAll);
afterAll(() => folder.remove());

const FREE = ['--http-port', '0', '--smtp-port', '0'];
const inFolder = (name: string) => path.join(folder.path, name);

/** Somebody who owns nothing, as which root can run a process. */
const NOBODY = 65_534;

test('all is well with what stands in the README, and nothing is left behind', async () => {
  const { exitCode, stdout, stderr } = await runMayfly(['doctor', ...FREE, '--store', `lmdb:${inFolder('new')}`]);
  expect([exitCode, stderr]).toEqual([0, '']);
  const checks = stdout
    .trim()
    .split('\n')
    .map((line) => /^ok {6}([^:]+): /.exec(line)?.[1]);
  expect(checks).toEqual([
    'node',
    'clock',
    'smtp-port',
    'http-port',
    'send-apis',
    'store',
    'disk',
    'certificate',
    'mx of inbox.example.com',
    'mx of *',
  ]);
  expect(await readdir(folder.path)).not.toContain('new');
});

test('a service that runs is found, and its store opened beside it', async () => {
  const store = `lmdb:${inFolder('held')}`;
  const mayfly = await serve(['--store', store]);
  await transportTo(mayfly).sendMail({
    from: 'a@app.test',
    to: 'demo@inbox.example.com',
    subject: 'Hello',
    text: 'Hello',
  });
  const ports = ['--http-port', new URL(mayfly.url).port, '--smtp-port', String(mayfly.smtpPort)];
  const { exitCode, stdout } = await runMayfly(['doctor', '--json', ...ports, '--store', store]);
  const { ok, findings } = JSON.parse(stdout) as {
    ok: boolean;
    findings: { check: string; level: string; text: string }[];
  };
  expect([exitCode, ok]).toEqual([0, true]);
  const texts = Object.fromEntries(findings.map(({ check, text }) => [check, text]));
  expect(texts['smtp-port']).toContain('Mayfly is already running on ');
  expect(texts['http-port']).toContain('Mayfly is already running on ');
  expect(texts.store).toContain('can be opened. It holds 1 email in 1 MiB.');
  // It goes on.
  await transportTo(mayfly).sendMail({
    from: 'a@app.test',
    to: 'demo@inbox.example.com',
    subject: 'Again',
    text: 'Hello',
  });
});

test('a domain is looked up by the DNS server that is named, and what is wrong with it ends with 1', async () => {
  const dns = await startDns({});
  const args = ['doctor', ...FREE, '--store', 'memory:', '--domain', 'mail.app.dev', '--dns', dns.address];
  const { exitCode, stdout } = await runMayfly(args);
  dns.close();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^PROBLEM mx of mail\.app\.dev: It has neither an MX record/m);
});

test.each(['dns.example', '192.0.2.1:0', '192.0.2.1:99999', '[::1', '999.1.1.1'])(
  '--dns %s is refused',
  async (dns) => {
    const { exitCode, stderr } = await runMayfly(['doctor', '--dns', dns]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^mayfly: --dns: use an IP address/);
  },
);

test('a store that is no store', async () => {
  await mkdir(inFolder('others'));
  await writeFile(path.join(inFolder('others'), 'data.mdb'), 'not of LMDB');
  const { exitCode, stdout } = await runMayfly(['doctor', ...FREE, '--store', `lmdb:${inFolder('others')}`]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^PROBLEM store: --store: the folder .* contains other files but no store/m);
  expect(await readFile(path.join(inFolder('others'), 'data.mdb'), 'utf8')).toBe('not of LMDB');
});

test('a place at which the service would make no store', async () => {
  await mkdir(inFolder('strangers'));
  await writeFile(path.join(inFolder('strangers'), 'readme.txt'), 'no store');
  await symlink(inFolder('nowhere'), inFolder('link'));
  const file = path.join(inFolder('strangers'), 'readme.txt');
  for (const [store, why] of [
    [inFolder('strangers'), /the folder .*strangers contains other files but no store/],
    [file, /readme\.txt is a file/],
    [path.join(file, 'below'), /readme\.txt is a file/],
    [inFolder('link'), /link is a dangling symbolic link/],
  ] as const) {
    const args = [...FREE, '--store', `lmdb:${store}`];
    const { exitCode, stdout } = await runMayfly(['doctor', ...args]);
    expect([store, exitCode]).toEqual([store, 1]);
    expect(stdout.split('\n').filter((line) => line.startsWith('PROBLEM'))).toEqual([expect.stringMatching(why)]);
    expect((await runMayfly(['serve', ...args])).exitCode).toBe(2);
  }
  await mkdir(inFolder('left'));
  for (const left of ['lock.mdb', 'reserve.bin']) await writeFile(path.join(inFolder('left'), left), '');
  expect((await runMayfly(['doctor', ...FREE, '--store', `lmdb:${inFolder('left')}`])).exitCode).toBe(0);
});

test('a folder that this user may not write to', needs('another user'), async () => {
  await chmod(folder.path, 0o755);
  await mkdir(inFolder('locked'), { mode: 0o755 });
  for (const store of [inFolder('locked'), path.join(inFolder('locked'), 'below', 'it')]) {
    const { exitCode, stdout } = await runMayfly(['doctor', ...FREE, '--store', `lmdb:${store}`], {}, { uid: NOBODY });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^PROBLEM store: --store: this user cannot write in .*\/locked \(EACCES\)\. Make the user that runs the service its owner/m,
    );
  }
});

/** From which port on everybody may listen. */
const firstFree = Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '1024'));

test('a low port that this user may not have', {
  ...skipUnless(firstFree > 25, 'everybody may listen on port 25 here'),
  ...needs('another user'),
}, async () => {
  const args = ['doctor', '--http-port', '0', '--smtp-port', '25', '--store', 'memory:'];
  const { exitCode, stdout } = await runMayfly(args, {}, { uid: NOBODY });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^PROBLEM smtp-port: --smtp-port: this user may not listen on port 25\. Allow Node to bind low ports/m,
  );
});

test('a disk that is too small for the budget is worth a warning, not an end', async () => {
  const args = ['doctor', ...FREE, '--store', `lmdb:${inFolder('roomy')}`, '--store-budget', '1024GiB'];
  const { exitCode, stdout } = await runMayfly(args);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^warning disk: The disk of .* has \d+ MiB left, .* may grow to 2097152 MiB, twice --store-budget/m,
  );
});
