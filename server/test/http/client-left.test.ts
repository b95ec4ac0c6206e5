import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Access } from '../../src/http/access.js';
import { whenLeft } from '../../src/http/client-left.js';
import { EventStreams } from '../../src/http/event-stream.js';
import type { Reply } from '../../src/http/framework.js';
import { OpenStreams } from '../../src/http/open-streams.js';
import type { Leaving } from '../../src/inbox/selecting.js';
import type { Wait } from '../../src/inbox/waiting.js';
import { openLog } from '../../src/log.js';
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
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  socket.destroy();
  await once(response, 'close');
  const open = new OpenStreams({ total: 1, perClient: 1 });
  const { inboxes, clock } = api;
  const access = { foundMailFor() {} } as unknown as Access;
  const streams = new EventStreams({ inboxes, access, streams: open, clock, log: openLog('silent', 'json') });
  streams.open('a', 'demo', response).begin(request, {});
  expect(() => streams.open('a', 'demo', response)).not.toThrow();
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
  expect(whenLeft({ raw } as Reply).aborted).toBe(true);
  server.close();
});
