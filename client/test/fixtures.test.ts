import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { reached } from '../src/fixtures.js';
import { Mayfly, MayflyNetworkError, MayflyResponseError } from '../src/index.js';
import { freePort, startService } from './service.js';

test('a process asks once whether a service is there, and every test hears the same', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const first = reached(new Mayfly({ baseUrl }), 'or do this');
  expect(reached(new Mayfly({ baseUrl }), 'or do this')).toBe(first);
  await expect(first).rejects.toBeInstanceOf(MayflyNetworkError);
  await expect(first).rejects.toThrow(
    `Nothing answers at ${baseUrl}. Start Mayfly ("npx mayfly-inbox serve"), or do this.`,
  );
  await expect(first).rejects.toMatchObject({ baseUrl, cause: { name: 'MayflyNetworkError' } });
});

test('one that is ready is heard of', async () => {
  const service = await startService();
  await expect(reached(new Mayfly({ baseUrl: service.url }), 'or do this')).resolves.toBeUndefined();
  await service.stop();
});

test('another server is not taken for Mayfly', async () => {
  const server = createServer((_, response) => response.writeHead(404).end('Not here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = reached(new Mayfly({ baseUrl }), 'or do this');
  await expect(answer).rejects.toBeInstanceOf(MayflyResponseError);
  await expect(answer).rejects.toThrow('Is this Mayfly?');
  server.close();
});
