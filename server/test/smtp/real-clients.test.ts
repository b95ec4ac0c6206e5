/** Clients that people use deliver to the server, as they are installed here. One that is not is skipped, by name. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const run = promisify(execFile);

/** How long a client may take, and how long one that is compiled first, with all that it needs. */
const PATIENCE_MS = 50_000;
const COMPILING_MS = 300_000;

const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-clients-'));
const tls = await selfSigned('localhost');
let smtp: TestSmtp;

beforeEach(async () => {
  smtp = await startTestSmtp({ tls });
});

afterEach(async () => await smtp.stop(0));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines that are dots, and a line that is long, arrive as they were sent. */
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

/** One mail came, once, and is what was sent. */
function expectMail(): void {
  expect(
    smtp.inbox.mails.map(({ envelopeFrom, recipients }) => [envelopeFrom, ...recipients.map(({ to }) => to)]),
  ).toEqual([['a@app.test', 'demo@inbox.example.com']]);
  const raw = Buffer.from(smtp.inbox.mails[0]?.raw ?? []).toString();
  expect(raw).toContain(`\r\n\r\n${TEXT.join('\r\n')}\r\n`);
  expect(smtp.logged.filter(({ level }) => level !== 'debug')).toEqual([]);
}

describe('nodemailer', () => {
  const auth = { user: 'any', pass: 'thing' };
  test.each([
    ['in clear', { ignoreTLS: true }],
    ['under TLS', { requireTLS: true, auth }],
    ['with AUTH LOGIN', { ignoreTLS: true, auth, authMethod: 'LOGIN' }],
    ['with AUTH PLAIN', { ignoreTLS: true, auth, authMethod: 'PLAIN' }],
  ])('%s', async (_, options) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: smtp.port,
      tls: { rejectUnauthorized: false },
      ...options,
    });
    await transport.sendMail({
      envelope: { from: 'a@app.test', to: 'demo@inbox.example.com' },
      raw: message.join('\r\n'),
    });
    expectMail();
  });
});

describe('smtplib (python3)', needs('python3'), () => {
  const script = path.join(folder, 'send.py');
  writeFileSync(
    script,
    `
import smtplib, ssl, sys
port, how = int(sys.argv[1]), sys.argv[2:]
with smtplib.SMTP("127.0.0.1", port, timeout=30) as smtp:
    if "tls" in how:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        smtp.starttls(context=context)
    if "auth" in how:
        smtp.login("any", "thing")
    if "login" in how:
        smtp.user, smtp.password = "any", "thing"
        smtp.ehlo_or_helo_if_needed()
        smtp.auth("LOGIN", smtp.auth_login)
    with open("${file}", "rb") as mail:
        smtp.sendmail("a@app.test", ["demo@inbox.example.com"], mail.read(), ["BODY=8BITMIME"])
`,
  );
  test.each(['plain', 'tls', 'auth', 'login', 'tls auth'])('%s', async (how) => {
    await client('python3', [script, String(smtp.port), ...how.split(' ')]);
    expectMail();
  });
});

describe('curl', needs('curl'), () => {
  const options = (port: number) => [
    ...['--silent', '--show-error', '--url', `smtp://127.0.0.1:${port}/app.test`, '--upload-file', file],
    ...['--mail-from', 'a@app.test', '--mail-rcpt', 'demo@inbox.example.com'],
  ];
  test.each<[string, string[]]>([
    ['in clear', []],
    ['under TLS', ['--ssl-reqd', '--insecure']],
    ['with AUTH', ['--user', 'any:thing']],
    ['with AUTH LOGIN under TLS', ['--ssl-reqd', '--insecure', '--user', 'any:thing', '--login-options', 'AUTH=LOGIN']],
  ])('%s', async (_, more) => {
    await client('curl', [...options(smtp.port), ...more]);
    expectMail();
  });
});

describe('swaks', needs('swaks'), () => {
  test.each<[string, string[]]>([
    ['in clear', []],
    ['with commands in groups', ['--pipeline']],
    ['with AUTH PLAIN', ['--auth', 'PLAIN', '--auth-user', 'any', '--auth-password', 'thing']],
    ['with AUTH LOGIN', ['--auth', 'LOGIN', '--auth-user', 'any', '--auth-password', 'thing']],
    ['with HELO', ['--protocol', 'SMTP']],
  ])('%s', async (_, more) => {
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
    ['with AUTH', ['--tls=off', '--auth=plain', '--user=any', '--passwordeval=echo thing']],
  ])('%s', async (_, more) => {
    const to = [
      '--host=127.0.0.1',
      `--port=${smtp.port}`,
      '--from=a@app.test',
      ...more,
      '--',
      'demo@inbox.example.com',
    ];
    await client('sh', ['-c', `msmtp "$@" < '${fileOfLineFeeds}'`, 'msmtp', '--file=/dev/null', ...to]);
    expectMail();
  });
});

describe('net/smtp (go)', needs('go'), () => {
  const program = path.join(folder, 'send.go');
  writeFileSync(
    program,
    `package main

import ("crypto/tls"; "net/smtp"; "os")

func must(err error) { if err != nil { panic(err) } }

func main() {
	client, err := smtp.Dial("127.0.0.1:" + os.Args[1])
	must(err)
	if os.Args[2] != "plain" { must(client.StartTLS(&tls.Config{InsecureSkipVerify: true})) }
	if os.Args[2] == "auth" { must(client.Auth(smtp.PlainAuth("", "any", "thing", "127.0.0.1"))) }
	must(client.Mail("a@app.test"))
	must(client.Rcpt("demo@inbox.example.com"))
	writer, err := client.Data()
	must(err)
	mail, err := os.ReadFile("${file}")
	must(err)
	_, err = writer.Write(mail)
	must(err)
	must(writer.Close())
	must(client.Quit())
}
`,
  );
  const compiled = path.join(folder, 'send');
  beforeAll(async () => await client('go', ['build', '-o', compiled, program], COMPILING_MS), COMPILING_MS);
  test.each(['plain', 'tls', 'auth'])('%s', async (how) => {
    await client(compiled, [String(smtp.port), how]);
    expectMail();
  });
});
