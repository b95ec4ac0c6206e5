import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { UNFRAMED_BODY_MS } from '../../../../plugins/mailpit/dist/choice.js';
import { systemClock } from '../../dist/base/clock.js';
import { openLog } from '../../dist/base/log.js';
import { type RunningService, startService } from '../../dist/service.js';
import { readSettings } from '../../dist/settings/reading.js';
import { RawClient } from '../smtp/client.js';

const OTHER = '127.0.0.2';

const KEY = 'acme-key-of-16-chars';

let service: RunningService;
const clients: { destroy(): void }[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await service.stop();
});

async function start(settings: Record<string, string>): Promise<void> {
  const given = { store: 'memory:', page: 'false', metrics: '0', 'http-port': '0', 'smtp-port': '0', ...settings };
  const flags = Object.entries(given).map(([name, written]) => [name, [written]] as const);
  service = await startService(readSettings(new Map(flags), new Map()), openLog('silent', 'json'));
}

/** Connects an SMTP client, which sends nothing yet. */
async function opened(localAddress?: string): Promise<RawClient> {
  const client = await RawClient.open(service.smtp.port, localAddress);
  clients.push(client);
  return client;
}

/** Connects an SMTP client, and sends EHLO. */
async function greeted(localAddress?: string): Promise<RawClient> {
  const client = await opened(localAddress);
  await client.reply();
  await client.ask('EHLO app.test');
  return client;
}

/** Sends up to `most` messages, and resolves to the reply to the first message that is not stored. */
async function refusal(content: string, most: number): Promise<string> {
  const client = await greeted();
  for (let mails = 0; mails < most; mails += 1) {
    const reply = await client.mail(content);
    if (!reply.startsWith('250 ')) return reply;
  }
  return 'all were stored';
}

interface Asking {
  readonly method?: string;
  readonly localAddress?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request and resolves to the status and the error code, if any, without reading the body. */
async function ask(path: string, { body, ...options }: Asking = {}): Promise<string> {
  const asking = request(`${service.http}${path}`, { agent: false, ...options });
  asking.on('error', () => {}).end(body);
  clients.push(asking);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return [answer.statusCode, answer.headers['mayfly-error'] ?? []].flat().join(' ');
}

/** Sends requests, each after the response to the one before, and resolves to the last response. */
async function last(...all: readonly (readonly [path: string, asking?: Asking])[]): Promise<string> {
  let answer = '';
  for (const [path, asking] of all) answer = await ask(path, asking);
  return answer;
}

/** Connects two clients, and resolves to the reply to the second. */
async function second(localAddress?: string): Promise<string> {
  await opened();
  return await (await opened(localAddress)).reply();
}

/** Begins a message without content, and resolves to the server's reply. */
async function silent(): Promise<string> {
  const client = await greeted();
  await client.begin();
  return await client.reply();
}

/** Sends an incomplete request, and resolves to the response. */
async function talk(bytes: string, address = '127.0.0.1'): Promise<string> {
  const socket = connect(Number(new URL(service.http).port), address);
  socket.write(bytes);
  return await text(socket);
}

const wrongKey = { headers: { authorization: 'Bearer a-guess-of-16-chars' } };
const rightKey = { headers: { authorization: `Bearer ${KEY}` } };
const join = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"email":"ada@app.test"}' };

/** Settings whose rejections the metrics count by name. */
const COUNTED = /-limit$|^max-|^smtp-connections|^store-quota$|^streams/;

