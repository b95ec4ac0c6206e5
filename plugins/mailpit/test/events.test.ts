import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import {
  type Answer,
  basic,
  freshAddress,
  PATIENCE_MS,
  type RunningTool,
  startTool,
  WITH_KEY,
  WORKSPACE,
} from '../../shared/test/compat-api.js';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(options: Parameters<typeof startTool>[1] = {}): Promise<RunningTool> {
  const mailpit = await startTool('mailpit', { compatApiLimit: 'off', ...options });
  ends.push(() => mailpit.stop());
  return mailpit;
}

const eventsUrl = ({ url }: { readonly url: string }) =>
  `${url.replace('http', 'ws').replace('0.0.0.0', '127.0.0.1')}/api/events`;

/** A web socket that collects its events. */
class Listener {
  readonly socket: WebSocket;
  readonly events: Answer[] = [];
  #looked = 0;

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, options);
    this.socket.on('message', (data) => this.events.push(JSON.parse(String(data))));
    // Ignores the separate error that a rejected socket emits.
    this.socket.on('error', () => {});
    ends.push(() => this.socket.terminate());
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  /** Waits for the next event of a type, after the event returned last. */
  async next(type: string): Promise<Answer> {
    const find = () => this.events.findIndex((event, at) => at >= this.#looked && event.Type === type);
    await vi.waitFor(() => expect(find()).toBeGreaterThanOrEqual(0), { timeout: PATIENCE_MS, interval: 5 });
    this.#looked = find() + 1;
    return this.events[this.#looked - 1].Data;
  }

  /** Waits until the web socket is rejected. Resolves to the HTTP status and the error code. */
  async refusal(): Promise<[status: number | undefined, code: unknown]> {
    const [request, answer] = await once(this.socket, 'unexpected-response');
    request.destroy();
    return [answer.statusCode, answer.headers['mayfly-error']];
  }

  /** Waits until the socket closes. Resolves to the close code. */
  async closed(): Promise<number> {
    const [code] = await once(this.socket, 'close');
    return code;
  }
}

const listen = (mailpit: RunningTool, options?: ClientOptions) => new Listener(eventsUrl(mailpit), options).opened();

const remove = (mailpit: RunningTool, body?: object, headers = {}) =>
  mailpit.ask('/api/v1/messages', { method: 'DELETE', headers, ...(body && { body: JSON.stringify(body) }) });

test('/api/events announces new, read and deleted messages with the same events as Mailpit', async () => {
  const mailpit = await start();
  await mailpit.send({ to: freshAddress(), subject: 'before' });
  const listener = await listen(mailpit);
  expect(await listener.next('stats')).toEqual({ Total: 1, Unread: 1, Version: expect.stringMatching(/^v1\./) });

  const to = freshAddress();
  await mailpit.send({ to, cc: freshAddress(), subject: 'first', text: 'Your code is 482913' });
  const told = await listener.next('new');
  const [listed] = (await mailpit.json(`/api/v1/search?query=to:${to}`)).messages;
  const { OTP, MagicLink, ...summary } = listed;
  expect([told, OTP, MagicLink]).toEqual([summary, '482913', null]);
  expect(await listener.next('stats')).toMatchObject({ Total: 2, Unread: 2 });

  await mailpit.json(`/api/v1/message/${told.ID}`);
  expect(await listener.next('update')).toEqual({ ID: told.ID, Read: true });
  expect(await listener.next('stats')).toMatchObject({ Total: 2, Unread: 1 });
  const unread = { method: 'PUT', body: JSON.stringify({ IDs: [told.ID], Read: false }) };
  await mailpit.ask('/api/v1/messages', unread);
  expect(await listener.next('update')).toEqual({ ID: told.ID, Read: false });
  // Setting the same state is not a change.
  await mailpit.ask('/api/v1/messages', unread);

  await remove(mailpit, { IDs: [told.ID] });
  expect(await listener.next('delete')).toEqual({ ID: told.ID });
  expect(await listener.next('stats')).toMatchObject({ Total: 1, Unread: 1 });
  await remove(mailpit);
  expect(await listener.next('truncate')).toBeNull();
  expect(await listener.next('stats')).toMatchObject({ Total: 0, Unread: 0 });
  const types = listener.events.map(({ Type }) => Type).filter((type) => type !== 'stats');
  expect(types).toEqual(['new', 'update', 'update', 'delete', 'truncate']);
});

test('/api/events announces new messages in order, and also messages deleted through our own API', async () => {
  const mailpit = await start();
  const listener = await listen(mailpit);
  const to = freshAddress();
  for (let i = 0; i < 30; i++) await mailpit.send({ to, subject: `mail ${i}` });
  const IDs: string[] = [];
  for (let i = 0; i < 30; i++) {
    const { ID, Subject } = await listener.next('new');
    expect(Subject).toBe(`mail ${i}`);
    IDs.push(ID);
  }
  await mailpit.ask(`/api/inbox/${to}`, { method: 'DELETE' });
  const gone: string[] = [];
  for (let i = 0; i < 30; i++) gone.push((await listener.next('delete')).ID);
  expect(gone.toSorted()).toEqual(IDs.toSorted());
});

test(
  '/api/events asks clients to reload after more than 200 changes, and a list has 50 messages by default',
  async () => {
    const mailpit = await start();
    await mailpit.sendMany(210);
    expect((await mailpit.json('/api/v1/messages')).messages).toHaveLength(50);
    const listener = await listen(mailpit);
    await mailpit.ask('/api/v1/messages', { method: 'PUT', body: JSON.stringify({ Read: true }) });
    expect(await listener.next('prune')).toBeNull();
    expect(await listener.next('stats')).toMatchObject({ Total: 210, Unread: 0 });
    expect(listener.events.filter(({ Type }) => Type === 'update')).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  '/api/events sends a client no events about mail of a workspace that the client may not open',
  async () => {
    const mailpit = await start({
      host: '0.0.0.0',
      workspace: [WITH_KEY.workspace, 'other=other-key-0123456789abcdef'],
    });
    const [acme, other] = [
      await listen(mailpit, { headers: basic(WORKSPACE.key) }),
      await listen(mailpit, { headers: basic('other-key-0123456789abcdef') }),
    ];
    await mailpit.send({ to: 'acme-team@app.test', bcc: 'other-team@app.test', subject: 'both' });
    await mailpit.send({ to: 'other-team@app.test', subject: 'theirs' });
    await mailpit.send({ to: 'nobody@app.test', subject: 'all' });
    const [mine, theirs] = [await acme.next('new'), await other.next('new')];
    expect([mine.Bcc, theirs.Bcc]).toEqual([[], [{ Name: '', Address: 'other-team@app.test' }]]);
    expect(await acme.next('new')).toMatchObject({ Subject: 'all' });
    expect(await other.next('new')).toMatchObject({ Subject: 'theirs' });
    expect(await other.next('new')).toMatchObject({ Subject: 'all' });
    await remove(mailpit, undefined, basic(WORKSPACE.key));
    await acme.next('truncate');
    // The remaining mail of others must not be announced as deleted.
    expect(await other.next('delete')).toEqual({ ID: expect.any(String) });
    expect(other.events.filter(({ Type }) => Type === 'truncate')).toEqual([]);
  },
  PATIENCE_MS,
);

test('/api/events requires a key from other machines, and rejects pages of other sites even with a key', async () => {
  const open = await start({ host: '0.0.0.0', ...WITH_KEY });
  expect(await new Listener(eventsUrl(open)).refusal()).toEqual([401, 'key-needed']);
  const wrong = { headers: basic('wrong-key-0123456789') };
  expect(await new Listener(eventsUrl(open), wrong).refusal()).toEqual([401, 'unknown-key']);
  const headers = basic(WORKSPACE.key);
  for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:1']) {
    expect(await new Listener(eventsUrl(open), { headers, origin }).refusal()).toEqual([403, 'cross-site']);
  }
  await listen(open, { headers });
  await listen(open, { headers, origin: open.url.replace('0.0.0.0', '127.0.0.1') });
  const own = await start();
  expect(await new Listener(eventsUrl(own), { origin: 'https://evil.test' }).refusal()).toEqual([403, 'cross-site']);
  expect(await new Listener(eventsUrl(own), { headers: { host: 'evil.test' } }).refusal()).toEqual([
    400,
    'foreign-host',
  ]);
  const allowed = await start({ corsOrigin: 'https://friend.test' });
  await listen(allowed, { origin: 'https://friend.test' });
});

test("an open socket of /api/events counts toward the client's limit of open streams", async () => {
  const mailpit = await start({ streamsPerClient: 2, streams: 10 });
  const first = await listen(mailpit);
  await listen(mailpit);
  expect(await new Listener(eventsUrl(mailpit)).refusal()).toEqual([429, 'too-many-streams']);
  first.socket.close();
  expect(await first.closed()).toBe(1005);
  await vi.waitFor(() => listen(mailpit), { timeout: PATIENCE_MS });
});

test('/api/events disconnects a client that sends anything but a pong', async () => {
  const mailpit = await start();
  for (const flood of [
    (socket: WebSocket) => socket.send('hello'),
    (socket: WebSocket) => socket.send('x'.repeat(100_000)),
    (socket: WebSocket) => {
      for (let i = 0; i < 1_000; i++) socket.ping('x'.repeat(100));
    },
    (socket: WebSocket) => {
      for (let i = 0; i < 2_000; i++) socket.send('', { fin: false });
    },
  ]) {
    const flooder = await listen(mailpit);
    flood(flooder.socket);
    expect([1002, 1003, 1006, 1009]).toContain(await flooder.closed());
  }
  const pinger = await listen(mailpit);
  pinger.socket.ping('are you there');
  expect(String((await once(pinger.socket, 'pong'))[0])).toBe('are you there');
});

test(
  '/api/events disconnects a client that reads nothing, without affecting other clients',
  async () => {
    const mailpit = await start({ smtpLimit: 'off' });
    const { hostname, port } = new URL(mailpit.url);
    const lazy = connect({ host: hostname, port: Number(port) });
    ends.push(() => lazy.destroy());
    lazy.on('error', () => {});
    const key = Buffer.alloc(16).toString('base64');
    const head = ['GET /api/events HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket'];
    lazy.write(`${[...head, 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`].join('\r\n')}\r\n\r\n`);
    expect(String((await once(lazy, 'data'))[0])).toMatch(/^HTTP\/1\.1 101 /);
    lazy.pause();
    const listener = await listen(mailpit);
    // Some megabytes of events, more than the system buffers for a client.
    const names = Array.from({ length: 400 }, (_, i) => ` "${'x'.repeat(150)}" <c${i}@app.test>`);
    const raw = `From: app@app.test\r\nTo: ${names.join(',\r\n')}\r\nSubject: long\r\n\r\ntext\r\n`;
    let isCut = false;
    lazy.once('close', () => {
      isCut = true;
    });
    for (let sent = 0; sent < 300 && !isCut; sent += 10) {
      const envelope = { from: 'app@app.test', to: freshAddress() };
      await Promise.all(Array.from({ length: 10 }, () => mailpit.send({ envelope, raw })));
      for (let told = 0; told < 10; told++) await listener.next('new');
      // Sends a pong, because a disconnected client notices only when it sends.
      lazy.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
    }
    expect(isCut).toBe(true);
  },
  2 * PATIENCE_MS,
);

test('/api/events closes when the service stops', async () => {
  const mailpit = await startTool('mailpit');
  const listener = await listen(mailpit);
  const closed = listener.closed();
  await mailpit.stop();
  expect(await closed).toBe(1001);
});

/** Sends requests over one connection. Resolves to the statuses of this many responses. */
async function statuses(mailpit: RunningTool, requests: readonly string[], count = requests.length) {
  const { hostname, port } = new URL(mailpit.url);
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
  ends.push(() => socket.destroy());
  let answers = '';
  socket.on('data', (bytes) => (answers += bytes));
  socket.write(requests.join(''));
  const found = () => Array.from(answers.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);
  await expect.poll(() => found().length).toBe(count);
  return found();
}

/** Returns a request that offers an upgrade; by default to HTTP/2, as Java's client does. */
const asking = (line: string, { upgrade = 'h2c', body = '', more = '' } = {}) =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

test('an offered upgrade is ignored unless it is to a web socket at /api/events', async () => {
  const mailpit = await start();
  const plain = await mailpit.ask('/api/events');
  expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
  const to = freshAddress();
  const body = JSON.stringify({ From: { Email: 'a@app.test' }, To: [{ Email: to }], Text: 'x'.repeat(50_000) });
  for (const [request, status] of [
    [asking('GET /api/v1/info'), '200'],
    [asking('POST /api/v1/send', { body }), '200'],
    [asking('GET /api/events'), '426'],
    [asking('GET /api/inbox/jane', { upgrade: 'websocket' }), '200'],
    // Accepts the absolute target (RFC 6455 section 4.1) and then rejects the handshake, which is incomplete.
    [asking('GET http://localhost/api/events', { upgrade: 'websocket' }), '400'],
  ] as const) {
    expect(await statuses(mailpit, [request])).toEqual([status]);
  }
  expect(await mailpit.json(`/api/v1/search?query=to:${to}`)).toMatchObject({ messages_count: 1 });
});

test.each(['/api/inbox/anybody', '/api/inbox/anybody/stream'])(
  'the service survives a client that pipelines a web socket request after %s and resets the connection',
  async (path) => {
    const mailpit = await start();
    const { port } = new URL(mailpit.url);
    const socket = connect(Number(port), '127.0.0.1');
    ends.push(() => socket.destroy());
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}${key}\r\n`,
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    socket.resetAndDestroy();
    expect((await fetch(`${mailpit.url}/api/inbox/anybody`)).status).toBe(200);
  },
);
