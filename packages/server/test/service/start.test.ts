import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { openLog } from '../../dist/base/log.js';
import { startService } from '../../dist/service.js';
import { readSettings } from '../../dist/settings/reading.js';
import { selfSigned } from '../../dist/tls/certificate.js';
import type { SettingName } from '../../src/settings/table.js';
import { freePort } from '../ports.js';
import { RawClient } from '../smtp/client.js';
import { endAll, fetchInbox, runMayfly, serve, temporaryFolder, transportTo } from './process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let taken: Server;
let takenPort: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  takenPort = String((taken.address() as { port: number }).port);
  const [one, other] = [await selfSigned('a.test'), await selfSigned('b.test')];
  await mkdir(`${folder.path}/a folder`);
  await writeFile(`${folder.path}/cert.pem`, one.cert);
  await writeFile(`${folder.path}/key.pem`, one.key);
  await writeFile(`${folder.path}/other-key.pem`, other.key);
  await writeFile(`${folder.path}/large.pem`, Buffer.alloc(1024 * 1024 + 1));
  await promisify(execFile)('mkfifo', [`${folder.path}/pipe`]);
  await writeFile(`${folder.path}/secret.pem`, one.key, { mode: 0 });
  await chmod(folder.path, 0o755);
});

afterAll(async () => {
  endAll();
  taken.close();
  await folder.remove();
});

test("without LMDB's native part, the error names the platform and a store that works without it", async () => {
  const installed = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
  const own = `${folder.path}/without-native`;
  await cp(fileURLToPath(new URL('../../bundle/', import.meta.url)), `${own}/server/bundle`, { recursive: true });
  for (const name of ['bin', 'package.json', 'page', 'api', 'plugins.js']) {
    const from = fileURLToPath(new URL(`../../${name}`, import.meta.url));
    await cp(from, `${own}/server/${name}`, { recursive: true });
  }
  await mkdir(`${own}/node_modules`);
  for (const name of await readdir(installed)) {
    if (name !== '@lmdb') await symlink(`${installed}${name}`, `${own}/node_modules/${name}`);
  }
  const args = ['serve', '--store', `lmdb:${own}/store`, '--http-port', '0', '--smtp-port', '0'];
  const as = { command: `${own}/server/bin/mayfly.js`, options: ['--preserve-symlinks', '--preserve-symlinks-main'] };
  const { exitCode, stderr } = await runMayfly(args, {}, as);
  expect(stderr).toContain(`--store: the native part of LMDB for ${process.platform}-${process.arch} cannot be loaded`);
  expect(stderr).toContain('--store memory:');
  expect(exitCode).toBe(2);
});

test('an old option is accepted with a warning', async () => {
  const mayfly = await serve(['--store', 'memory:', '--look-limit', '1/1m'], { MAYFLY_FETCH_LIMIT: 'off' });
  const settings = await (await fetch(`${mayfly.url}/api/settings`)).json();
  expect(settings).toMatchObject({ readLimit: { count: 1, windowMs: 60_000 } });
  expect(mayfly.log().match(/look-limit/g)).toEqual(['look-limit']);
  expect(mayfly.log()).toContain('--look-limit is now called --read-limit. The old name works until the next major');
});

describe('a start that fails', () => {
  test.each<[string, () => string[], RegExp]>([
    [
      'a certificate that does not exist',
      () => ['--tls-cert', '/nope', '--tls-key', `${folder.path}/key.pem`],
      /^mayfly: --tls-cert: \/nope cannot be read: there is no such file\. Use a PEM file/m,
    ],
    [
      'a certificate that is a pipe, to which no process writes',
      () => ['--tls-cert', `${folder.path}/pipe`, '--tls-key', `${folder.path}/key.pem`],
      /^mayfly: --tls-cert: .* cannot be read: it is not a regular file\./m,
    ],
    [
      'a key that is too large to be one',
      () => ['--tls-cert', `${folder.path}/cert.pem`, '--tls-key', `${folder.path}/large.pem`],
      /^mayfly: --tls-key: .* cannot be read: it is larger than 1 MiB\./m,
    ],
    [
      'a key of another certificate',
      () => ['--tls-cert', `${folder.path}/cert.pem`, '--tls-key', `${folder.path}/other-key.pem`],
      /^mayfly: --tls-cert and --tls-key: .* Both must be PEM/m,
    ],
    [
      'an address of another machine',
      () => ['--host', '192.0.2.1'],
      /^mayfly: --host: 192\.0\.2\.1 is not an address of this machine\. Use one/m,
    ],
  ])('names the setting and the fix for %s', (_, args, sentence) => refuses(args(), sentence));

  const isRoot = process.getuid?.() === 0;

  test('an unreadable key file is reported with the name of its setting', isRoot ? needs('another user') : {}, () =>
    refuses(
      ['--tls-cert', `${folder.path}/cert.pem`, '--tls-key', `${folder.path}/secret.pem`],
      /^mayfly: --tls-key: .* cannot be read: this user may not read it\./m,
      isRoot ? { uid: 65_534 } : {},
    ),
  );

  async function refuses(args: string[], sentence: RegExp, as = {}): Promise<void> {
    const ports = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0' };
    const finished = await runMayfly(['serve', '--no-page', ...args], { MAYFLY_STORE: 'memory:', ...ports }, as);
    expect(finished.stderr).toMatch(sentence);
    expect(finished.stderr).not.toMatch(/\n {4}at /);
    expect(finished.stdout).toBe('');
    expect(finished.exitCode).toBe(2);
  }
});

