import { createTransport } from 'nodemailer';
import { afterEach, expect, test } from 'vitest';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

let smtp: TestSmtp | undefined;

afterEach(async () => await smtp?.stop(0));

const mail = { from: 'a@app.test', to: 'demo@inbox.example.com', subject: 'Hello', text: '..\n.dot\nlast' };

test('STARTTLS serves the given certificate to a client that trusts it', async () => {
  const tls = await selfSigned('localhost');
  smtp = await startTestSmtp({ tls });
  expect(smtp.logged).toEqual([]);
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtp.port,
    requireTLS: true,
    tls: { ca: tls.cert, servername: 'localhost', maxVersion: 'TLSv1.2' },
    auth: { user: 'any', pass: 'thing' },
  });
  expect((await transport.sendMail(mail)).response).toBe('250 2.6.0 The mail is stored');
  expect(Buffer.from(smtp.inbox.mails[0]?.raw ?? []).toString()).toMatch(/\r\n\r\n\.\.\r\n\.dot\r\nlast\r\n$/);
});

test('a broken certificate stops the start with an error message', async () => {
  await expect(startTestSmtp({ tls: { cert: 'no', key: 'no' } })).rejects.toThrow(
    'The TLS certificate cannot be used: certificate and key must be PEM, and the key must match.',
  );
});

test('TLS before 1.2 is rejected, and a failed handshake is logged at debug level', async () => {
  smtp = await startTestSmtp();
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtp.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
  });
  await expect(transport.sendMail(mail)).rejects.toThrow();
  const { logged } = smtp;
  await expect
    .poll(() => logged.map(({ level, message }) => `${level}: ${message}`))
    .toContain('debug: An SMTP connection failed.');
  expect(logged.filter(({ level }) => level !== 'debug' && level !== 'info')).toEqual([]);
  const client = await RawClient.greeted(smtp.port);
  expect(await client.mail('hello')).toMatch(/^250 /);
  client.destroy();
});

test('cleartext commands after STARTTLS are never executed, and the connection is closed', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  expect(await client.ask('STARTTLS')).toMatch(/^220 /);
  await client.send('EHLO evil.test\r\nMAIL FROM:<evil@app.test>\r\n');
  expect(await client.line()).toBeNull();
  expect(client.unread).not.toMatch(/250|421|50\d/);
});

test('renegotiation of TLS is rejected (CVE-2011-1473)', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  await client.ask('STARTTLS');
  const socket = await client.startTls({ maxVersion: 'TLSv1.2' });
  expect(await client.ask('NOOP')).toMatch(/^250 /);
  socket.renegotiate({ rejectUnauthorized: false }, () => {});
  expect(await client.line()).toBeNull();
  expect(smtp.logged.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
});

test('a client that sends a message and closes its side of the TLS connection still gets the 250', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  await client.ask('STARTTLS');
  await client.startTls();
  await client.ask('EHLO app.test');
  await client.begin();
  await client.send('hello\r\n.\r\n');
  await client.half();
  expect(await client.line()).toBe('250 2.6.0 The mail is stored');
  expect(await client.line()).toBeNull();
});
