import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { noise } from '../store/mail.js';
import { api, restart, startApiForEachTest } from './api.js';

startApiForEachTest();

type Headers = Record<string, string>;

const ask = (url: string, headers: Headers = {}) => api.app.inject({ url, headers });

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

async function decoded(url: string, headers: Headers): Promise<{ encoding: unknown; text: string }> {
  const { headers: answered, rawPayload } = await ask(url, headers);
  const encoding = answered['content-encoding'];
  return { encoding, text: (DECODERS[String(encoding)] ?? Buffer.from)(rawPayload).toString() };
}

/** Returns text without repetitions, which hardly compresses. */
const noisy = (bytes: number) => noise(bytes).toString('base64');

const KIB = 1024;

describe('a large response', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP ; q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.000', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    [';;,,;q=1', undefined],
    ['', undefined],
    [`${'x, '.repeat(400)}gzip`, undefined],
  ])('to a request that accepts %.50j is encoded as %s', async (accepted, encoding) => {
    await api.mail('demo', 'line of "text" 字\r\n'.repeat(5_000));
    const plain = await ask('/api/inbox/demo');
    const answer = await decoded('/api/inbox/demo', { 'accept-encoding': accepted });
    expect(answer).toEqual({ encoding, text: plain.body });
  });

  test.each([
    ['of one piece', 100 * KIB, 1],
    ['of one piece, with many emails', 10 * KIB, 15],
    ['of several pieces', 300 * KIB, 1],
    ['of several pieces, with many emails', 100 * KIB, 15],
    ['of several megabytes', 6_000 * KIB, 1],
  ])('%s is smaller when compressed, and identical once decoded', async (_, bytes, count) => {
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

  test('has the header "Vary: Origin, Accept-Encoding" if CORS is enabled', async () => {
    await restart({ corsOrigins: ['https://a.test', 'https://b.test'] });
    await api.mail('demo', noisy(100 * KIB));
    for (const accepted of ['gzip', 'identity']) {
      const { headers } = await ask('/api/inbox/demo', { origin: 'https://a.test', 'accept-encoding': accepted });
      expect(headers.vary).toBe('Origin, Accept-Encoding');
      expect(headers['access-control-allow-origin']).toBe('https://a.test');
    }
  });
});

describe('a response without compression', () => {
  const ACCEPTING = { 'accept-encoding': 'br, gzip' };

  test('is sent for a JSON body of less than 64 KiB, and has no Vary header', async () => {
    await api.mail('demo', 'x'.repeat(56 * KIB));
    const { headers, rawPayload } = await ask('/api/inbox/demo', ACCEPTING);
    expect(rawPayload.length).toBeLessThan(64 * KIB);
    expect(headers['content-length']).toBe(`${rawPayload.length}`);
    for (const name of ['vary', 'content-encoding']) expect(headers).not.toHaveProperty(name);
    await api.mail('demo', 'x'.repeat(8 * KIB));
    expect((await ask('/api/inbox/demo', ACCEPTING)).headers['content-encoding']).toBe('br');
  });

  test('is sent by the stream route, however large the email is', async () => {
    await api.mail('demo', 'x'.repeat(1_000 * KIB));
    const response = await ask('/api/inbox/demo/stream', ACCEPTING);
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(response.body.startsWith(': connected\n\ndata: {"to":')).toBe(true);
  });
});