// One row per limit. Each row shows that a setting affects its own limit and no other.
test.each<[Record<string, string>, () => Promise<string>, RegExp]>([
  [{ 'smtp-connections': '1' }, () => second(), /^421 4\.7\.0 /],
  [{ 'smtp-connections-total': '1' }, () => second(OTHER), /^421 4\.3\.2 /],
  [
    { 'smtp-idle': '300ms' },
    async () => {
      const client = await opened();
      await client.reply();
      return await client.reply();
    },
    /^421 4\.4\.2 The connection was idle /,
  ],
  [{ 'smtp-data-time': '300ms' }, silent, /^421 4\.4\.2 The message took too long/],
  [{ 'smtp-data-speed': '1KiB/150ms' }, silent, /^421 4\.4\.2 The message is arriving too slowly/],
  [
    { 'smtp-limit': '1/1m' },
    async () => {
      const client = await greeted();
      await client.mail('hello');
      return await client.ask('MAIL FROM:<a@app.test>');
    },
    /^451 4\.7\.1 /,
  ],
  [
    { 'max-message': '100B' },
    () => refusal('x'.repeat(101), 1),
    /^552 5\.3\.4 The message exceeds the limit of 100 bytes/,
  ],
  [{ 'max-emails': '2' }, () => refusal('hello', 3), /^452 4\.2\.2 /],
  [{ 'store-quota': '80KiB', 'max-message': '16KiB' }, () => refusal('hello', 90), /^452 4\.3\.1 The store is full/],
  [
    { 'max-recipients': '1' },
    async () => {
      const client = await greeted();
      await client.ask('MAIL FROM:<a@app.test>');
      await client.ask('RCPT TO:<a@inbox.example.com>');
      return await client.ask('RCPT TO:<b@inbox.example.com>');
    },
    /^452 4\.5\.3 /,
  ],
  [
    { 'max-in-flight': '1KiB' },
    async () => {
      const holding = await greeted(OTHER);
      await holding.begin();
      await holding.send('x'.repeat(800));
      return await refusal('x'.repeat(800), 1);
    },
    /^452 4\.3\.1 Too much mail is being received \(--max-in-flight\): /,
  ],
  [
    { 'smtp-proxy': '127.0.0.1', 'smtp-connections': '1' },
    async () => {
      const told = async (source: string) => {
        const client = await opened();
        await client.send(`PROXY TCP4 ${source} 192.0.2.100 40000 25\r\n`);
        return (await client.reply()).slice(0, 3);
      };
      return [await told('192.0.2.1'), await told('192.0.2.2'), await told('192.0.2.1')].join();
    },
    /^220,220,421$/,
  ],
  [
    { 'smtp-proxy-lazy': '127.0.0.1' },
    async () => {
      const client = await opened();
      return `${await client.reply()} ${await client.ask('EHLO app.test')}`;
    },
    /^220 .* 421 4\.5\.1 Connections from this address must begin with a PROXY protocol header/,
  ],
  [
    { domain: 'mail.test' },
    async () => {
      const client = await greeted();
      await client.ask('MAIL FROM:<a@app.test>');
      return await client.ask('RCPT TO:<a@inbox.example.com>');
    },
    /^550 5\.7\.1 /,
  ],
  [{ 'fetch-limit': '1/1m' }, () => last(['/api/inbox/a'], ['/api/inbox/b']), /^429 too-many-requests$/],
  [{ 'read-limit': '1/1m' }, () => last(['/api/inbox/a/summary'], ['/api/inbox/a/summary']), /^429 too-many-requests$/],
  [
    { 'compat-api-limit': '1/1m', 'compat-api': 'mailpit' },
    () => last(['/api/v1/messages'], ['/api/v1/messages']),
    /^429 too-many-requests$/,
  ],
  [{ 'stream-limit': '1/1m' }, () => last(['/api/inbox/a/stream'], ['/api/inbox/a/stream']), /^429 too-many-requests$/],
  [{ 'name-limit': '1/1m' }, () => last(['/api/inbox/a/summary'], ['/api/inbox/b/summary']), /^429 too-many-names$/],
  [
    { 'waitlist-limit': '1/1m' },
    () => last(['/api/waitlist', join], ['/api/waitlist', join]),
    /^429 too-many-requests$/,
  ],
  [
    { 'workspace-limit': '1/1m', workspace: `acme=${KEY}` },
    () => last(['/api/inbox/acme-a', rightKey], ['/api/inbox/acme-a', rightKey]),
    /^429 too-many-requests$/,
  ],
  [
    { 'wrong-key-limit': '1/1m', workspace: `acme=${KEY}` },
    () => last(['/healthz', wrongKey], ['/healthz', rightKey]),
    /^429 too-many-wrong-keys$/,
  ],
  [
    { streams: '1' },
    () => last(['/api/inbox/a/stream'], ['/api/inbox/a/stream', { localAddress: OTHER }]),
    /^503 all-streams-taken$/,
  ],
  [
    { streams: '4', 'streams-per-client': '2' },
    () => {
      const open = (localAddress: string) => ['/api/inbox/a/stream', { localAddress }] as const;
      return last(open('127.0.0.1'), open('127.0.0.1'), open(OTHER), open(OTHER));
    },
    /^503 all-streams-taken$/,
  ],
  [
    { 'streams-per-client': '1' },
    () => last(['/api/inbox/a/stream'], ['/api/inbox/a/stream']),
    /^429 too-many-streams$/,
  ],
  [{ 'http-max-body': '10B' }, () => ask('/api/waitlist', join), /^413 body-too-large$/],
  [
    { 'http-header-time': '100ms', 'http-request-time': '1h' },
    () => talk('GET /healthz HTTP/1.1\r\nHost: localhost\r\n'),
    /^HTTP\/1\.1 408 /,
  ],
  [
    { 'http-request-time': '200ms', 'http-header-time': '200ms' },
    () =>
      talk(
        'POST /api/waitlist HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
      ),
    /^HTTP\/1\.1 408 /,
  ],
  [
    { 'trust-proxy': '127.0.0.1', 'fetch-limit': '1/1m' },
    async () => {
      const asked = (client: string) => ask('/api/inbox/a', { headers: { 'x-forwarded-for': client } });
      return [await asked('192.0.2.1'), await asked('192.0.2.2'), await asked('192.0.2.1')].join();
    },
    /^200,200,429 too-many-requests$/,
  ],
  [
    { 'cors-origin': 'https://app.test' },
    () => ask('/api/inbox/a', { headers: { origin: 'https://app.test', 'sec-fetch-site': 'cross-site' } }),
    /^200$/,
  ],
])('the settings %o take effect, and the metrics count a rejection by a limit', async (settings, act, answer) => {
  await start(settings);
  expect(await act()).toMatch(answer);
  const figures = await (await fetch(service.metrics ?? '')).text();
  const [limit = ''] = Object.keys(settings);
  if (COUNTED.test(limit)) expect(figures).toMatch(new RegExp(`^mayfly_limited_total{limit="${limit}"} 1$`, 'm'));
});

