import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRight, fetchRate, KeptConnection } from '../keep-alive.js';

/** Long enough to come in several packets. */
const LONG = 'x'.repeat(300_000);

const ANSWERS = {
  '/whole': (response) => response.setHeader('content-length', LONG.length).end(LONG),
  '/chunks': (response) => {
    for (const piece of ['0\r\n', '\r\n0\r\n', LONG, '\r\n0']) response.write(piece);
    response.end();
  },
  '/empty': (response) => response.setHeader('content-length', 0).end(),
  '/missing': (response) => response.writeHead(404).end('nothing'),
  '/cut': (response) => response.destroy(),
};

describe('fetches over a kept connection', () => {
  let server;
  let service;
  let connections = 0;
  beforeAll(async () => {
    server = http.createServer((request, response) => ANSWERS[request.url](response));
    server.on('connection', () => {
      connections += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    service = { host: '127.0.0.1', httpPort: server.address().port };
  });
  afterAll(() => server.close());

  it('have the whole answer, however it is framed, on one connection', async () => {
    const before = connections;
    const connection = new KeptConnection(service);
    for (const [path, status, text] of [
      ['/whole', 200, LONG],
      ['/chunks', 200, `0\r\n\r\n0\r\n${LONG}\r\n0`],
      ['/empty', 200, ''],
      ['/missing', 404, 'nothing'],
      ['/whole', 200, LONG],
    ]) {
      const answer = await connection.get(path);
      expect(answer.status).toBe(status);
      expect(answer.body.toString('latin1') === text).toBe(true);
    }
    connection.close();
    expect(connections - before).toBe(1);
  });

  it('reject when the connection ends instead of an answer', async () => {
    await expect(new KeptConnection(service).get('/cut')).rejects.toThrow();
  });

  it('are counted, and only when they succeed', async () => {
    const how = { connections: 2, durationMs: 100 };
    expect(await fetchRate(service, () => '/empty', how)).toBeGreaterThan(0);
    await expect(fetchRate(service, () => '/missing', how)).rejects.toThrow('404');
  });

  it('tell how many answers are right', async () => {
    const paths = ['/empty', '/whole', '/missing', '/chunks'];
    expect(await countRight(service, paths, (body) => body.length > 0, { connections: 2 })).toBe(2);
  });
});
