import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from './api.js';

const MIB = 1024 * 1024;

/** More than the kernel keeps for both sides of a connection. */
const MAIL_BYTES = 16 * MIB;

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 50_000, interval: 5 };

let api: TestApi;
/** How many pieces of the email were made, and whether no more will be. */
let made: { pieces: number; isOver: boolean };

beforeEach(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  await api.mail('demo', `${'x'.repeat(998)}\r\n`.repeat(MAIL_BYTES / 1_000));
  made = { pieces: 0, isOver: false };
  const { show } = api.inboxes;
  api.inboxes.show = (...args) => {
    const shown = show.apply(api.inboxes, args);
    if (shown instanceof Promise || typeof shown === 'string') throw new Error('the email is too small for this test');
    return counted(shown);
  };
});

afterEach(() => api.close());

async function* counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of pieces) {
      made.pieces += 1;
      yield piece;
    }
  } finally {
    made.isOver = true;
  }
}

/** A client that has opened a stream and reads nothing, and the server's side of its connection, which waits for it. */
async function stuck(): Promise<{ client: Socket; ours: Socket }> {
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
  const client = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1')
    .setEncoding('latin1')
    .pause();
  client.write('GET /api/inbox/demo/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const [ours] = await accepted;
  // Until nothing more was made for many turns.
  for (let still = 0, before = 0; still < 500; still += 1) {
    await turn();
    expect(ours.writableLength).toBeLessThan(MIB);
    if (made.pieces !== before || made.pieces === 0) still = 0;
    before = made.pieces;
  }
  expect(made.isOver).toBe(false);
  return { client, ours };
}

test('an email is made no faster than the client of a stream reads, and comes whole, also where the service stops meanwhile', async () => {
  const { client } = await stuck();
  api.streams.endAll();
  let answer = '';
  for await (const text of client) answer += text;
  expect(made.isOver).toBe(true);
  expect(answer.match(/x/g)?.length).toBeGreaterThan(MAIL_BYTES * 0.99);
  expect(answer.endsWith('\r\n0\r\n\r\n')).toBe(true);
});

test('no more of an email is made when the client of a stream has left', async () => {
  const { client } = await stuck();
  const before = made.pieces;
  client.destroy();
  await vi.waitFor(() => expect(made.isOver).toBe(true), PATIENCE);
  // Some are on their way when it leaves, but not all of those that are left: they are several times as many.
  expect(made.pieces).toBeLessThan(2 * before);
});
