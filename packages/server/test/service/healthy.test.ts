import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, runMayfly, serve } from './process.js';

afterAll(endAll);

describe('mayfly healthy', () => {
  test('exits with 0 if the service with the same settings is ready, even if its host is 0.0.0.0', async () => {
    const mayfly = await serve(['--store', 'memory:']);
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const environment = { MAYFLY_HTTP_PORT: new URL(mayfly.url).port, MAYFLY_HOST: host };
      expect(await runMayfly(['healthy'], environment)).toMatchObject({ exitCode: 0, stderr: '' });
    }
  });

  test('exits with 1 and prints an error if the service is not running', async () => {
    const gone = await serve(['--store', 'memory:']);
    await gone.end('SIGTERM');
    const { exitCode, stderr } = await runMayfly(['healthy', '--http-port', new URL(gone.url).port]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mayfly: No answer from http:[^\n]+ECONNREFUSED[^\n]+Is the service running\?\n$/);
  });
});

describe('mayfly healthy, if something else answers', () => {
  test.each([
    ['another page', (answer: ServerResponse) => answer.end('<h1>Hello</h1>'), 'is not Mayfly'],
    [
      'an error',
      (answer: ServerResponse) => answer.writeHead(503).end('not \u009b31m yet'),
      / answered 503 not {2}31m yet\n$/,
    ],
    ['an incomplete response', (answer: ServerResponse) => answer.writeHead(200).write('{'), 'it took longer than 3 s'],
  ])('exits with 1 and prints an error: %s', async (_, answer, sentence) => {
    const other = createServer((_request, response) => void answer(response));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const { exitCode, stdout, stderr } = await runMayfly(['healthy', '--http-port', String(port)]);
    other.closeAllConnections();
    other.close();
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});
