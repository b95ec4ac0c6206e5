/** Tests the port for implicit TLS (RFC 8314 section 3). */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, test } from 'vitest';
import { AttemptBook } from '../../src/attempts/book.js';
import { shownAttempts } from '../../src/attempts/shown-attempts.js';
import { systemClock } from '../../src/base/clock.js';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { addressingOf } from '../addressing.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestOptions, type TestSmtp, testServer } from './start.js';

const LOOPBACK = parseRange('127.0.0.0/8') as AddressRange;

/** How long the server waits for the first bytes of a client that speaks no TLS. */
const BRIEF_MS = 300;

let smtp: TestSmtp & { readonly tlsPort: number };

afterEach(async () => await smtp?.stop(0));

async function start(options: TestOptions = {}): Promise<void> {
  smtp = (await startTestSmtp({ ...options, set: { 'smtps-port': 0, ...options.set } })) as typeof smtp;
}

const told = () => smtp.logged.filter(({ level }) => level !== 'debug').map(({ message }) => message);

test('the TLS port greets a client under TLS, and accepts its message', async () => {
  const tls = await selfSigned('localhost');
  await start({ tls });
  const transport = createTransport({
    ...{ host: '127.0.0.1', port: smtp.tlsPort, secure: true },
    tls: { ca: tls.cert, servername: 'localhost' },
    auth: { user: 'any', pass: 'thing' },
  });
  const mail = { from: 'a@app.test', to: 'demo@inbox.example.com', subject: 'Hello', text: 'Hello' };
  expect((await transport.sendMail(mail)).response).toBe('250 2.6.0 The mail is stored');
  expect(smtp.inbox.mails).toHaveLength(1);
  expect(told()).toEqual([]);
});

test('the TLS port offers AUTH and no STARTTLS', async () => {
  await start();
  const client = await RawClient.open(smtp.tlsPort);
  await client.startTls();
  expect(await client.reply()).toBe('220 inbox.example.com ESMTP Mayfly');
  const offered = await client.ask('EHLO app.test');
  expect(offered).toMatch(/\n250-AUTH PLAIN /);
  expect(offered).not.toContain('STARTTLS');
  expect(await client.ask('STARTTLS')).toBe('503 5.5.1 TLS is already active');
  client.destroy();
});

test('the TLS port accepts credentials from another machine', async () => {
  const tls = await selfSigned('inbox.example.com');
  const server = testServer({ tls, credentialsNeedTls: true });
  const listener = createServer((socket) => server.accept(socket, '198.51.100.7', true)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = await RawClient.secure((listener.address() as AddressInfo).port);
  expect(await client.ask('AUTH PLAIN AHVzZXIAc2VjcmV0')).toBe('235 2.7.0 Authentication successful');
  client.destroy();
  listener.close();
});

describe('the reply on the wrong port', () => {
  const PLAIN = () =>
    `This port is for TLS from the first byte (SSL, SMTPS): turn it on in the settings of the client, or use port ${smtp.port} for plain SMTP and STARTTLS`;

  const sessions = (book: AttemptBook) => shownAttempts(book.withoutInbox({ after: 0 }), (client) => client);

  test.each([
    ['a client that waits for the greeting', '', { set: { 'smtp-idle': BRIEF_MS } }],
    ['a client that sends first', 'EHLO app.test\r\n', {}],
  ])('names the plain port to a client that uses the TLS port without TLS: %s', async (_, first, options) => {
    const attempts = new AttemptBook(systemClock, addressingOf());
    await start({ observe: [attempts.observe], ...options });
    const client = await RawClient.open(smtp.tlsPort);
    if (first !== '') await client.send(first);
    expect(await client.line()).toBe(`421 4.5.1 ${PLAIN()}`);
    expect(await client.line()).toBeNull();
    expect(told()).toEqual([`Refused: ${PLAIN()}.`]);
    client.destroy();
    await expect
      .poll(() => sessions(attempts), { timeout: 30_000 })
      .toMatchObject([{ outcome: 'tls-only', error: { code: 421, text: PLAIN() } }]);
  });

  test('names the TLS port to a client that starts TLS on the plain port', async () => {
    const attempts = new AttemptBook(systemClock, addressingOf());
    await start({ observe: [attempts.observe] });
    const transport = createTransport({ host: '127.0.0.1', port: smtp.port, secure: true });
    await expect(transport.sendMail({ from: 'a@app.test', to: 'demo@inbox.example.com' })).rejects.toThrow();
    const text = `This port does not support TLS from the first byte (SSL, SMTPS): use port ${smtp.tlsPort} for it, or turn it off in the settings of the client`;
    expect(told()).toEqual([`Refused: ${text}.`]);
    await expect
      .poll(() => sessions(attempts), { timeout: 30_000 })
      .toMatchObject([{ outcome: 'not-smtps', error: { text } }]);
  });

  test('names --smtps-port if a client starts TLS and there is no TLS port', async () => {
    await start({ set: { 'smtps-port': null } });
    const client = await RawClient.open(smtp.port);
    await client.send(Buffer.from('160301', 'hex'));
    expect(await client.reply()).toMatch(/^220 |^421 /);
    await expect
      .poll(told, { timeout: 30_000 })
      .toEqual([
        'Refused: This port does not support TLS from the first byte (SSL, SMTPS): turn it off in the settings of the client, or start the service with --smtps-port.',
      ]);
    client.destroy();
  });
});

describe('implicit TLS through a proxy', () => {
  const HEADER = 'PROXY TCP4 192.0.2.7 198.51.100.1 4711 465\r\n';

  test.each([
    ['if the proxy sends its header first', { 'smtp-proxy': [LOOPBACK] }],
    ['if the proxy sends its header with the first bytes of its client', { 'smtp-proxy-lazy': [LOOPBACK] }],
  ])('begins after the PROXY header, which names the client of the mail: %s', async (_, proxies) => {
    await start({ set: proxies });
    const client = await RawClient.open(smtp.tlsPort);
    await client.send(HEADER);
    await client.startTls();
    expect(await client.reply()).toMatch(/^220 /);
    await client.ask('EHLO app.test');
    expect(await client.mail('hello')).toMatch(/^250 /);
    expect(smtp.inbox.mails.map(({ client: counted }) => counted)).toEqual(['192.0.2.7']);
    client.destroy();
  });
});

test('a limit counts connections to both ports, and the TLS port closes excess ones without a reply', async () => {
  await start({ set: { 'smtp-connections': 1 } });
  const first = await RawClient.greeted(smtp.port);
  const second = await RawClient.open(smtp.tlsPort);
  expect(await second.line()).toBeNull();
  expect(told()).toEqual(['Refused: Too many connections from your address (--smtp-connections): close some first.']);
  first.destroy();
});
