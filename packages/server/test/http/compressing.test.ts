import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { noise } from '../store/mail.js';
import { startApi, type TestApi, type TestApiOptions } from './api.js';

let api: TestApi;

async function restart(options: TestApiOptions): Promise<void> {
  await api.close();
  api = await startApi(options);
}

beforeEach(async () => {
  api = await startApi();
});

afterEach(() => api.close());

type Headers = Record<string, string>;

const ask = (url: string, headers: Headers = {}) => api.app.inject({ url, headers });

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

/** What an answer says once it is decoded. */
async function decoded(url: string, headers: Headers): Promise<{ encoding: unknown; text: string }> {
  const { headers: answered, rawPayload } = await ask(url, headers);
  const encoding = answered['content-encoding'];
  return { encoding, text: (DECODERS[String(encoding)] ?? Buffer.from)(rawPayload).toString() };
}

/** Text of which nothing repeats. */
const noisy = (bytes: number) => noise(bytes).toString('base64');

const KIB = 1024;

describe('a large answer', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.9, identity;q=0.7', 'gzip'],
    ['br ; q=0.8,gzip;q=0.8', 'br'],
    ['gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0.000', undefined],
    ['identity, br;q=0.9, gzip;q=0.9', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['br;q=nothing', undefined],
    ['gzip;q=0.5;q=1', 'gzip'],
    [';;,,;q=1', undefined],
    ['*;q=0', undefined],
    ['', undefined],
    [`${'x, '.repeat(400)}gzip`, undefined],
  ])('accepting %.50j comes as %s', async (accepted, encoding) => {
    await api.mail('demo', 'line of "text" 字\r\n'.repeat(5_000));
    const plain = await ask('/api/inbox/demo');
    const answer = await decoded('/api/inbox/demo', { 'accept-encoding': accepted });
    expect(answer).toEqual({ encoding, text: plain.body });
  });

  test.each([
    ['of one piece', 100 * KIB, 1],
    ['of one piece, that of many mails', 10 * KIB, 15],
    ['of several pieces', 300 * KIB, 1],
    ['of several pieces, those of many mails', 100 * KIB, 15],
    ['of several megabytes', 6_000 * KIB, 1],
  ])('%s is the same once it is decoded, and smaller', async (_, bytes, count) => {
    for (let i = 0; i < count; i++) await api.mail('demo', noisy(bytes));
    const plain = await ask('/api/inbox/demo');
    expect(plain.headers.vary).toBe('Accept-Encoding');
    for (const encoding of ['br', 'gzip']) {
      const answer = await ask('/api/inbox/demo', { 'accept-encoding': encoding });
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Accept-Encoding',
      });
      expect(answer.headers).not.toHaveProperty('content-length');
      expect(answer.rawPayload.length).toBeLessThan(0.85 * plain.rawPayload.length);
      expect(DECODERS[encoding]?.(answer.rawPayload).equals(plain.rawPayload)).toBe(true);
    }
  });

  test('depends on its origin too where others may read it', async () => {
    await restart({ corsOrigins: ['https://a.test', 'https://b.test'] });
    await api.mail('demo', noisy(100 * KIB));
    for (const accepted of ['gzip', 'identity']) {
      const { headers } = await ask('/api/inbox/demo', { origin: 'https://a.test', 'accept-encoding': accepted });
      expect(headers.vary).toBe('Origin, Accept-Encoding');
      expect(headers['access-control-allow-origin']).toBe('https://a.test');
    }
  });
});

describe('is sent as it is', () => {
  const ACCEPTING = { 'accept-encoding': 'br, gzip' };

  test('an answer below 64 KiB, which depends on no header', async () => {
    await api.mail('demo', 'x'.repeat(56 * KIB));
    const { headers, rawPayload } = await ask('/api/inbox/demo', ACCEPTING);
    expect(rawPayload.length).toBeLessThan(64 * KIB);
    expect(headers['content-length']).toBe(`${rawPayload.length}`);
    for (const name of ['vary', 'content-encoding']) expect(headers).not.toHaveProperty(name);
    await api.mail('demo', 'x'.repeat(8 * KIB));
    expect((await ask('/api/inbox/demo', ACCEPTING)).headers['content-encoding']).toBe('br');
  });

  test('a stream, however large its email', async () => {
    await api.mail('demo', 'x'.repeat(1_000 * KIB));
    const response = await ask('/api/inbox/demo/stream', ACCEPTING);
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(response.body.startsWith(': connected\n\ndata: {"to":')).toBe(true);
  });
});

describe('many at once', () => {
  let url: string;
  const begun: IncomingMessage[] = [];

  afterEach(() => {
    for (const response of begun.splice(0)) response.destroy();
  });

  beforeEach(async () => {
    await restart({ trusted: [parseRange('127.0.0.1') as AddressRange] });
    await api.mail('demo', noisy(16_000 * KIB));
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/inbox/demo`;
  });

  /** An answer whose body nobody reads, so that it is not over. The proxy says whose it is. */
  async function begin(client = '192.0.2.1'): Promise<IncomingMessage> {
    const headers = { 'accept-encoding': 'gzip', 'x-forwarded-for': client };
    const request = get(url, { agent: false, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    begun.push(response);
    return response;
  }

  async function bytesOf(response: IncomingMessage): Promise<number> {
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    return bytes;
  }

  test('a third of one client comes as it is, at once, and places are given back at the end', async () => {
    const [first, second] = [await begin(), await begin()];
    const third = await begin();
    expect([first, second, third].map(({ headers }) => headers['content-encoding'])).toEqual([
      'gzip',
      'gzip',
      undefined,
    ]);
    const plain = await bytesOf(third);
    expect(plain).toBeGreaterThan(16_000 * KIB);
    const compressed = await Promise.all([bytesOf(first), bytesOf(second)]);
    for (const bytes of compressed) expect(bytes).toBeLessThan(0.85 * plain);
    const after = await begin();
    expect(after.headers['content-encoding']).toBe('gzip');
  });
});
