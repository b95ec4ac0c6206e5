import { execFile, spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StartedMayfly } from 'mayfly-inbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { type Log, openLog } from '../../src/base/log.js';
import { startMetrics } from '../../src/metrics/metrics-listener.js';
import { endAll, serve } from '../service/process.js';
import { scrapedText, startCounting } from './scrape.js';

const run = promisify(execFile);

const PACKAGE = fileURLToPath(new URL('../../bin/start-mayfly.js', import.meta.url));

let service: StartedMayfly | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service?.stop();
  service = undefined;
  endAll();
});

/** Connects to the listener of the metrics, by the address that it told. */
async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(service?.metricsUrl as string);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** All that comes back for some bytes. */
async function talk(bytes: string): Promise<string> {
  const socket = await connected();
  socket.write(bytes);
  return await text(socket);
}

test('is Prometheus text, and on this machine alone', async () => {
  service = await startCounting();
  expect(service.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const response = await fetch(service.metricsUrl as string);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const head = await fetch(service.metricsUrl as string, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('the ready line says where they are, and only where they were asked for', async () => {
  const mayfly = await serve(['--store', 'memory:', '--metrics', '0']);
  const [, url = ''] = / metrics=(http:\/\/127\.0\.0\.1:\d+\/metrics)\n/.exec(mayfly.output()) ?? [];
  expect((await fetch(url)).status).toBe(200);
  expect((await serve(['--store', 'memory:'])).output()).not.toContain('metrics');
});

test('passes the check of promtool', needs('promtool'), async () => {
  service = await startCounting();
  const checked = spawnSync('promtool', ['check', 'metrics'], {
    input: await scrapedText(service),
    encoding: 'utf8',
  });
  // The library's own figures of the process are called as they always were.
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
])('%j is refused', async (request, status, code, sentence = '') => {
  service = await startCounting();
  const answer = await talk(request);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain(`mayfly-error: ${code}\r\n`);
  expect(answer).toContain(sentence);
  expect(answer).not.toContain('mayfly_build_info');
});

test.each(['/metrics', '/metrics?name=a', 'http://localhost/metrics', 'HTTP://127.0.0.1:80/metrics?name=a'])(
  'the target %s is answered (RFC 9112 section 3.2)',
  async (target) => {
    service = await startCounting();
    expect(await talk(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toContain('mayfly_build_info');
  },
);

test('headers that are too large are refused', async () => {
  service = await startCounting();
  expect(await talk(`GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  );
});

test('many requests sent at once on a connection get one answer', async () => {
  service = await startCounting();
  const answers = await talk('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500));
  expect(answers.split('mayfly_build_info{').length - 1).toBe(1);
});

test('a request that never comes whole is given up, though some of it always comes', async () => {
  service = await startCounting();
  const socket = await connected();
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ');
  const dripping = setInterval(() => socket.write('x'), 200);
  socket.on('error', () => {});
  expect(await text(socket).catch(() => '')).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  clearInterval(dripping);
});

test('connections beyond the bound are closed, and serving goes on', async () => {
  service = await startCounting();
  const waiting: Socket[] = [];
  for (let i = 0; i < 32; i += 1) waiting.push(await connected());
  const beyond = await connected().catch(() => null);
  if (beyond !== null) expect(await text(beyond).catch(() => '')).toBe('');
  for (const socket of waiting) socket.destroy();
  await expect.poll(async () => (await fetch(service?.metricsUrl as string).catch(() => null))?.status).toBe(200);
});

describe('the listener by itself', () => {
  const MIB = 1024 * 1024;
  const requests = 'http.server.request.start';
  /** The server's side of each request's connection. */
  const begun: Socket[] = [];
  const note = (message: unknown) => void begun.push((message as { socket: Socket }).socket);

  beforeEach(() => {
    begun.length = 0;
    subscribe(requests, note);
  });
  afterEach(() => void unsubscribe(requests, note));

  const listening = (collect: () => Promise<string>, log: Log = openLog('silent', 'json')) =>
    startMetrics({ host: '127.0.0.1', port: 0, metrics: { text: collect, contentType: 'text/plain' }, log });

  /** Asks, and reads nothing of the answer. */
  function ask(url: string): Socket {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    sockets.push(socket.on('error', () => {}));
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  }

  test('collects once for all who ask meanwhile, and again for who comes later', async () => {
    let collected = 0;
    let give = (_text: string) => {};
    const metrics = await listening(() => {
      collected += 1;
      return new Promise((resolve) => {
        give = resolve;
      });
    });
    const asked = [ask(metrics.url), ask(metrics.url), ask(metrics.url)];
    await expect.poll(() => begun.length).toBe(3);
    give('all the same');
    for (const socket of asked) expect(await text(socket)).toMatch(/\r\n\r\nall the same$/);
    expect(collected).toBe(1);
    const later = ask(metrics.url);
    await expect.poll(() => collected).toBe(2);
    give('another');
    expect(await text(later)).toMatch(/\r\n\r\nanother$/);
    await metrics.stop();
  });

  test('makes one answer of many that are asked for on a connection at once', async () => {
    const log = openLog('silent', 'json');
    let failed = 0;
    const counting = Object.assign(Object.create(log) as Log, { error: () => (failed += 1) });
    const metrics = await listening(() => Promise.reject(new Error('This cannot be collected.')), counting);
    const socket = connect(Number(new URL(metrics.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 500 /);
    await metrics.stop();
    expect(failed).toBe(1);
  });

  test('waits for nobody when it stops', async () => {
    const metrics = await listening(() => new Promise(() => {}));
    const socket = ask(metrics.url);
    await expect.poll(() => begun.length).toBe(1);
    await metrics.stop();
    expect(await text(socket).catch(() => '')).toBe('');
  });

  test('cuts a client that reads nothing of its answer', async () => {
    const metrics = await listening(async () => 'x'.repeat(64 * MIB));
    ask(metrics.url);
    await expect.poll(() => begun.length).toBe(1);
    await expect.poll(() => begun[0]?.destroyed).toBe(true);
    await metrics.stop();
  });

  test('serves so many at one moment', async () => {
    const metrics = await listening(() => new Promise(() => {}));
    for (let n = 0; n < 40; n += 1) ask(metrics.url);
    await expect.poll(() => begun.length).toBe(32);
    await metrics.stop();
    expect(begun).toHaveLength(32);
  });
});

test('a port that is taken ends the start with a sentence, and nothing stays open', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  await expect(startCounting({ metrics: port })).rejects.toThrow(
    `metrics: port ${port} of 127.0.0.1 is in use by another program. Stop that program, or choose another port.`,
  );
  taken.close();
});

test('an address that is not of this machine is told by its own setting', async () => {
  await expect(startCounting({ metrics: '192.0.2.1:9464' })).rejects.toThrow(
    'metrics: 192.0.2.1 is not an address of this machine.',
  );
});

test('it is closed when the service is', async () => {
  const mayfly = await startCounting();
  const held = fetch(mayfly.metricsUrl as string);
  await (await held).text();
  await mayfly.stop();
  await expect(fetch(mayfly.metricsUrl as string)).rejects.toThrow('fetch failed');
});

/** Which files of the bundle a process has loaded, and how many listeners it has, with a service of these options. */
async function loadedWith(options: object): Promise<{ files: string[]; listeners: number; metricsUrl: string | null }> {
  // As the process of startMayfly runs it, with what that sends and is sent.
  const script = `
    const { load, loaded } = require(${JSON.stringify(PACKAGE.replace('start-mayfly', 'bundle'))});
    process.send = async ({ ready }) => {
      // What the start has closed is gone some turns of the event loop later.
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      const listeners = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
      const answer = { listeners, metricsUrl: ready.metricsUrl, files: [...loaded.keys()] };
      process.stdout.write(JSON.stringify(answer), () => process.emit('disconnect'));
    };
    load('service-process.js').run();
    process.emit('message', ${JSON.stringify(options)});`;
  const { stdout } = await run(process.execPath, ['-e', script]);
  return JSON.parse(stdout);
}

test('without the setting nothing listens and the library is not loaded', async () => {
  const isOfMetrics = (file: string) => /(?:^|\/)metrics/.test(file);
  const without = await loadedWith({});
  expect([without.listeners, without.metricsUrl, without.files.filter(isOfMetrics)]).toEqual([2, null, []]);
  const counting = await loadedWith({ metrics: 0 });
  expect([counting.listeners, counting.files.filter(isOfMetrics).length > 0]).toEqual([3, true]);
});