test.each(['--http-port', '--smtp-port', '--metrics'])('no store folder is left if the %s is in use', async (flag) => {
  const store = `${folder.path}/never-made`;
  const environment = { MAYFLY_STORE: `lmdb:${store}`, MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0' };
  const stderr = expect.stringContaining(`${flag}: port ${takenPort} of 127.0.0.1 is in use`);
  expect(await runMayfly(['serve', flag, takenPort], environment)).toMatchObject({ exitCode: 1, stderr });
  expect(existsSync(store)).toBe(false);
});

describe('a start that fails halfway', () => {
  test('releases the store folder and the HTTP port immediately', async () => {
    const httpPort = `${await freePort()}`;
    const settings = readSettings(
      new Map<SettingName, string[]>([
        ['store', [`lmdb:${folder.path}/half-way`]],
        ['http-port', [httpPort]],
        ['smtp-port', ['0']],
        ['tls', ['self-signed']],
        ['page', ['false']],
      ]),
      new Map(),
    );
    const log = openLog('silent', 'json');
    // The log throws at a line that is written once everything except the SMTP listener is open.
    const failing: typeof log = Object.assign(Object.create(log), {
      info: (_fields: unknown, message?: string) => {
        if (message?.startsWith('STARTTLS')) throw new Error('no log');
      },
    });
    await expect(startService(settings, failing)).rejects.toThrow('no log');
    await expect(fetch(`http://127.0.0.1:${httpPort}/healthz`)).rejects.toThrow('fetch failed');

    const service = await startService(settings, log);
    expect(await (await fetch(`${service.http}/readyz`)).json()).toEqual({ status: 'ready' });
    await Promise.all([service.stop(), service.stop()]);
    await expect(fetch(`${service.http}/healthz`)).rejects.toThrow('fetch failed');
  });
});

test('a start reports that another Mayfly uses one of its ports', async () => {
  const other = await serve(['--store', 'memory:']);
  const ports = { http: new URL(other.url).port, smtp: `${other.smtpPort}` };
  for (const name of ['http', 'smtp'] as const) {
    const [http, smtp] = name === 'http' ? [ports.http, '0'] : ['0', ports.smtp];
    const refused = await runMayfly(['serve', '--store', 'memory:', '--http-port', http, '--smtp-port', smtp]);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        `mayfly: --${name}-port: Mayfly is already running on 127.0.0.1:${ports[name]}. Use that instance, stop it, or choose another port.\n`,
      ),
    });
  }
});

test('the ready line and /api/settings name the port for implicit TLS', async () => {
  const mayfly = await serve(['--store', 'memory:', '--tls', 'self-signed', '--smtps-port', '0']);
  const [, port] = / smtps=127\.0\.0\.1:(\d+)$/m.exec(mayfly.output()) ?? [];
  const { smtps } = (await (await fetch(`${mayfly.url}/api/settings`)).json()) as { smtps: unknown };
  expect(smtps).toEqual({ host: '127.0.0.1', port: Number(port) });
  const client = await RawClient.secure(Number(port));
  expect(await client.mail('hello')).toMatch(/^250 /);
  client.destroy();
  const plain = await serve(['--store', 'memory:']);
  expect(await (await fetch(`${plain.url}/api/settings`)).json()).toMatchObject({ smtps: null });
});

test('a service has a self-signed certificate when it is ready, and logs that most senders reject it', async () => {
  const mayfly = await serve(['--store', 'memory:', '--tls', 'self-signed', '--domain', 'mail.inbox.example.com']);
  expect(mayfly.log()).toContain(
    'STARTTLS is offered with a self-signed certificate, which most mail libraries reject.',
  );
  const client = await RawClient.greeted(mayfly.smtpPort);
  expect(await client.ask('STARTTLS')).toMatch(/^220 /);
  const secure = await client.startTls();
  expect(secure.getPeerX509Certificate()?.checkHost('mail.inbox.example.com')).toBe('mail.inbox.example.com');
  const tls = { requireTLS: true, tls: { rejectUnauthorized: false } };
  await transportTo(mayfly, tls).sendMail({ from: 'a@app.test', to: 'demo@mail.inbox.example.com', text: 'Hello' });
  expect((await fetchInbox(mayfly, 'demo')).count).toBe(1);
  expect(await mayfly.end('SIGTERM')).toBe(0);
});
