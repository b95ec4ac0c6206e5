import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { InboxResponse } from 'mayfly-client';
import type { StartedMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { afterEach, expect, test } from 'vitest';
import { RawClient } from '../smtp/client.js';
import { counted, scraped, startCounting } from './scrape.js';

let service: StartedMayfly;
const clients: RawClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await service.stop();
});

const smtpPort = () => service.smtp.port;

async function greeted(): Promise<RawClient> {
  const client = await RawClient.greeted(smtpPort());
  clients.push(client);
  return client;
}

async function send(to: string, body: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: smtpPort() });
  await transport.sendMail({ from: 'app@app.test', to, subject: 'Welcome', text: body });
  transport.close();
}

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}${path}`, { headers });
  await response.text();
  return response.status;
};

/** Resolves to the metrics once `series` has this value. Waits, because the end of a connection is counted later. */
async function figuresWith(series: string, value: number): Promise<ReadonlyMap<string, number>> {
  await expect.poll(async () => (await scraped(service)).get(series)).toBe(value);
  return await scraped(service);
}

test('the metrics count messages by result, size and delivery stage, and count found codes and links', async () => {
  service = await startCounting({
    domain: 'inbox.example.com',
    maxMessage: '4KiB',
    maxEmails: '3',
    maxRecipients: '2',
  });
  await send('demo@inbox.example.com', 'Your code is 482913');
  await send('demo@inbox.example.com', 'Confirm: https://app.test/verify?token=abc123def456');
  await send('demo@inbox.example.com', 'Nothing to see here');
  const client = await greeted();
  expect(await client.mail('one too many')).toMatch(/^452 4\.2\.2/);
  expect(await client.mail('x'.repeat(5_000), 'other@inbox.example.com')).toMatch(/^552/);
  expect(await client.ask('MAIL FROM:<a@app.test> SIZE=99999')).toMatch(/^552/);
  await client.ask('MAIL FROM:<a@app.test>');
  expect(await client.ask('RCPT TO:<a@elsewhere.test>')).toMatch(/^550/);
  for (const name of ['a', 'b']) await client.ask(`RCPT TO:<${name}@inbox.example.com>`);
  expect(await client.ask('RCPT TO:<c@inbox.example.com>')).toMatch(/^452 4\.5\.3/);
  const leaving = await greeted();
  await leaving.begin();
  await leaving.send('Half a mail');
  leaving.destroy();

  const figures = await figuresWith('mayfly_smtp_messages_total{result="lost",reason=""}', 1);
  expect(counted(figures, 'mayfly_smtp_messages_total')).toEqual({
    'mayfly_smtp_messages_total{result="stored",reason=""}': 3,
    'mayfly_smtp_messages_total{result="lost",reason=""}': 1,
    'mayfly_smtp_messages_total{result="refused",reason="inbox-full"}': 1,
    'mayfly_smtp_messages_total{result="refused",reason="message-too-large"}': 2,
    'mayfly_smtp_messages_total{result="refused",reason="foreign-domain"}': 1,
    'mayfly_smtp_messages_total{result="refused",reason="too-many-recipients"}': 1,
  });
  expect(counted(figures, 'mayfly_limited_total')).toEqual({
    'mayfly_limited_total{limit="max-emails"}': 1,
    'mayfly_limited_total{limit="max-message"}': 2,
    'mayfly_limited_total{limit="max-recipients"}': 1,
  });
  // Four messages were parsed, one of which did not fit in the store. The message that was too large was not parsed.
  expect(counted(figures, 'mayfly_extractions_total')).toEqual({
    'mayfly_extractions_total{kind="otp",found="true"}': 1,
    'mayfly_extractions_total{kind="otp",found="false"}': 3,
    'mayfly_extractions_total{kind="link",found="true"}': 1,
    'mayfly_extractions_total{kind="link",found="false"}': 3,
  });
  const count = (stage: string) => figures.get(`mayfly_delivery_seconds_count{stage="${stage}"}`);
  expect(['read', 'extract', 'store', 'wake'].map(count)).toEqual([5, 4, 3, 3]);
  expect(figures.get('mayfly_smtp_message_bytes_count')).toBe(3);
  expect(figures.get('mayfly_smtp_message_bytes_bucket{le="1024"}')).toBe(3);
  const { emails } = (await (await fetch(`${service.url}/api/inbox/demo`)).json()) as InboxResponse;
  const bytes = emails.reduce((sum, { rawBody }) => sum + Buffer.byteLength(rawBody), 0);
  expect(figures.get('mayfly_smtp_message_bytes_sum')).toBe(bytes);
  expect(figures.get('mayfly_store_emails')).toBe(3);
  expect(figures.get('mayfly_store_bytes')).toBeGreaterThan(bytes);
});

test('the metrics count all SMTP connections by result, and those that are open', async () => {
  service = await startCounting({ smtpConnections: '2' });
  const [first] = [await greeted(), await greeted()];
  const third = await RawClient.open(smtpPort());
  clients.push(third);
  expect(await third.reply()).toMatch(/^421 4\.7\.0/);
  const open = await scraped(service);
  expect(open.get('mayfly_smtp_connections_open')).toBe(2);
  expect(counted(open, 'mayfly_smtp_connections_total')).toEqual({
    'mayfly_smtp_connections_total{result="accepted"}': 2,
    'mayfly_smtp_connections_total{result="too-many-connections"}': 1,
  });
  expect(counted(open, 'mayfly_limited_total')).toEqual({ 'mayfly_limited_total{limit="smtp-connections"}': 1 });
  first?.destroy();
  const left = await figuresWith('mayfly_smtp_connections_open', 1);
  expect(left.get('mayfly_smtp_connections_total{result="accepted"}')).toBe(2);
});

test('the metrics count requests by route, status and source', async () => {
  service = await startCounting();
  await send('demo@inbox.example.com', 'Your code is 482913');
  const { emails } = (await (await fetch(`${service.url}/api/inbox/demo?source=sdk`)).json()) as InboxResponse;
  const receivedAt = emails[0]?.receivedAt;
  expect(await get(`/api/inbox/demo/${receivedAt}?source=mcp`)).toBe(200);
  expect(await get(`/api/inbox/demo/${receivedAt}/raw?source=browser`)).toBe(200);
  expect(await get('/api/inbox/demo/stream?source=sdk')).toBe(200);
  expect(await get('/api/inbox/other/summary')).toBe(200);
  expect(await get('/api/inbox/..a')).toBe(400);
  expect(await get('/nowhere')).toBe(404);
  expect((await fetch(`${service.url}/livez`, { method: 'PATCH' })).status).toBe(405);
  expect(await get('/livez')).toBe(200);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.end('not http at all\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  expect(counted(await scraped(service), 'mayfly_http_requests_total')).toEqual(
    Object.fromEntries(
      [
        ['/api/inbox/{name}', 200, 'sdk'],
        ['/api/inbox/{name}/{receivedAt}', 200, 'mcp'],
        ['/api/inbox/{name}/{receivedAt}/raw', 200, 'browser'],
        ['/api/inbox/{name}/stream', 200, 'sdk'],
        ['/api/inbox/{name}/summary', 200, 'other'],
        ['/api/inbox/{name}', 400, 'other'],
        ['unmatched', 404, 'other'],
        ['unmatched', 405, 'other'],
        ['/livez', 200, 'other'],
        ['unmatched', 400, 'other'],
      ].map(([route, status, source]) => [
        `mayfly_http_requests_total{route="${route}",status="${status}",source="${source}"}`,
        1,
      ]),
    ),
  );
});

test('the metrics count the open streams, and the closed streams by the reason for their end', async () => {
  service = await startCounting({ streamsPerClient: '2' });
  const leaving = new AbortController();
  const left = fetch(`${service.url}/api/inbox/left/stream`, { signal: leaving.signal });
  const found = fetch(`${service.url}/api/inbox/demo/stream?hasOtp=true`);
  await Promise.all([left, found]);
  const open = await scraped(service);
  expect(open.get('mayfly_streams_open')).toBe(2);
  expect(counted(open, 'mayfly_stream_wait_seconds_count')).toEqual({});
  expect(await get('/api/inbox/third/stream')).toBe(429);
  await send('demo@inbox.example.com', 'Your code is 482913');
  expect(await (await found).text()).toContain('482913');
  leaving.abort();
  const figures = await figuresWith('mayfly_streams_open', 0);
  expect(counted(figures, 'mayfly_stream_wait_seconds_count')).toEqual({
    'mayfly_stream_wait_seconds_count{result="mail"}': 1,
    'mayfly_stream_wait_seconds_count{result="gone"}': 1,
  });
  expect(figures.get('mayfly_limited_total{limit="streams-per-client"}')).toBe(1);
});

test('the metrics include the version of the service, and the metrics of its process', async () => {
  service = await startCounting();
  const figures = await scraped(service);
  const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
  expect(figures.get(`mayfly_build_info{version="${version}",node="${process.version}"}`)).toBe(1);
  expect(figures.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(figures.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect(figures.get('process_open_fds')).toBeGreaterThan(1);
});
