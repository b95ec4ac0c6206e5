import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { READ_MS } from '../../src/http/connection/connections.js';
import type { HttpEvents } from '../../src/http/http-events.js';
import { LEAST_BYTES_PER_SECOND } from '../../src/limits/client-memory.js';
import { MAX_WAIT_MS } from '../../src/limits/semaphore.js';
import { startApi, type TestApi, type TestApiOptions } from './api.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Size of the large email, more than the kernel buffers on both sides of a connection. */
const MAIL_BYTES = 16 * MIB;

/** Maximum number of concurrent chunked responses to one client. */
const PER_CLIENT = 16;
/** Time limits for expected events on a busy machine. */
const PATIENCE = { timeout: 50_000, interval: 5 };

let api: TestApi;
let port: number;
let large: string;
const clients: Client[] = [];

/** The limits that were reached, in order. */
let limited: string[];

/** Starts the API with the large email in an inbox. */
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

/** Sends requests on one connection and reads only as much as required. */
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

  /** Reads until this text arrives, and returns everything read. */
  async hear(what: string): Promise<string> {
    for await (const text of this.#socket.iterator({ destroyOnReturn: false })) {
      this.#heard += text;
      if (this.#heard.includes(what)) break;
    }
    return this.#heard;
  }

  /** Reads until the connection ends. */
  async readOn(): Promise<void> {
    this.#socket.resume();
    await once(this.#socket, 'close');
  }

  /** Whether unread bytes have arrived. */
  get isAnswered(): boolean {
    return this.#socket.readableLength > 0;
  }

  /** Receives bytes into the socket's buffer without consuming them. */
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

/** Connects another client, and resolves when the server has received the client's request without answering it. */
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
  test('is sent to a client in 16 concurrent responses, and a 17th request gets 503 after ten seconds', async () => {
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
});

test('a stream whose client has too many unread responses sends no event, and closes after ten seconds', async () => {
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

test.each(kinds)('a client that stops reading %s is disconnected', async (_, path) => {
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
  const client = new Client('127.0.0.66', path());
  const [ours] = await accepted;
  await client.hear('\r\n\r\n');
  await api.clock.advance(READ_MS - 1);
  expect(ours.destroyed).toBe(false);
  // JSON escapes line ends, which makes the message about 10 % larger.
  await api.clock.advance(((1.1 * MAIL_BYTES) / LEAST_BYTES_PER_SECOND) * 1_000 + 1);
  expect(ours.destroyed).toBe(true);
});

test.each([
  ['less than 128 KiB a second is disconnected', 512 * KIB, false],
  ['more receives the whole response, however long that takes', 4 * MIB, true],
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

/** Requests the message. Returns the client's socket, which the caller reads, and the server's socket. */
async function reader({ stays = false } = {}): Promise<{ client: Socket; ours: Socket }> {
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1').on('error', () => {});
  const connection = stays ? 'keep-alive' : 'close';
  client.write(`GET ${large}/raw HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`);
  const [ours] = await accepted;
  return { client, ours };
}
