import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

/** A grace period longer than any test. A stop that resolves within a test has not waited until the period ended. */
const LONG_MS = 600_000;

const STOPPING = '421 4.3.2 The service is stopping: try again in a moment';

let smtp: TestSmtp;

afterEach(async () => await smtp?.stop(0));

test('a stop sends 421 to clients that are sending no message, and does not wait for them', async () => {
  smtp = await startTestSmtp();
  expect(smtp.isListening).toBe(true);
  const fresh = await RawClient.greeted(smtp.port);
  const begun = await RawClient.greeted(smtp.port);
  await begun.ask('MAIL FROM:<a@app.test>');
  const sealed = await RawClient.greeted(smtp.port);
  await sealed.ask('STARTTLS');
  await sealed.startTls();
  await sealed.ask('NOOP');
  await smtp.stop(LONG_MS);
  expect(smtp.isListening).toBe(false);
  for (const client of [fresh, begun, sealed]) {
    expect(await client.line()).toBe(STOPPING);
    expect(await client.line()).toBeNull();
  }
});

test('a stop lets an arriving message finish, and accepts none after it', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('half of it, ');
  const stopped = smtp.stop(LONG_MS);
  await client.send('and the other half\r\n.\r\nMAIL FROM:<b@app.test>\r\n');
  expect(await client.line()).toBe('250 2.6.0 The mail is stored');
  expect(await client.line()).toBe(STOPPING);
  expect(await client.line()).toBeNull();
  await stopped;
  expect(Buffer.from(smtp.inbox.mails[0]?.raw ?? []).toString()).toBe('half of it, and the other half\r\n');
});

test('a stop waits for the reply to a message that is being stored', async () => {
  smtp = await startTestSmtp();
  const stored = smtp.inbox.hold();
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('hello\r\n.\r\n');
  const stopped = smtp.stop(LONG_MS);
  stored('stored');
  expect(await client.line()).toBe('250 2.6.0 The mail is stored');
  expect(await client.line()).toBe(STOPPING);
  await stopped;
});

test('a stop cuts off a message that does not end within the grace period, with a 421', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('never ending');
  await smtp.stop(50);
  expect(await client.line()).toBe(STOPPING);
  expect(await client.line()).toBeNull();
  expect(smtp.inbox.mails).toEqual([]);
});

test('a stop behind a load balancer closes the port immediately, so that another node gets the connection', async () => {
  smtp = await startTestSmtp({ set: { 'smtp-proxy': [parseRange('192.0.2.0/24') as AddressRange] } });
  const busy = await RawClient.greeted(smtp.port);
  await busy.begin();
  const drained = smtp.drain(LONG_MS);
  const refused = new Promise((resolve) => connect(smtp.port, '127.0.0.1').on('error', resolve));
  expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
  await busy.send('the end\r\n.\r\n');
  expect(await busy.line()).toBe('250 2.6.0 The mail is stored');
  await drained;
});
