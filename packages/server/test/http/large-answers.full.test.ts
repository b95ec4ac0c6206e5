import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withAnswer } from '../../src/base/maybe-promise.js';
import { HELD_BOUNDS, HeldBytes, LEAST_BYTES_PER_SECOND } from '../../src/fairness/client-memory.js';
import { MAX_WAIT_MS } from '../../src/fairness/semaphore.js';
import { LargeAnswers } from '../../src/http/answer/large-answers.js';
import { READ_MS } from '../../src/http/connection/unread-answers.js';
import type { HttpEvents } from '../../src/http/http-events.js';
import { ManualClock } from '../manual-clock.js';
import { startApi, type TestApi, type TestApiOptions } from './api.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** More than the kernel keeps for both sides of a connection. */
const MAIL_BYTES = 16 * MIB;

/** How many answers in pieces are sent to one client at a time, and to all. */
const PER_CLIENT = 16;
const TOTAL = 64;

/** More than the kernel keeps for both sides of a connection, in answers of 50 KB and more. */
const MANY = 400;

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 50_000, interval: 5 };

let api: TestApi;
let port: number;
/** The path of the large email. */
let large: string;
const clients: Client[] = [];

/** The limits that were reached, as they are counted. */
let limited: string[];

/** Starts the API, with the large email in it. */
async function start(bounds: Pick<TestApiOptions, 'maxStreams' | 'maxStreamsPerClient'>): Promise<void> {
  limited = [];
  const events: HttpEvents = {
    answered() {},
    streamOpened() {},
    streamClosed() {},
    streamEnded() {},
    limited: (limit) => limited.push(limit),
  };
  api = await startApi({ ...bounds, events });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
  await api.mail('demo', `${'x'.repeat(998)}\r\n`.repeat(MAIL_BYTES / 1_000));
  large = `/api/inbox/demo/${new Date(api.clock.now()).toISOString()}`;
}

beforeEach(() => start({ maxStreamsPerClient: 100 }));

afterEach(async () => {
  for (const client of clients.splice(0)) client.leave();
  await api.close();
});

/** Sends requests on one connection and reads only what it must. */
class Client {
  readonly #socket: Socket;
  #heard = '';
  isClosed = false;

