import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from './api.js';

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 10_000, interval: 5 };

let api: TestApi;

beforeEach(async () => {
  api = await startApi({ maxStreams: 5, maxStreamsPerClient: 3 });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => api.close());

/** Asks for so many streams in one packet, and resolves when the first is open. */
async function ask(count: number): Promise<{ socket: Socket; answer: string }> {
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  socket.write('GET /api/inbox/demo/stream HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
  const [answer] = await once(socket, 'data');
  return { socket, answer };
}

test('streams that stand behind another on their connection take no place, and that gives its own back when the client leaves', async () => {
  await api.close();
  api = await startApi({ maxStreams: 5, maxStreamsPerClient: 1 });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  for (let n = 0; n < 3; n++) {
    const { socket, answer } = await ask(30);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect((await api.app.inject('/api/inbox/demo/stream')).statusCode).toBe(429);
    socket.destroy();
    await vi.waitFor(async () => {
      const next = await ask(1);
      next.socket.destroy();
      expect(next.answer).toMatch(/^HTTP\/1\.1 200 /);
    }, PATIENCE);
    await vi.waitFor(async () => {
      const connections = await new Promise((resolve) => api.app.server.getConnections((_, count) => resolve(count)));
      expect(connections).toBe(0);
    }, PATIENCE);
  }
});