test("with --host localhost, the listeners for IPv4 and IPv6 both have Mayfly's limits and errors", async () => {
  await start({ host: 'localhost' });
  const request = 'CONNECT a.test:443 HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answers = await Promise.all(['127.0.0.1', '::1'].map((address) => talk(request, address).catch(() => null)));
  const heard = answers.filter((answer) => answer !== null);
  expect(heard).not.toEqual([]);
  for (const answer of heard) expect(answer).toMatch(/^HTTP\/1\.1 501 [\s\S]*"error":"/);
});

test('a DELETE of all mail waits for an unannounced body, and deletes nothing if a body arrives', async () => {
  const wakes: (() => void)[] = [];
  const { after } = systemClock;
  // The wait for a body ends only when the test ends it.
  const clock = vi.spyOn(systemClock, 'after').mockImplementation((delayMs, wake) => {
    if (delayMs !== UNFRAMED_BODY_MS) return after(delayMs, wake);
    wakes.push(wake);
    return () => {};
  });
  try {
    await start({ 'compat-api': 'mailpit' });
    expect(await refusal('Subject: kept\r\n\r\nkept', 1)).toBe('all were stored');
    const { port } = new URL(service.http);
    const socket = connect(Number(port), '127.0.0.1');
    clients.push(socket);
    socket.write('DELETE /api/v1/messages HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => wakes.length).toBe(1);
    socket.write('{"IDs":["x"]}');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*Content-Length/);
    wakes[0]?.();
    const listed = async () => (await fetch(`${service.http}/api/v1/messages`)).json();
    expect(await listed()).toMatchObject({ total: 1 });
    // This DELETE has a Content-Length, so the service does not wait for a body that no header announces.
    await fetch(`${service.http}/api/v1/messages`, { method: 'DELETE', body: '{}' });
    expect(await listed()).toMatchObject({ total: 0 });
  } finally {
    clock.mockRestore();
  }
});
