import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whenLeft } from '../../src/http/client-left.js';
import type { Reply } from '../../src/http/framework.js';
import { startApi, type TestApi } from './api.js';

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

test.each(['read', 'wait'] as const)('the signal of %s is aborted when the client has left', async (operation) => {
  const begun = new Promise<AbortSignal>((resolve) => {
    api.inboxes[operation] = async (_inbox, _selection, signal) => {
      resolve(signal);
      await once(signal, 'abort');
      return (async function* () {})();
    };
  });
  const socket = ask(operation === 'read' ? '/api/inbox/demo' : '/api/inbox/demo/stream');
  const signal = await begun;
  expect(signal.aborted).toBe(false);
  socket.destroy();
  if (!signal.aborted) await once(signal, 'abort');
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
