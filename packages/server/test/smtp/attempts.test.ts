/** Tests the delivery log for SMTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AttemptBook } from '../../src/attempts/book.js';
import { countsOf, shownAttempts } from '../../src/attempts/shown-attempts.js';
import { systemClock } from '../../src/base/clock.js';
import { limiterOf } from '../../src/limits/rate-limiter.js';
import { addressingOf } from '../addressing.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestOptions, type TestSmtp } from './start.js';

let smtp: TestSmtp;
let book: AttemptBook;

afterEach(async () => {
  await smtp?.stop(0);
});

async function start(options: TestOptions = {}): Promise<void> {
  book = new AttemptBook(systemClock, addressingOf());
  smtp = await startTestSmtp({ observe: [book.observe], ...options });
}

const over = () => book.since(0, null).filter(({ attempt }) => !attempt.isOpen);

/** Sends lines and disconnects. Resolves when the server has recorded the connection. */
async function talk(...lines: readonly string[]): Promise<void> {
  const before = over().length;
  const client = await RawClient.open(smtp.port);
  await client.reply();
  for (const line of lines) await client.ask(line);
  client.destroy();
  await vi.waitFor(() => expect(over().length).toBeGreaterThan(before), { timeout: 120_000 });
}

const of = (inbox: string) => shownAttempts(book.ofInbox(inbox, { after: 0 }), (client) => client);
const sessions = () => shownAttempts(book.withoutInbox({ after: 0 }), (client) => client);

describe('the delivery log of a recipient', () => {
  test('contains the receivedAt of a stored message, and the times of its stages in order', async () => {
    await start();
    const mail = { from: 'app@app.test', to: ['a@inbox.example.com', 'b@inbox.example.com'], text: 'Hello' };
    await createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true }).sendMail(mail);
    const [attempt] = of('a');
    expect(attempt).toMatchObject({
      ...{ way: 'smtp', client: '127.0.0.1', tls: 'no', auth: 'no', lastCommand: 'DATA' },
      ...{ from: 'app@app.test', to: 'a@inbox.example.com', outcome: 'kept', error: null },
      receivedAt: new Date(smtp.inbox.mails[0]?.receivedAt ?? 0).toISOString(),
    });
    const { connect, rcpt, data, content, kept, handedOut } = attempt?.stages ?? {};
    expect(connect).toBeGreaterThanOrEqual(0);
    expect([rcpt, data, content, kept]).toEqual([rcpt, data, content, kept].toSorted((a, b) => Number(a) - Number(b)));
    expect(handedOut).toBe(null);
    expect(of('b')).toMatchObject([{ to: 'b@inbox.example.com', outcome: 'kept' }]);
    expect(sessions()).toEqual([]);
  });

  test('lists a recipient in a refused domain under the inbox with the name before the @', async () => {
    await start();
    await talk('EHLO app.test', 'MAIL FROM:<app@app.test>', 'RCPT TO:<"Sign-Up"@example.com>', 'QUIT');
    expect(of('sign-up')).toMatchObject([
      { to: '"Sign-Up"@example.com', outcome: 'foreign-domain', error: { code: 550, enhanced: '5.7.1' } },
    ]);
  });

  test('lists a RCPT that a client pipelined after a refused MAIL command', async () => {
    await start({ mailRate: limiterOf({ count: 1, windowMs: 3_600_000 }) });
    await talk('EHLO app.test', 'MAIL FROM:<app@app.test>');
    await talk('EHLO app.test', 'MAIL FROM:<app@app.test>', 'RCPT TO:<a@inbox.example.com>');
    expect(of('a')).toMatchObject([{ outcome: 'too-many-mails', error: { code: 451 } }]);
  });

  test('lists why the store refused a message', async () => {
    await start();
    smtp.inbox.outcome = async () => 'inbox-full';
    const mail = { from: 'app@app.test', to: 'a@inbox.example.com', text: 'Hello' };
    const sent = createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true }).sendMail(mail);
    await expect(sent).rejects.toThrow('452');
    expect(of('a')).toMatchObject([{ outcome: 'inbox-full', stages: { kept: null } }]);
    expect(of('a')[0]?.stages.content).not.toBe(null);
  });

  test('distinguishes whether a client disconnects before the content or during the content', async () => {
    await start();
    const begun = ['EHLO app.test', 'MAIL FROM:<app@app.test>', 'RCPT TO:<a@inbox.example.com>'];
    await talk(...begun);
    await talk(...begun, 'DATA');
    expect(of('a').map(({ outcome }) => outcome)).toEqual(['mail-lost', 'no-data']);
  });

  test('keeps at most 320 characters of an address', async () => {
    await start();
    await talk('EHLO app.test', 'MAIL FROM:<>', `RCPT TO:<${'x'.repeat(10_000)}@inbox.example.com>`);
    expect(sessions()[0]?.to).toHaveLength(320);
  });
});

