/** Postfix relays to the server, as a mail system in front of it does. Skipped where Postfix, or the right to start it, is not. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const run = promisify(execFile);

/** How long Postfix may take to start and to deliver. */
const PATIENCE_MS = 40_000;

/** What Postfix needs to relay, and to take mails from SMTP at a port of its own. */
const services = (port: number) =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'smtp unix - - n - - smtp',
    ...['error', 'retry'].map((name) => `${name} unix - - n - - error`),
    'scache unix - - n - 1 scache',
    'anvil unix - - n - 1 anvil',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'proxymap unix - - n - - proxymap',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');

const isThere = await run('postconf', ['-d', 'mail_version']).then(
  () => process.getuid?.() === 0,
  () => false,
);

let smtp: TestSmtp;
let folder: string;

beforeEach(async () => {
  smtp = await startTestSmtp();
  folder = mkdtempSync(path.join(tmpdir(), 'mayfly-postfix-'));
  chmodSync(folder, 0o755);
});

afterEach(async () => {
  await run('postfix', ['-c', path.join(folder, 'etc'), 'stop']).catch(() => {});
  rmSync(folder, { recursive: true });
  await smtp.stop(0);
});

/** Starts Postfix, which takes mail at a port of loopback and relays all of it to the server. */
async function startPostfix(port: number, more: readonly string[]): Promise<void> {
  for (const name of ['etc', 'queue', 'data']) mkdirSync(path.join(folder, name));
  await run('chown', ['postfix', path.join(folder, 'data')]);
  const settings = [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${folder}/queue/log`,
    `maillog_file_prefixes = ${folder}`,
    'inet_interfaces = loopback-only',
    'inet_protocols = ipv4',
    'mydestination =',
    'myhostname = app.test',
    'mynetworks = 127.0.0.0/8',
    `relayhost = [127.0.0.1]:${smtp.port}`,
    ...more,
    '',
  ];
  writeFileSync(path.join(folder, 'etc', 'main.cf'), settings.join('\n'));
  writeFileSync(path.join(folder, 'etc', 'master.cf'), services(port));
  await run('postfix', ['-c', path.join(folder, 'etc'), 'start']);
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const other = await startTestSmtp();
  await other.stop(0);
  return other.port;
}

describe.skipIf(!isThere)('Postfix (as root)', () => {
  test.each<[string, string[]]>([
    ['in clear', ['smtp_tls_security_level = none']],
    ['under TLS', ['smtp_tls_security_level = encrypt']],
  ])('relays %s, byte for byte', { timeout: 2 * PATIENCE_MS }, async (_, settings) => {
    const port = await freePort();
    await startPostfix(port, settings);
    let sender: RawClient | undefined;
    await expect
      .poll(async () => (sender = await RawClient.open(port).catch(() => undefined)), { timeout: PATIENCE_MS })
      .toBeDefined();
    expect(await sender?.reply()).toMatch(/^220 /);
    await sender?.ask('EHLO app.test');
    for (const number of [1, 2, 3]) {
      expect(await sender?.mail(`Subject: ${number}\r\n\r\n..\r\n...\r\nGr\xFC\xDFe\r\nlast`)).toMatch(/^250 /);
    }
    sender?.destroy();
    await expect.poll(() => smtp.inbox.mails.length, { timeout: PATIENCE_MS }).toBe(3);
    const raws = smtp.inbox.mails.map(({ raw }) => Buffer.from(raw).toString());
    expect(raws.map((raw) => /^Subject: (\d)/m.exec(raw)?.[1]).sort()).toEqual(['1', '2', '3']);
    for (const raw of raws) expect(raw).toMatch(/\r\n\r\n\.\r\n\.\.\r\nGr\xFC\xDFe\r\nlast\r\n$/);
    expect(smtp.logged.filter(({ level }) => level !== 'debug' && level !== 'info')).toEqual([]);
  });
});
