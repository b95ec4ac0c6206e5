import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { needs, skipUnless } from '../../../../tools/needs.js';
import { endAll, folderOfFile, runMayfly, serve, transportTo } from '../service/process.js';
import { startDns } from './dns-server.js';

const folder = await folderOfFile();

afterEach(endAll);

const FREE = ['--http-port', '0', '--smtp-port', '0'];
const inFolder = (name: string) => path.join(folder.path, name);

/** The user "nobody", to which root can switch. */
const NOBODY = 65_534;

test('mayfly doctor reports ok for each check before the first start, and creates no store', async () => {
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

test('mayfly doctor reports a running service, and opens the store while that service uses it', async () => {
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
  // The service still runs after doctor has opened its store.
  await transportTo(mayfly).sendMail({
    from: 'a@app.test',
    to: 'demo@inbox.example.com',
    subject: 'Again',
    text: 'Hello',
  });
});

test('mayfly doctor queries the server of --dns, and exits with 1 if the records of a domain are wrong', async () => {
  const dns = await startDns({});
  const args = ['doctor', ...FREE, '--store', 'memory:', '--domain', 'mail.app.dev', '--dns', dns.address];
  const { exitCode, stdout } = await runMayfly(args);
  dns.close();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^PROBLEM mx of mail\.app\.dev: This domain has neither an MX record/m);
});

test.each(['dns.example', '192.0.2.1:0', '192.0.2.1:99999', '[::1', '999.1.1.1'])(
  'mayfly doctor rejects --dns %s',
  async (dns) => {
    const { exitCode, stderr } = await runMayfly(['doctor', '--dns', dns]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^mayfly: --dns: use an IP address/);
  },
);

/** The lowest port that any user may bind. */
const firstFree = Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '1024'));

test('mayfly doctor reports a port below 1024 that this user may not bind', {
  ...skipUnless(firstFree > 25, 'everybody may listen on port 25 here'),
  ...needs('another user'),
}, async () => {
  const args = ['doctor', '--http-port', '0', '--smtp-port', '25', '--store', 'memory:'];
  const { exitCode, stdout } = await runMayfly(args, {}, { uid: NOBODY });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^PROBLEM smtp-port: --smtp-port: this user may not listen on port 25\. Allow (?:Node|Mayfly) to bind low ports/m,
  );
});
