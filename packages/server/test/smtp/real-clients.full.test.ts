/** Clients that people use deliver to the server, as they are installed here. One that is not is skipped, by name. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type TestOptions, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { spaceIn, spaceOf } from '../../src/inbox/spaces/space.js';
import { RateLimiter } from '../../src/limits/rate-limiter.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const run = promisify(execFile);

/** How long a client may take, and how long one that is compiled first, with all that it needs. */
const PATIENCE_MS = 120_000;
const COMPILING_MS = 300_000;

const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-clients-'));
const tls = await selfSigned('localhost');
let smtp: TestSmtp;

beforeEach(async () => {
  smtp = await startTestSmtp({ tls, tlsPort: 0 });
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
    ['with TLS from the first byte', { secure: true, auth }],
    ['with AUTH LOGIN', { ignoreTLS: true, auth, authMethod: 'LOGIN' }],
    ['with AUTH PLAIN', { ignoreTLS: true, auth, authMethod: 'PLAIN' }],
    ['with AUTH CRAM-MD5', { ignoreTLS: true, auth, authMethod: 'CRAM-MD5' }],
    [
      'with AUTH XOAUTH2',
      { ignoreTLS: true, auth: { type: 'OAuth2' as const, user: 'a@app.test', accessToken: 'ya29.x' } },
    ],
    [
      'with delivery status notifications',
      { ignoreTLS: true, dsn: { ret: 'HDRS' as const, notify: 'SUCCESS' as const } },
    ],
  ])('%s', async (_, options) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: 'secure' in options ? (smtp.tlsPort ?? 0) : smtp.port,
      tls: { rejectUnauthorized: false },
      ...options,
    });
    await transport.sendMail({
      envelope: { from: 'a@app.test', to: 'demo@inbox.example.com' },
      dsn: 'dsn' in options ? options.dsn : undefined,
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
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
kind = (lambda *a, **k: smtplib.SMTP_SSL(*a, context=context, **k)) if "ssl" in how else smtplib.SMTP
with kind("127.0.0.1", port, timeout=30) as smtp:
    if "tls" in how:
        smtp.starttls(context=context)
    if "auth" in how:
        smtp.login("any", "thing")
    if "login" in how:
        smtp.user, smtp.password = "any", "thing"
        smtp.ehlo_or_helo_if_needed()
        smtp.auth("LOGIN", smtp.auth_login)
    if "cram" in how:
        smtp.user, smtp.password = "any", "thing"
        smtp.ehlo_or_helo_if_needed()
        smtp.auth("CRAM-MD5", smtp.auth_cram_md5)
    if "xoauth2" in how:
        smtp.ehlo_or_helo_if_needed()
        smtp.auth("XOAUTH2", lambda challenge=None: "user=any\\x01auth=Bearer thing\\x01\\x01", initial_response_ok="asked" not in how)
    with open("${file}", "rb") as mail:
        smtp.sendmail("a@app.test", ["demo@inbox.example.com"], mail.read(), ["BODY=8BITMIME"])
`,
  );
  test.each(['plain', 'tls', 'auth', 'login', 'cram', 'xoauth2', 'xoauth2 asked', 'tls auth', 'ssl', 'ssl auth'])(
    '%s',
    async (how) => {
      const port = how.startsWith('ssl') ? smtp.tlsPort : smtp.port;
      await client('python3', [script, String(port), ...how.split(' ')]);
      expectMail();
    },
  );
});

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
  ])('%s', async (_, more) => {
    await client('curl', [...options(`smtp://127.0.0.1:${smtp.port}`), ...more]);
    expectMail();
  });
  test('with TLS from the first byte', async () => {
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
    ['with TLS from the first byte', ['--tls=on', '--tls-starttls=off', '--tls-certcheck=off']],
    ...['plain', 'cram-md5', 'oauthbearer', 'xoauth2'].map((kind): [string, string[]] => [
      `with AUTH ${kind}`,
      ['--tls=off', `--auth=${kind}`, '--user=any', '--passwordeval=echo thing'],
    ]),
    [
      'with the AUTH that it chooses',
      ['--tls=on', '--tls-certcheck=off', '--auth=on', '--user=any', '--passwordeval=echo thing'],
    ],
  ])('%s', async (_, more) => {
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

/** A client that is not told a mechanism chooses one that sends the password. */
describe('with spaces, a client signs in by what it chooses', () => {
  const credentials = { user: 'run-1', password: 'secret-of-one' };
  const account = `${credentials.user}:${credentials.password}`;
  const to = 'demo@inbox.example.com';
  const send = `
import smtplib, sys
with smtplib.SMTP("127.0.0.1", int(sys.argv[1]), timeout=30) as smtp:
    smtp.login(*"${account}".split(":"))
    smtp.sendmail("a@app.test", ["${to}"], open("${file}", "rb").read())
`;
  const auth = ['--user=run-1', '--passwordeval=echo secret-of-one'];
  type Deliver = (port: number) => Promise<unknown>;
  const clients: readonly [string, TestOptions, Deliver][] = [
    [
      'nodemailer',
      {},
      (port) =>
        createTransport({
          ...{ host: '127.0.0.1', port, ignoreTLS: true },
          auth: { user: credentials.user, pass: credentials.password },
        }).sendMail({ envelope: { from: 'a@app.test', to }, raw: message.join('\r\n') }),
    ],
    ['smtplib (python3)', needs('python3'), (port) => client('python3', ['-c', send, String(port)])],
    [
      'curl',
      needs('curl'),
      (port) =>
        client('curl', [
          ...['--silent', '--show-error', '--url', `smtp://127.0.0.1:${port}/app.test`, '--upload-file', file],
          ...['--mail-from', 'a@app.test', '--mail-rcpt', to, '--user', account],
        ]),
    ],
    [
      'swaks',
      needs('swaks'),
      (port) =>
        client('swaks', [
          ...['--server', '127.0.0.1', '--port', String(port), '--from', 'a@app.test', '--to', to, '--silent', '2'],
          ...['--data', `@${fileOfLineFeeds}`, '--auth'],
          ...['--auth-user', credentials.user, '--auth-password', credentials.password],
        ]),
    ],
    ...['plain', 'oauthbearer', 'xoauth2'].map((kind): [string, TestOptions, Deliver] => [
      `msmtp with ${kind}`,
      needs('msmtp'),
      (port) =>
        client('sh', [
          ...['-c', `msmtp "$@" < '${fileOfLineFeeds}'`, 'msmtp', '--file=/dev/null', '--host=127.0.0.1'],
          ...[`--port=${port}`, '--from=a@app.test', '--tls=off', `--auth=${kind}`, ...auth, '--', to],
        ]),
    ]),
  ];
  for (const [name, options, deliver] of clients) {
    test(name, options, async () => {
      const spaces = await startTestSmtp({ tls, spaceRate: new RateLimiter(null) });
      try {
        await deliver(spaces.port);
        const inboxes = spaces.inbox.mails.flatMap(({ recipients }) => recipients.map(({ inbox }) => spaceIn(inbox)));
        expect(inboxes).toEqual([spaceOf(credentials)]);
      } finally {
        await spaces.stop(0);
      }
    });
  }
});
