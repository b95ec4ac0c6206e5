import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { endAll, serve } from '../service/process.js';
import { scrapedText, startCounting } from './scrape.js';

const service = await startCounting();
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  endAll();
});
afterAll(() => service.stop());

/** Connects to the metrics listener at the address in the ready line. */
async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(service.metricsUrl as string);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes, and resolves to the whole response. */
async function talk(bytes: string): Promise<string> {
  const socket = await connected();
  socket.write(bytes);
  return await text(socket);
}

test('the metrics listener serves Prometheus text to this machine only', async () => {
  expect(service.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const response = await fetch(service.metricsUrl as string);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const head = await fetch(service.metricsUrl as string, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('the ready line contains the metrics address if metrics are enabled', async () => {
  const mayfly = await serve(['--store', 'memory:', '--metrics', '0']);
  const [, url = ''] = / metrics=(http:\/\/127\.0\.0\.1:\d+\/metrics)\n/.exec(mayfly.output()) ?? [];
  expect((await fetch(url)).status).toBe(200);
  expect((await serve(['--store', 'memory:'])).output()).not.toContain('metrics');
});

test('promtool check metrics accepts the metrics', needs('promtool'), async () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], {
    input: await scrapedText(service),
    encoding: 'utf8',
  });
  // Ignores complaints about the names of the library's process metrics, because these names are established.
  const own = checked.stderr.split('\n').filter((line) => line !== '' && !/^(?:nodejs|process)_/.test(line));
  expect([checked.error, own]).toEqual([undefined, []]);
  const broken = spawnSync('promtool', ['check', 'metrics'], { input: 'mayfly_broken{', encoding: 'utf8' });
  expect(broken.status).not.toBe(0);
});

test.each([
  ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 404, 'not-found', 'serves only /metrics'],
  ['GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n', 404, 'not-found'],
  ['GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n', 404, 'not-found'],
  ['GET /metricsx HTTP/1.1\r\nHost: localhost\r\n\r\n', 404, 'not-found'],
  ['POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n', 405, 'method-not-allowed'],
  ['GET /metrics HTTP/1.1\r\nHost: rebound.example\r\n\r\n', 400, 'foreign-host'],
  ['GET /metrics HTTP/1.1\r\n\r\n', 400, 'no-host'],
  ['GET /metrics HTTP/1.0\r\n\r\n', 400, 'foreign-host', 'or is missing'],
  ['GET http://rebound.example/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'foreign-host'],
])('the metrics listener rejects %j', async (request, status, code, sentence = '') => {
  const answer = await talk(request);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain(`mayfly-error: ${code}\r\n`);
  expect(answer).toContain(sentence);
  expect(answer).not.toContain('mayfly_build_info');
});

test.each(['/metrics', '/metrics?name=a', 'http://localhost/metrics', 'HTTP://127.0.0.1:80/metrics?name=a'])(
  'the metrics listener answers the target %s (RFC 9112 section 3.2)',
  async (target) => {
    expect(await talk(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toContain('mayfly_build_info');
  },
);

test('the metrics listener drops a request that never completes although bytes keep arriving', async () => {
  const socket = await connected();
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ');
  const dripping = setInterval(() => socket.write('x'), 200);
  socket.on('error', () => {});
  expect(await text(socket).catch(() => '')).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  clearInterval(dripping);
});
