import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from '../../src/base/log.js';
import type { Access } from '../../src/http/access/access.js';
import { whenLeft } from '../../src/http/answer/client-left.js';
import { Compressing } from '../../src/http/answer/compressing.js';
import { EventStreams } from '../../src/http/answer/event-stream.js';
import { OpenStreams } from '../../src/http/answer/open-streams.js';
import type { Reply } from '../../src/http/framework.js';
import type { Leaving } from '../../src/inbox/read/selecting.js';
import type { Reader } from '../../src/inbox/threads/inspector.js';
import type { Wait } from '../../src/inbox/wait/waiting.js';
import { startApi, type TestApi } from './api.js';

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 10_000, interval: 5 };

let api: TestApi;

beforeEach(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => api.close());

function ask(path: string): Socket {
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

test('a list is looked for no longer when the client has left', async () => {
  const begun = new Promise<Leaving>((resolve) => {
    api.inboxes.read = async (_inbox, _selection, signal) => {
      resolve(signal);
      await vi.waitFor(() => expect(signal.aborted).toBe(true), PATIENCE);
      return '';
    };
  });
  const socket = ask('/api/inbox/demo');
  const signal = await begun;
  expect(signal.aborted).toBe(false);
  socket.destroy();
  await vi.waitFor(() => expect(signal.aborted).toBe(true), PATIENCE);
});

test('nobody waits for a stream whose client has left', async () => {
  const { wait } = api.inboxes;
  const begun = new Promise<Wait>((resolve) => {
    api.inboxes.wait = (...args) => {
      const waiting = wait.apply(api.inboxes, args);
      resolve(waiting);
      return waiting;
    };
  });
  const socket = ask('/api/inbox/demo/stream');
  const waiting = await begun;
  expect(waiting.aborted).toBe(false);
  socket.destroy();
  await vi.waitFor(() => expect(waiting.aborted).toBe(true), PATIENCE);
});

test('a stream whose client had left before it began takes no place', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  socket.destroy();
  await once(response, 'close');
  const open = new OpenStreams({ total: 1, perClient: 1 });
  const { inboxes, clock } = api;
  const access = { foundMailFor() {} } as unknown as Access;
  const { largeAnswers } = api.app;
  const shared = { inboxes, access, streams: open, largeAnswers, clock, log: openLog('silent', 'json') };
  const streams = new EventStreams(shared);
  const stream = await streams.open({ way: 'stream', client: 'a' }, 'demo', response);
  stream.begin({});
  expect(() => streams.open({ way: 'stream', client: 'a' }, 'demo', response)).not.toThrow();
  server.close();
});

/** Asks for a stream and, behind it, for what waits until that is over. */
function askBehindStream(paths: readonly string[]): Socket {
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  for (const path of ['/api/inbox/other/stream', ...paths]) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }
  return socket;
}

/** Has `inspect` make nothing, or what is given, and tell who asked. */
function readersOfInspections(count: number, made = async () => Buffer.from('{}')): Promise<Reader[]> {
  const readers: Reader[] = [];
  return new Promise((resolve) => {
    api.inboxes.messages.inspect = async (_inbox, _receivedAt, _kind, reader) => {
      if (readers.push(reader) === count) resolve(readers);
      return await made();
    };
  });
}

const PARTS = '/api/inbox/demo/2026-01-31T09:30:00.000Z/parts';

test('what is asked for behind a stream is not begun, whether the client stays or leaves', async () => {
  let begun = 0;
  void readersOfInspections(1).then(() => {
    begun += 1;
  });
  const stays = askBehindStream(Array.from({ length: 20 }, () => PARTS));
  const leaves = askBehindStream([PARTS]);
  await Promise.all([stays, leaves].map((socket) => once(socket, 'data')));
  leaves.destroy();
  // A stream is the last on its connection.
  api.streams.endAll();
  await once(stays.resume(), 'close');
  await vi.waitFor(async () => {
    expect(await new Promise((resolve) => api.app.server.getConnections((_, count) => resolve(count)))).toBe(0);
  }, PATIENCE);
  expect(begun).toBe(0);
});

test('a client that does not read an inspection can be cut, and what is made for it is over', async () => {
  const asked = readersOfInspections(1, () => new Promise(() => {}));
  const socket = ask(PARTS).resume();
  const [reader] = await asked;
  expect(reader?.signal.aborted).toBe(false);
  reader?.cut();
  await once(socket, 'close');
  await vi.waitFor(() => expect(reader?.signal.aborted).toBe(true), PATIENCE);
});

test('an answer that waited behind another is over when it has been read, and its connection goes on', async () => {
  const asked = readersOfInspections(2);
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  socket.write(`GET ${PARTS} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(2));
  socket.resume();
  const readers = await asked;
  await vi.waitFor(() => expect(readers.map(({ signal }) => signal.aborted)).toEqual([true, true]), PATIENCE);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('the place of who compresses for somebody behind another answer is given back when that client leaves', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n'.repeat(2));
  const raw = await new Promise<ServerResponse>((resolve) => {
    server.on('request', (_request, response) => {
      if (response.socket === null) resolve(response);
    });
  });
  const reply = { raw, request: raw.req, getHeader() {}, header() {} } as unknown as Reply;
  const compressing = new Compressing();
  while (compressing.begin(reply, 1_000_000) !== null);
  socket.destroy();
  const next = { ...reply, raw: { req: { socket: new EventEmitter() }, on() {} } } as unknown as Reply;
  await vi.waitFor(() => expect(compressing.begin(next, 1_000_000)).not.toBeNull(), PATIENCE);
  server.close();
});

test('a client that stays has the whole list', async () => {
  for (let n = 0; n < 20; n++) await api.mail('demo', 'x'.repeat(50_000));
  const { port } = api.app.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/inbox/demo`);
  expect(await response.json()).toMatchObject({ count: 20 });
});

test('the signal of a client that had left before anybody asked is aborted', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse];
  socket.destroy();
  await once(raw, 'close');
  expect(whenLeft(raw).aborted).toBe(true);
  server.close();
});
