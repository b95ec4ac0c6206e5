/** Tests the log lines that explain why an email does not arrive. */
import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { addressingOf } from '../addressing.js';
import { ManualClock } from '../manual-clock.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestOptions, type TestSmtp } from './start.js';

const MINUTE_MS = 60_000;

/** Time limit for an event to be logged on a busy machine. */
const PATIENCE_MS = 120_000;

const FOREIGN =
  "Refused: This service only accepts mail for inbox.example.com. Start it with --domain '*' to accept any domain.";

let smtp: TestSmtp;
let clock: ManualClock;

async function start(options: TestOptions = {}): Promise<TestSmtp> {
  clock = new ManualClock();
  smtp = await startTestSmtp({ after: (delayMs, wake) => clock.after(delayMs, wake), ...options });
  return smtp;
}

afterEach(async () => await smtp.stop(0));

/** Returns the log lines at the default level. */
const told = () => smtp.logged.filter(({ level }) => level !== 'debug');

const counts = () => told().map(({ facts }) => facts as { kind: string; count: number });

async function refused(times: number): Promise<void> {
  const client = await RawClient.greeted(smtp.port);
  await client.ask('MAIL FROM:<secret-sender@app.test>');
  for (let time = 0; time < times; time += 1) await client.ask('RCPT TO:<secret-name@other.test>');
  client.destroy();
}

describe('a kind of rejection', () => {
  test('is logged immediately the first time, and then as a count once a minute', async () => {
    await start();
    await refused(40);
    expect(told()).toEqual([
      {
        level: 'info',
        facts: { kind: 'foreign-domain', client: '127.0.0.1', reply: '550 5.7.1', count: 1 },
        message: FOREIGN,
      },
    ]);
    await clock.advance(MINUTE_MS - 1);
    expect(told()).toHaveLength(1);
    await clock.advance(1);
    const others = { level: 'info', facts: { kind: 'foreign-domain', count: 39 } };
    expect(told()[1]).toEqual({ ...others, message: `${FOREIGN} (39 more within a minute)` });
    await refused(2);
    await clock.advance(MINUTE_MS);
    await clock.advance(MINUTE_MS);
    expect(counts().map(({ count }) => count)).toEqual([1, 39, 2]);
    // A minute passed without rejections, so the next rejection is logged immediately, not only counted.
    await refused(1);
    expect(counts().map(({ count }) => count)).toEqual([1, 39, 2, 1]);
  });

  test('is logged immediately even if rejections of another kind were logged before', async () => {
    await start();
    const client = await RawClient.greeted(smtp.port);
    await refused(2);
    await client.ask('RCPT TO:<a@inbox.example.com>');
    expect(counts().map(({ kind }) => kind)).toEqual(['foreign-domain', 'mail-first']);
    client.destroy();
  });
});

/** Actions of a client, and the log line for each. */
const EVENTS: readonly [string, RegExp, TestOptions, () => Promise<void>][] = [
  ['foreign-domain', /only accepts mail for inbox\.example\.com/, {}, () => refused(1)],
  [
    'inbox-full',
    /The inbox is full/,
    {},
    async () => {
      smtp.inbox.outcome = async () => 'inbox-full';
      expect(await (await RawClient.greeted(smtp.port)).mail('hello')).toMatch(/^452 /);
    },
  ],
  [
    'tls-ended',
    /does not trust the certificate/,
    {},
    async () => {
      const transport = createTransport({ host: '127.0.0.1', port: smtp.port });
      await expect(transport.sendMail({ from: 'a@app.test', to: 'demo@inbox.example.com' })).rejects.toThrow(
        /self-signed/,
      );
    },
  ],
  [
    'not-smtps',
    /TLS from the first byte/,
    {},
    async () => {
      const transport = createTransport({ host: '127.0.0.1', port: smtp.port, secure: true });
      await expect(transport.sendMail({ from: 'a@app.test', to: 'demo@inbox.example.com' })).rejects.toThrow();
    },
  ],
  [
    'tls-first',
    /only over TLS/,
    { set: { 'smtp-proxy': [parseRange('127.0.0.0/8') as AddressRange] } },
    async () => {
      // Simulates another machine through a proxy.
      const client = await RawClient.open(smtp.port);
      await client.send('PROXY TCP4 192.0.2.1 198.51.100.1 1 2\r\n');
      await client.reply();
      await client.ask('EHLO app.test');
      expect(await client.ask('AUTH PLAIN AHVzZXIAc2VjcmV0')).toMatch(/^538 /);
    },
  ],
  [
    'no-start-tls',
    /STARTTLS is not offered/,
    { tls: null },
    async () => {
      const transport = createTransport({ host: '127.0.0.1', port: smtp.port, requireTLS: true });
      await expect(transport.sendMail({ from: 'a@app.test', to: 'demo@inbox.example.com' })).rejects.toThrow(/502/);
    },
  ],
  [
    'mail-lost',
    /went silent in the middle of a message/,
    { set: { 'smtp-idle': 100 } },
    async () => {
      const client = await RawClient.greeted(smtp.port);
      await client.send('MAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nDATA\r\n');
      await expect.poll(() => client.hasEnded, { timeout: PATIENCE_MS }).toBe(true);
    },
  ],
  [
    'no-mail',
    /^A client sent EHLO or HELO and disconnected without sending mail\. .*: STARTTLS is not offered, and AUTH is offered \(https:\/\/OWNER\.github\.io\/mayfly\/troubleshooting\)\.$/,
    { tls: null },
    async () => (await RawClient.greeted(smtp.port)).destroy(),
  ],
];

