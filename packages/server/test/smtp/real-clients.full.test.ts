/** Tests the real mail clients that are installed on this machine. Reports each missing client as skipped. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const run = promisify(execFile);

/** Time limit for a client, including compilation. */
const PATIENCE_MS = 600_000;
const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-clients-'));
const tls = await selfSigned('localhost');
let smtp: TestSmtp;

beforeEach(async () => {
  smtp = await startTestSmtp({ tls, set: { 'smtps-port': 0 } });
});

afterEach(async () => await smtp.stop(0));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines of dots and a long line, which must arrive unchanged. */
const TEXT = ['Hello', '.', '..', '.hidden', `${'long '.repeat(150)}`, 'last'];
const message = [
  'From: a@app.test',
  'To: demo@inbox.example.com',
  'Subject: Hello',
  'Message-ID: <1@app.test>',
  'Date: Sat, 31 Jan 2026 09:30:00 +0000',
  '',
  ...TEXT,
  '',
];
const file = path.join(folder, 'message.eml');
writeFileSync(file, message.join('\r\n'));
const fileOfLineFeeds = path.join(folder, 'message.txt');
writeFileSync(fileOfLineFeeds, message.join('\n'));

async function client(program: string, args: readonly string[], timeout = PATIENCE_MS): Promise<void> {
  await run(program, args, { timeout, cwd: folder });
}

/** Expects that the message arrived once and unchanged. */
function expectMail(): void {
  expect(
    smtp.inbox.mails.map(({ envelopeFrom, recipients }) => [envelopeFrom, ...recipients.map(({ to }) => to)]),
  ).toEqual([['a@app.test', 'demo@inbox.example.com']]);
  const raw = Buffer.from(smtp.inbox.mails[0]?.raw ?? []).toString();
  expect(raw).toContain(`\r\n\r\n${TEXT.join('\r\n')}\r\n`);
  expect(smtp.logged.filter(({ level }) => level !== 'debug')).toEqual([]);
}

describe('curl', needs('curl'), () => {
  const options = (url: string) => [
    ...['--silent', '--show-error', '--url', `${url}/app.test`, '--upload-file', file],
    ...['--mail-from', 'a@app.test', '--mail-rcpt', 'demo@inbox.example.com'],
  ];
  test.each<[string, string[]]>([
    ['in clear', []],
    ['under TLS', ['--ssl-reqd', '--insecure']],
    ['with AUTH', ['--user', 'any:thing']],
    ['with AUTH CRAM-MD5', ['--user', 'any:thing', '--login-options', 'AUTH=CRAM-MD5']],
    ['with AUTH OAUTHBEARER', ['--user', 'any', '--oauth2-bearer', 'ya29.x']],
    ['with AUTH XOAUTH2', ['--user', 'any', '--oauth2-bearer', 'ya29.x', '--login-options', 'AUTH=XOAUTH2']],
    ['with AUTH LOGIN under TLS', ['--ssl-reqd', '--insecure', '--user', 'any:thing', '--login-options', 'AUTH=LOGIN']],
  ])('delivers a message %s', async (_, more) => {
    await client('curl', [...options(`smtp://127.0.0.1:${smtp.port}`), ...more]);
    expectMail();
  });
  test('delivers a message with TLS from the first byte', async () => {
    await client('curl', [...options(`smtps://127.0.0.1:${smtp.tlsPort}`), '--insecure', '--user', 'any:thing']);
    expectMail();
  });
});

describe('swaks', needs('swaks'), () => {
  test.each<[string, string[]]>([
    ['in clear', []],
    ['with commands in groups', ['--pipeline']],
    ['with AUTH PLAIN', ['--auth', 'PLAIN', '--auth-user', 'any', '--auth-password', 'thing']],
    ['with AUTH LOGIN', ['--auth', 'LOGIN', '--auth-user', 'any', '--auth-password', 'thing']],
    ['with AUTH CRAM-MD5', ['--auth', 'CRAM-MD5', '--auth-user', 'any', '--auth-password', 'thing']],
    ['with the AUTH that it chooses', ['--auth', '--auth-user', 'any', '--auth-password', 'thing']],
    ['with HELO', ['--protocol', 'SMTP']],
  ])('delivers a message %s', async (_, more) => {
    const to = [
      '--server',
      '127.0.0.1',
      '--port',
      String(smtp.port),
      '--from',
      'a@app.test',
      '--to',
      'demo@inbox.example.com',
    ];
    await client('swaks', [...to, '--silent', '2', '--data', `@${fileOfLineFeeds}`, ...more]);
    expectMail();
  });
});

describe('msmtp', needs('msmtp'), () => {
  test.each<[string, string[]]>([
    ['in clear', ['--tls=off']],
    ['under TLS', ['--tls=on', '--tls-starttls=on', '--tls-certcheck=off']],
    ['with TLS from the first byte', ['--tls=on', '--tls-starttls=off', '--tls-certcheck=off']],
    ...['plain', 'cram-md5', 'oauthbearer', 'xoauth2'].map((kind): [string, string[]] => [
      `with AUTH ${kind}`,
      ['--tls=off', `--auth=${kind}`, '--user=any', '--passwordeval=echo thing'],
    ]),
    [
      'with the AUTH that it chooses',
      ['--tls=on', '--tls-certcheck=off', '--auth=on', '--user=any', '--passwordeval=echo thing'],
    ],
  ])('delivers a message %s', async (_, more) => {
    const to = [
      '--host=127.0.0.1',
      `--port=${more.includes('--tls-starttls=off') ? smtp.tlsPort : smtp.port}`,
      '--from=a@app.test',
      ...more,
      '--',
      'demo@inbox.example.com',
    ];
    await client('sh', ['-c', `msmtp "$@" < '${fileOfLineFeeds}'`, 'msmtp', '--file=/dev/null', ...to]);
    expectMail();
  });
});