  constructor(localAddress: string, ...paths: string[]) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress }).setEncoding('latin1');
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.isClosed = true;
    });
    this.#socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    clients.push(this);
  }

  /** Reads until this has come, and no more. What has come by then. */
  async hear(what: string): Promise<string> {
    for await (const text of this.#socket.iterator({ destroyOnReturn: false })) {
      this.#heard += text;
      if (this.#heard.includes(what)) break;
    }
    return this.#heard;
  }

  /** Reads all that comes, until the end of the connection. */
  async readOn(): Promise<void> {
    this.#socket.resume();
    await once(this.#socket, 'close');
  }

  /** Whether anything has come that was not read. */
  get isAnswered(): boolean {
    return this.#socket.readableLength > 0;
  }

  /** Lets come what there is, without taking it. */
  listen(): void {
    this.#socket.read(0);
  }

  leave(): void {
    this.#socket.destroy();
  }
}

async function fill(path: string, localAddress = '127.0.0.66'): Promise<Client[]> {
  const filling = Array.from({ length: PER_CLIENT }, () => new Client(localAddress, path));
  for (const client of filling) expect(await client.hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  return filling;
}

/** One more that has asked, which the server knows by now, and has no answer. */
async function waiting(path: string, localAddress = '127.0.0.66'): Promise<Client> {
  const accepted = once(api.app.server, 'request');
  const client = new Client(localAddress, path);
  await accepted;
  client.listen();
  for (let turns = 0; turns < 200; turns += 1) await turn();
  expect(client.isAnswered).toBe(false);
  return client;
}

const kinds = [
  ['a list', () => '/api/inbox/demo'],
  ['an email', () => large],
  ['a message', () => `${large}/raw`],
  ['a part', () => `${large}/parts/1`],
] as const;

describe.each(kinds)('%s', (_, path) => {
  test('is sent sixteen times at once to one client; who waits for too long is told', async () => {
    await fill(path());
    const late = await waiting(path());
    const other = new Client('127.0.0.2', path());
    expect(await other.hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    await api.clock.advance(MAX_WAIT_MS);
    const refused = await late.hear('\r\n\r\n');
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/\r\nmayfly-error: too-many-answers\r\n/);
    expect(refused).toMatch(/\r\nretry-after: 1\r\n/);
    expect(limited).toEqual(['large-answers']);
  });

  test('comes when another has left', async () => {
    const [first] = await fill(path());
    const late = await waiting(path());
    first?.leave();
    expect(await late.hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('a client that leaves between the first piece and the next has nothing left that holds up a stop', async () => {
  const clock = new ManualClock();
  const largeAnswers = new LargeAnswers(clock, new HeldBytes(clock));
  async function* pieces() {
    yield new Uint8Array(KIB);
    yield new Uint8Array(KIB);
  }
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => {});
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    const answer = (await largeAnswers.make({ client: 'a', response }, pieces)) as AsyncGenerator<Uint8Array>;
    await answer.next();
    expect(clock.alarms).toBe(1);
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect(clock.alarms).toBe(0);
    // Whoever takes the next all the same is not watched.
    await answer.next();
    expect(clock.alarms).toBe(0);
  } finally {
    server.close();
  }
});

test('a client that reads its pieces moves, and is not cut for one that has as much and does not', async () => {
  const clock = new ManualClock();
  const MIB = 1024 * KIB;
  const held = new HeldBytes(clock, { total: 3 * MIB, perClient: 3 * MIB });
  const largeAnswers = new LargeAnswers(clock, held);
  async function* pieces() {
    for (;;) yield new Uint8Array(LEAST_BYTES_PER_SECOND);
  }
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => {});
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    const answer = (await largeAnswers.make({ client: 'a', response }, pieces)) as AsyncGenerator<Uint8Array>;
    const cut: string[] = [];
    held.set({}, { client: 'idle', bytes: MIB, cut: () => cut.push('idle') });
    for (let read = 0; read < 2; read += 1) await answer.next();
    held.set({}, { client: 'other', bytes: MIB + 1, isOwed: true, cut: () => cut.push('other') });
    expect([cut, response.req.socket.destroyed]).toEqual([['idle'], false]);
    await clock.advance(1_000);
    held.set({}, { client: 'other', bytes: MIB, isOwed: true, cut: () => cut.push('other') });
    expect([cut, response.req.socket.destroyed]).toEqual([['idle'], true]);
    client.destroy();
  } finally {
    server.close();
  }
});

test('who waits is told when the service stops', async () => {
  await fill(`${large}/raw`);
  const late = await waiting(`${large}/raw`);
  api.app.largeAnswers.close();
  expect(await late.hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 503 .*\r\nmayfly-error: stopping\r\n/s);
});

test('an event of a stream waits in the same way, and the stream is cut when it waits for too long', async () => {
  const [first] = await fill('/api/inbox/demo/stream');
  const streams = [
    new Client('127.0.0.66', '/api/inbox/demo/stream'),
    new Client('127.0.0.66', '/api/inbox/demo/stream'),
  ];
  for (const stream of streams) expect(await stream.hear(': connected\n\n')).not.toContain('data:');
  first?.leave();
  const [late, later] = streams;
  expect(await late?.hear('data:')).toContain('data:');
  await api.clock.advance(MAX_WAIT_MS);
  expect(await later?.hear('data:')).not.toContain('data:');
  await vi.waitFor(() => expect(later?.isClosed).toBe(true), PATIENCE);
});

test('so many are sent to all clients together', async () => {
  let read = 0;
  const { whole } = api.inboxes.messages;
  api.inboxes.messages.whole = (...args) => {
    read += 1;
    return whole.apply(api.inboxes.messages, args);
  };
  const filling = Array.from(
    { length: TOTAL - 1 },
    (_, n) => new Client(`127.0.0.${100 + Math.floor(n / PER_CLIENT)}`, `${large}/raw`),
  );
  await vi.waitFor(() => expect(read).toBe(TOTAL - 1), PATIENCE);
  expect(await new Client('127.0.0.121', `${large}/raw`).hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  const late = await waiting(`${large}/raw`);
  filling[3]?.leave();
  expect(await late.hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test.each(kinds)('a client that reads no more of %s is cut', async (_, path) => {
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
  const client = new Client('127.0.0.66', path());
  const [ours] = await accepted;
  await client.hear('\r\n\r\n');
  await api.clock.advance(READ_MS - 1);
  expect(ours.destroyed).toBe(false);
  // In JSON, the ends of its lines take more.
  await api.clock.advance(((1.1 * MAIL_BYTES) / LEAST_BYTES_PER_SECOND) * 1_000 + 1);
  expect(ours.destroyed).toBe(true);
});

test('so is one that leaves the end of it unread, all of which is made', async () => {
  const bytes = 400 * KIB;
  await api.mail('medium', `${'z'.repeat(998)}\r\n`.repeat(bytes / 1_000));
  const medium = `/api/inbox/medium/${new Date(api.clock.now()).toISOString()}/raw`;
  let isMade = false;
  const { whole } = api.inboxes.messages;
  api.inboxes.messages.whole = (...args) =>
    withAnswer(whole.apply(api.inboxes.messages, args), (found) => {
      if (args[0] !== 'medium' || found === null || found instanceof Uint8Array) return found;
      isMade = false;
      return noted(found, () => {
        isMade = true;
      });
    });
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
  // The system takes some of them.
  const client = new Client('127.0.0.66', ...Array<string>(MANY).fill(medium));
  const [ours] = await accepted;
  await client.hear('\r\n\r\n');
  await vi.waitFor(() => expect(ours.writableLength).toBeGreaterThan(0), PATIENCE);
  await vi.waitFor(() => expect(isMade).toBe(true), PATIENCE);
  await api.clock.advance(READ_MS);
  expect(ours.destroyed).toBe(false);
  await api.clock.advance(((1.1 * bytes) / LEAST_BYTES_PER_SECOND) * 1_000);
  expect(ours.destroyed).toBe(true);
});

/** The same pieces; calls `over` when the last of them is taken. */
async function* noted(pieces: AsyncIterable<Uint8Array>, over: () => void): AsyncGenerator<Uint8Array> {
  yield* pieces;
  over();
}

test('a client that reads all of it is not cut later, whatever comes behind on its connection', async () => {
  const { client, ours } = await reader({ stays: true });
  let read = 0;
  client.on('data', (bytes: Buffer) => {
    read += bytes.length;
  });
  await vi.waitFor(() => expect(read).toBeGreaterThan(MAIL_BYTES), PATIENCE);
  await vi.waitFor(() => expect(ours.writableLength).toBe(0), PATIENCE);
  await api.clock.advance(10 * READ_MS + (MAIL_BYTES / LEAST_BYTES_PER_SECOND) * 1_000);
  expect(ours.destroyed).toBe(false);
  client.destroy();
});

test.each([
  ['less than 128 KiB a second is cut', 512 * KIB, false],
  ['more has all of it, however long it takes', 4 * MIB, true],
])('a client that reads %s', async (_, bytes, hasAll) => {
  const { client, ours } = await reader();
  let [read, isOver] = [0, false];
  client.on('close', () => {
    isOver = true;
  });
  while (!isOver) {
    for (const end = read + bytes; read < end && !isOver; ) {
      const piece = client.read() as Buffer | null;
      read += piece?.length ?? 0;
      if (piece === null) await turn();
    }
    if (!ours.destroyed) await api.clock.advance(20_000);
  }
  expect(read > MAIL_BYTES).toBe(hasAll);
});

/** A client that has asked for the message and is read by hand, and the server's side of its connection. */
async function reader({ stays = false } = {}): Promise<{ client: Socket; ours: Socket }> {
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1').on('error', () => {});
  const connection = stays ? 'keep-alive' : 'close';
  client.write(`GET ${large}/raw HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`);
  const [ours] = await accepted;
  return { client, ours };
}

test.each([
  ['a list', 50, () => '/api/inbox/small'],
  ['a message', 58, (receivedAt: string) => `/api/inbox/small/${receivedAt}/raw`],
] as const)('of answers that are sent whole, such as %s, one client has so much unread', async (_, lines, pathOf) => {
  await api.mail('small', `${'y'.repeat(998)}\r\n`.repeat(lines));
  const small = pathOf(new Date(api.clock.now()).toISOString());
  // All that a client may have, but for one answer and what is asked for behind it.
  const begun = once(api.app.server, 'request') as Promise<[unknown, ServerResponse]>;
  const holder = new Client('127.0.0.66', '/api/inbox/empty/stream');
  const [, response] = await begun;
  api.app.largeAnswers.readerOf({ client: '127.0.0.66', response }).hold(HELD_BOUNDS.perClient - 64 * KIB);
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
  const stalled = new Client('127.0.0.66', ...Array<string>(MANY).fill(small));
  const [ours] = await accepted;
  await vi.waitFor(() => expect(ours.writableLength).toBeGreaterThan(0), PATIENCE);
  const late = new Client('127.0.0.66', small);
  expect(await new Client('127.0.0.2', small).hear('yyy')).toMatch(/^HTTP\/1\.1 200 /);
  let heard = '';
  const isHeard = late.hear('yyy').then((text) => {
    heard = text;
  });
  for (let turns = 0; turns < 200; turns += 1) await turn();
  expect(heard).toBe('');
  stalled.leave();
  holder.leave();
  await isHeard;
  expect(heard).toMatch(/^HTTP\/1\.1 200 /);
});