describe('the delivery log of sessions without a message', () => {
  test.each<[what: string, outcome: string, lines: string[]]>([
    ['connected and left', 'no-command', []],
    ['left after EHLO', 'no-mail', ['EHLO app.test', 'QUIT']],
    ['asked for HTTP', 'not-http', ['GET / HTTP/1.1']],
    ['a mechanism that is not offered', 'unknown-mechanism', ['EHLO app.test', 'AUTH DIGEST-MD5']],
    ['invalid credentials', 'bad-credentials', ['EHLO app.test', 'AUTH PLAIN !']],
    ['an unknown command', 'unknown-command', ['EHLO app.test', 'SECRET']],
  ])('lists a session without a recipient: %s', async (_what, outcome, lines) => {
    await start();
    await talk(...lines);
    expect(sessions()).toMatchObject([{ outcome, to: null, from: null }]);
    expect(JSON.stringify(sessions())).not.toContain('SECRET');
  });

  test('says that TLS is in use and that credentials were accepted, without naming the credentials', async () => {
    await start();
    const transport = createTransport({
      ...{ host: '127.0.0.1', port: smtp.port, requireTLS: true, tls: { rejectUnauthorized: false } },
      auth: { user: 'any', pass: 'thing' },
    });
    await transport.sendMail({ from: 'app@app.test', to: 'a@inbox.example.com', text: 'Hello' });
    expect(of('a')).toMatchObject([{ tls: 'yes', auth: 'accepted', outcome: 'kept' }]);
    expect(JSON.stringify(of('a'))).not.toContain('thing');
  });

  test('lists a connection that a limit refused', async () => {
    await start({ set: { 'smtp-connections': 1 } });
    const first = await RawClient.greeted(smtp.port);
    const second = connect(smtp.port, '127.0.0.1').resume();
    await once(second, 'close');
    expect(sessions()).toMatchObject([
      { outcome: 'open', lastCommand: 'EHLO' },
      { outcome: 'too-many-connections', lastCommand: null },
    ]);
    first.destroy();
  });

  test('lists a client from the moment it connects, with its last command', async () => {
    await start();
    const client = await RawClient.open(smtp.port);
    await client.reply();
    expect(sessions()).toMatchObject([{ outcome: 'open', lastCommand: null, error: null }]);
    await client.ask('EHLO app.test');
    expect(sessions()).toMatchObject([{ outcome: 'open', lastCommand: 'EHLO' }]);
    expect(countsOf(book.since(0, '127.0.0.1'))).toEqual({ open: 1 });
    client.destroy();
    await vi.waitFor(() => expect(sessions()).toMatchObject([{ outcome: 'no-mail' }]), { timeout: 50_000 });
    expect(over()).toHaveLength(1);
  });

  test.each<[client: string, lines: string[]]>([
    ['a Go client, which continues with an asterisk', ['AUTH GSSAPI', '*', 'QUIT']],
    ['a client that sends an unknown command first', ['XCLIENT a', 'AUTH GSSAPI', 'QUIT']],
    ['a client that sends more commands afterwards', ['AUTH GSSAPI', 'VRFY', 'QUIT']],
  ])('the reason is the refused AUTH command, and no other refusal: %s', async (_client, lines) => {
    await start({ tls: null });
    await talk('EHLO app.test', ...lines);
    expect(sessions()).toMatchObject([{ outcome: 'unknown-mechanism', error: { code: 504 }, lastCommand: 'QUIT' }]);
  });

  test('distinguishes a connection test of a sending client from a client that gives up', async () => {
    await start({ tls: null });
    const transport = createTransport({ host: '127.0.0.1', port: smtp.port });
    await transport.verify();
    await vi.waitFor(() => expect(sessions()).toMatchObject([{ outcome: 'no-mail' }]), { timeout: 50_000 });
    await transport.sendMail({ from: 'app@app.test', to: 'a@inbox.example.com', text: 'Hello' });
    await vi.waitFor(() => expect(sessions()).toMatchObject([{ outcome: 'tested' }]), { timeout: 50_000 });
    expect(countsOf(book.since(0, null))).toEqual({ kept: 1, tested: 1 });
  });
});

describe('the delivery log of the reply to a stored message', () => {
  test('lists the reply as lost if the client disconnects before the server sends it', async () => {
    await start();
    const store = smtp.inbox.hold();
    const client = await RawClient.greeted(smtp.port);
    for (const line of ['MAIL FROM:<app@app.test>', 'RCPT TO:<a@inbox.example.com>', 'DATA']) await client.ask(line);
    await client.send('Subject: Hello\r\n\r\nHello\r\n.\r\n');
    await vi.waitFor(() => expect(of('a')[0]?.stages.content).not.toBe(null), { timeout: 50_000 });
    client.reset();
    store('stored');
    await vi.waitFor(() => expect(of('a')).toMatchObject([{ outcome: 'kept', reply: 'lost' }]), { timeout: 50_000 });
  });
});

test('the delivery log lists at most 100 recipients of a message if --max-recipients is 100', async () => {
  await start({ set: { 'max-recipients': 100 } });
  const client = await RawClient.greeted(smtp.port);
  await client.ask('MAIL FROM:<app@app.test>');
  for (let n = 0; n < 300; n += 1) await client.ask(`RCPT TO:<r-${n}@inbox.example.com>`);
  await client.ask('RSET');
  expect(countsOf(book.since(0, null))).toEqual({ 'no-data': 100 });
  client.destroy();
});
