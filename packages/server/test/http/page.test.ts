import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { filesIn } from 'mayfly-cli';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPageFiles } from '../../src/http/routes/inbox-page.js';
import { startApi, type TestApi } from './api.js';

const FILES = { 'index.html': '<!doctype html><title>Mayfly</title>', 'assets/index-1a2b.js': 'export {};' };

let folder: string;
let api: TestApi;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-page-'));
  await mkdir(path.join(folder, 'assets'));
  for (const [name, text] of Object.entries(FILES)) {
    await writeFile(path.join(folder, name), text);
    await writeFile(path.join(folder, `${name}.gz`), gzipSync(text));
    await writeFile(path.join(folder, `${name}.br`), brotliCompressSync(text));
  }
});

beforeEach(async () => {
  api = await startApi({ page: await readPageFiles(filesIn(folder)) });
});

afterEach(() => api.close());
afterAll(() => rm(folder, { recursive: true }));

describe('the web UI', () => {
  test.each(['/', '/inbox/demo', '/inbox/demo?x=1', '/inbox/a..b'])(
    'is served at %s under a strict policy',
    async (url) => {
      const response = await api.app.inject(url);
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe(FILES['index.html']);
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      const policy = String(response.headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(response.headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      const denied = String(response.headers['permissions-policy']).split(', ');
      expect(denied).toEqual(expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()', 'usb=()']));
      expect(denied).not.toContain('clipboard-write=()');
    },
  );

  test('lets browsers cache its assets forever', async () => {
    const response = await api.app.inject('/assets/index-1a2b.js');
    expect(response.body).toBe(FILES['assets/index-1a2b.js']);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    ['gzip, deflate, br', 'br'],
    ['BR;q=0.1, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    ['', undefined],
    ['br;q=0.000', undefined],
  ])('responds to Accept-Encoding %j with %s', async (accepted, encoding) => {
    const response = await api.app.inject({ url: '/', headers: { 'accept-encoding': accepted } });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers.vary).toBe('accept-encoding');
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(encoding)] ?? Buffer.from;
    expect(decode(response.rawPayload).toString()).toBe(FILES['index.html']);
  });

  test.each(['/assets/', '/assets/index-1a2b.js.br', '/assets/..%2Findex.html', '/index.html', '/inbox', '/inbox/a/b'])(
    'does not exist at %s',
    async (url) => {
      const response = await api.app.inject(url);
      expect(response.statusCode).toBe(404);
      expect(response.json().error).toMatch(/^There is nothing at this path\./);
    },
  );

  test('does not exist when it is turned off', async () => {
    await api.close();
    api = await startApi({ page: null });
    for (const url of ['/', '/inbox/demo']) expect((await api.app.inject(url)).statusCode).toBe(404);
  });
});

describe('GET /api/settings', () => {
  test('returns the settings that the web UI shows', async () => {
    await api.close();
    api = await startApi({ fetchRate: { count: 20, windowMs: 10_000 }, readRate: { count: 600, windowMs: 10_000 } });
    expect((await api.app.inject('/api/settings')).json()).toEqual({
      domains: ['inbox.example.com'],
      smtp: { host: '127.0.0.1', port: 2525 },
      smtps: null,
      retentionMs: 1_800_000,
      sendApis: {},
      fetchLimit: { count: 20, windowMs: 10_000 },
      readLimit: { count: 600, windowMs: 10_000 },
      lookLimit: { count: 600, windowMs: 10_000 },
      waitlist: true,
      allMail: false,
      now: '2026-01-01T00:00:00.000Z',
    });
  });
});
