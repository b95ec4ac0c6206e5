import type { SecureContext } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selfSigned } from '../../src/smtp/certificate.js';
import type { SmtpServer } from '../../src/smtp/engine/smtp-server.js';
import { secureContextOf } from '../../src/smtp/engine/tls.js';
import { RawClient } from './client.js';
import { Collector, testServer } from './start.js';

const tls = await selfSigned('inbox.test');

let server: SmtpServer;
let inbox: Collector;
let client: RawClient;
/** Ends the wait for the certificate. */
let give: (context: SecureContext | null) => void;

beforeEach(async () => {
  const later = new Promise<SecureContext | null>((resolve) => {
    give = resolve;
  });
  inbox = new Collector();
  server = testServer({ tls, inbox }, { secureContext: () => later });
  const { port } = await server.listen(0, '127.0.0.1');
  client = await RawClient.greeted(port);
});

afterEach(() => server.stop(0));

test('STARTTLS waits for a certificate that is being made', async () => {
  await client.send('STARTTLS\r\n');
  expect(client.unread).toBe('');
  give(secureContextOf(tls));
  expect(await client.reply()).toMatch(/^220 /);
  await client.startTls();
  expect(await client.ask('EHLO app.test')).toMatch(/^250/);
  expect(await client.mail('hello')).toMatch(/^250 /);
});

test('what came in clear meanwhile is never run (RFC 3207 section 4.2)', async () => {
  await client.send('STARTTLS\r\nEHLO evil.test\r\n');
  await client.send('MAIL FROM:<evil@app.test>\r\nRCPT TO:<demo@inbox.test>\r\n');
  give(secureContextOf(tls));
  expect(await client.reply()).toMatch(/^220 /);
  expect(client.unread).toBe('');
  await client.startTls();
  expect(await client.ask('DATA')).toMatch(/^503 /);
  expect(await client.ask('EHLO app.test')).toMatch(/^250/);
  expect(await client.mail('hello')).toMatch(/^250 /);
  // What waits is looked at again after a mail.
  expect(await client.ask('VRFY demo')).toMatch(/^252 /);
  expect(inbox.mails.map(({ envelopeFrom }) => envelopeFrom)).toEqual(['a@app.test']);
});

test('without one, the client is told, and what it sent meanwhile is answered', async () => {
  await client.send('STARTTLS\r\nNOOP\r\n');
  give(null);
  expect(await client.reply()).toMatch(/^454 4\.7\.0 /);
  expect(await client.reply()).toMatch(/^250 /);
});

test('a service that stops lets nobody wait for one', async () => {
  await client.send('STARTTLS\r\n');
  const stopped = server.stop(600_000);
  expect(await client.reply()).toMatch(/^421 4\.3\.2 /);
  expect(await client.line()).toBeNull();
  await stopped;
  give(secureContextOf(tls));
});

test('a client that closes its side meanwhile is answered and let go', async () => {
  await client.send('STARTTLS\r\n');
  await client.half();
  give(secureContextOf(tls));
  expect(await client.reply()).toMatch(/^220 /);
  expect(await client.line()).toBeNull();
});

test('a client that is gone when it comes leaves nothing behind', async () => {
  await client.send('STARTTLS\r\n');
  client.reset();
  expect(await client.line()).toBeNull();
  give(secureContextOf(tls));
  await server.stop(600_000);
});