test.each(EVENTS)('one line is logged at level info for %s', async (kind, message, options, act) => {
  await start(options);
  await act();
  await expect.poll(counts, { timeout: PATIENCE_MS }).toContainEqual(expect.objectContaining({ kind, count: 1 }));
  expect(told()).toEqual([{ level: 'info', facts: expect.anything(), message: expect.stringMatching(message) }]);
});

/** Clients that cause no log line. */
const SILENT: readonly [string, TestOptions, (client: RawClient) => Promise<unknown>][] = [
  ['only quits', {}, (client) => client.ask('QUIT')],
  [
    'sends an email',
    {},
    async (client) => {
      await client.ask('EHLO app.test');
      expect(await client.mail('hello')).toMatch(/^250 /);
    },
  ],
  [
    'is a load balancer that checks whether the service is up',
    { set: { 'smtp-proxy-lazy': [parseRange('127.0.0.0/8') as AddressRange] } },
    async (client) => {
      await client.send('PROXY UNKNOWN\r\nHELO balancer.test\r\n');
      expect(await client.reply()).toMatch(/^250 /);
      await client.ask('QUIT');
    },
  ],
  [
    'is silent after EHLO and is disconnected',
    { set: { 'smtp-idle': 100 } },
    async (client) => {
      await client.ask('EHLO app.test');
      expect(await client.reply()).toMatch(/^421 4\.4\.2 /);
    },
  ],
];

test.each(SILENT)('no line is logged at level info for a client that %s', async (_, options, act) => {
  await start(options);
  const client = await RawClient.open(smtp.port);
  await client.reply();
  await act(client);
  client.destroy();
  // Waits until the server has handled the end of every connection.
  await smtp.stop(0);
  expect(told()).toEqual([]);
});

test('the log contains no address, inbox name, credentials or content', async () => {
  await start();
  const client = await RawClient.greeted(smtp.port);
  const commands = [
    ...['SECRET command', 'VRFY', 'AUTH PLAIN c2VjcmV0', 'RCPT TO:<secret@inbox.example.com>', 'MAIL FROM:<secret@@>'],
    ...['MAIL FROM:<secret@app.test> X-NOTE=SECRET', 'MAIL FROM:<secret@app.test>', 'RCPT TO:<secret@other.test>'],
    ...[
      'RCPT TO:<.secret@inbox.example.com>',
      'RCPT TO:<secret>',
      'RCPT TO:<secret@inbox.example.com> X-NOTE=SECRET',
      'DATA secret',
    ],
    ...['EHLO sec ret', 'STARTTLS secret', 'QUIT secret', 'RSET secret', 'AUTH SECRET'],
  ];
  for (const command of commands) await client.ask(command);
  await client.ask('RSET');
  await client.mail('Subject: secret\r\n\r\nsecret', 'secret@inbox.example.com');
  client.destroy();
  await smtp.stop(0);
  expect(told().length).toBeGreaterThan(9);
  expect(JSON.stringify(smtp.logged)).not.toMatch(/secret|c2VjcmV0/i);
});

test.each([
  [['a.test'], 'a.test'],
  [['a.test', 'b.test'], 'a.test, b.test'],
  [Array.from({ length: 100 }, (_, n) => `${n}.example.test`), /^0\.example\.test, .*, 17\.example\.test and 82 more$/],
  [[`${'long-label.'.repeat(22)}test`, 'b.test'], /^long-label\..*\.test, b\.test$/],
])('the rejection of a recipient lists the served domains in one SMTP line: %#', async (domains, list) => {
  await start({ domainList: addressingOf(domains).domainList });
  const client = await RawClient.greeted(smtp.port);
  await client.ask('MAIL FROM:<a@app.test>');
  const reply = await client.ask('RCPT TO:<demo@elsewhere.test>');
  const [, listed] =
    /^550 5\.7\.1 This service only accepts mail for (.*)\. Start it with --domain '\*' to accept any domain$/.exec(
      reply,
    ) ?? [];
  expect(listed).toMatch(list);
  expect(reply.length + '\r\n'.length).toBeLessThanOrEqual(512);
  client.destroy();
});
