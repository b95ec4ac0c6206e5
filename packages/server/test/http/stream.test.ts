import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { messageRecord } from '../../src/inbox/ingest/stored-message.js';
import { api, startApiForEachTest } from './api.js';

startApiForEachTest({ maxStreams: 5, maxStreamsPerClient: 3 });

/** An open stream with the text received so far, and whether it has ended. */
class OpenStream {
  text = '';
  ended = false;

  constructor(body: Readable) {
    body.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
    });
    body.on('end', () => {
      this.ended = true;
    });
  }
}

async function open(path = 'demo/stream', remoteAddress = '127.0.0.1'): Promise<OpenStream> {
  const url = `/api/inbox/${path}`;
  const response = await api.app.inject({ url, remoteAddress, payloadAsStream: true });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('text/event-stream');
  const stream = new OpenStream(response.stream());
  await api.clock.advance(0);
  return stream;
}

async function newestJson(path = 'demo'): Promise<string> {
  const response = await api.app.inject({ url: `/api/inbox/${path}` });
  return response.body.slice('{"emails":['.length, response.body.lastIndexOf('],"count"'));
}

describe('GET /api/inbox/{name}/stream (interface sections 4.2 and 6)', () => {
  test('without mail, sends connected, then keepalives at 10 s and 20 s, then the timeout at 30 s', async () => {
    const stream = await open();
    expect(stream.text).toBe(': connected\n\n');
    await api.clock.advance(9_999);
    expect(stream.text).toBe(': connected\n\n');
    await api.clock.advance(1);
    expect(stream.text).toBe(': connected\n\n: keepalive\n\n');
    await api.clock.advance(10_000);
    expect(stream.text).toBe(': connected\n\n: keepalive\n\n: keepalive\n\n');
    await api.clock.advance(9_999);
    expect(stream.ended).toBe(false);
    await api.clock.advance(1);
    expect(stream.text).toBe(': connected\n\n: keepalive\n\n: keepalive\n\ndata: __timeout__\n\n');
    expect(stream.ended).toBe(true);
  });

  test('sends the newest stored email immediately, on one line', async () => {
    await api.mail('demo', 'first');
    await api.mail('demo', 'line one\r\nline two');
    const stream = await open();
    const [newest] = JSON.parse(`[${await newestJson()}]`);
    expect(stream.text).toMatch(/^: connected\n\ndata: [^\n]*\n\n$/);
    expect(JSON.parse(stream.text.slice(': connected\n\ndata: '.length))).toEqual(newest);
    expect(newest.rawBody).toContain('line one\r\nline two');
    expect(stream.ended).toBe(true);
  });

  test('sends new mail without waiting for the next check', async () => {
    const stream = await open();
    await api.clock.advance(12_500);
    await api.mail('demo', 'Your code is 482913');
    await api.clock.advance(0);
    expect(stream.text).toBe(`: connected\n\n: keepalive\n\ndata: ${await newestJson()}\n\n`);
    expect(stream.ended).toBe(true);
  });

  test.each([
    { told: 'reads the inbox, because the store cannot confirm that it announced all mail', toldAll: false },
    { told: 'does not read the inbox, because the store confirms that it announced all mail', toldAll: true },
  ])('at each scheduled check, $told', async ({ toldAll }) => {
    const [stores, checks] = [[] as number[], [] as number[]];
    const start = api.clock.now();
    const { list } = api.store;
    api.store.list = (...args) => {
      stores.push(api.clock.now() - start);
      return list.apply(api.store, args);
    };
    api.store.hasToldAll = async () => {
      checks.push(api.clock.now() - start);
      return toldAll;
    };
    const stream = await open();
    await api.clock.advance(30_000);
    const every = (from: number, to: number, step: number) =>
      Array.from({ length: (to - from) / step }, (_, n) => from + (n + 1) * step);
    const schedule = [...every(0, 2_000, 500), ...every(2_000, 10_000, 1_000), ...every(10_000, 30_000, 2_000)];
    expect(checks).toEqual(schedule);
    expect(stores).toEqual(toldAll ? [0] : [0, ...schedule]);
    expect(stream.ended).toBe(true);
  });

  test('sends an email that arrived in the last millisecond, instead of the timeout event', async () => {
    api.store.hasToldAll = async () => false;
    const stream = await open();
    await api.clock.advance(29_999);
    await api.store.append(
      {
        receivedAt: api.clock.now(),
        recipients: [{ inbox: 'demo', to: 'demo@inbox.example.com' }],
        index: Buffer.from([0]),
        summary: Buffer.alloc(0),
        content: [messageRecord({ id: 'late' }, 'utf8')],
      },
      api.clock.now(),
    );
    await api.clock.advance(1);
    expect(stream.text).toContain('"id":"late"');
    expect(stream.text).not.toContain('__timeout__');
  });

  describe('waiting for the email (D9)', () => {
    test('only a matching email ends the stream', async () => {
      await api.mail('demo', 'Welcome', { Subject: 'Welcome' });
      const stream = await open('demo/stream?subject=code&hasOtp=true');
      await api.mail('demo', 'Your receipt', { Subject: 'Receipt' });
      await api.clock.advance(5_000);
      expect(stream.text).toBe(': connected\n\n');
      await api.mail('demo', 'It is 482913, your code', { Subject: 'Your code' });
      await api.clock.advance(0);
      expect(stream.text).toMatch(/"otp":"482913"/);
      expect(stream.ended).toBe(true);
    });

    test('ends after 30 s, even if mail that does not match arrives during every read', async () => {
      const { list } = api.store;
      api.store.list = async (...query) => {
        await api.mail('demo', 'Welcome', { Subject: 'Welcome' });
        return list.apply(api.store, query);
      };
      const stream = await open('demo/stream?subject=code');
      await api.clock.advance(30_000);
      await expect.poll(() => stream.text).toContain('__timeout__');
    });

    test('?after excludes the email at that time and all earlier ones', async () => {
      await api.mail('demo');
      const { receivedAt } = JSON.parse(await newestJson());
      const stream = await open(`demo/stream?after=${receivedAt}`);
      expect(stream.text).toBe(': connected\n\n');
      await api.mail('demo', 'later');
      await api.clock.advance(0);
      expect(stream.text).toContain('later');
    });
  });

  describe('bounds (D13)', () => {
    const refused = async (remoteAddress: string) => api.app.inject({ url: '/api/inbox/demo/stream', remoteAddress });

    test('a stream beyond the limit for an address gets 429 until an open stream of the address ends', async () => {
      for (let n = 0; n < 3; n++) await open('demo/stream', '192.0.2.1');
      const response = await refused('192.0.2.1');
      expect(response.statusCode).toBe(429);
      expect(response.json().error).toMatch(
        /^Too many open streams from your address\. The limit is 3 \(--streams-per-client\)\./,
      );
      expect(response.headers['retry-after']).toBe('1');
      await api.clock.advance(30_000);
      expect((await open('demo/stream', '192.0.2.1')).ended).toBe(false);
    });

    test('a stop ends every stream, and sends no event', async () => {
      const stream = await open();
      api.streams.endAll();
      await api.clock.advance(0);
      expect(stream.text).toBe(': connected\n\n');
      expect(stream.ended).toBe(true);
    });
  });
});
