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

test('streams that wait behind another on their connection are closed with it', async () => {
  for (let n = 0; n < 3; n++) {
    const { socket, answer } = await ask(3);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const full = await api.app.inject('/api/inbox/demo/stream');
    expect(full.statusCode).toBe(429);
    socket.destroy();
    await vi.waitFor(async () => {
      const { socket: next, answer: nextAnswer } = await ask(1);
      next.destroy();
      expect(nextAnswer).toMatch(/^HTTP\/1\.1 200 /);
    }, PATIENCE);
    // Those that only tried are gone too.
    await vi.waitFor(async () => {
      const three = await Promise.all([ask(1), ask(1), ask(1)]);
      for (const { socket: each } of three) each.destroy();
      for (const each of three) expect(each.answer).toMatch(/^HTTP\/1\.1 200 /);
    }, PATIENCE);
  }
});

test('many that wait behind another are nothing to warn of', async () => {
  await api.close();
  api = await startApi({ maxStreams: 30, maxStreamsPerClient: 30 });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const { socket } = await ask(30);
  await vi.waitFor(async () => expect((await api.app.inject('/api/inbox/demo/stream')).statusCode).toBe(429), PATIENCE);
  // A warning is told a moment later.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
  socket.destroy();
});
