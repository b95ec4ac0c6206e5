import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { needs, skipUnless, VALKEY } from '../../../tools/needs.js';
import { openStore } from '../../server/src/store/open-store.js';
import { letter, NOON, ROOMY, textsOf } from '../../server/test/store/mail.js';
import { type RedisServer, startRedis } from './redis-server.js';

/** Whether the installed Redis lacks WAITAOF, as on Debian 12. */
const lacksWaitaof = /v=(?:[0-6]\.|7\.[01]\.)/.test(`${spawnSync('redis-server', ['--version']).stdout ?? ''}`);

const opening = { warn: () => {}, replicas: 1, onDisk: true };

let servers: RedisServer[] = [];

async function start(program: string | undefined, ...args: string[]): Promise<RedisServer> {
  const server = await startRedis(program === undefined ? { args } : { program, args });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.map((server) => server.end()));
  servers = [];
});

describe('a store in Redis that requires mail on the disk of a replica', () => {
  const onDisk = ['--appendonly', 'yes', '--appendfsync', 'always'];

  test('stores mail only once the replica has it on disk', needs('Valkey'), async () => {
    const master = await start(VALKEY ?? '', '--appendonly', 'no');
    const replica = await start(VALKEY ?? '', ...onDisk, '--replicaof', '127.0.0.1', `${master.port}`);
    const { store } = await openStore(master.newUrl(), ROOMY, 'create', opening);
    const isStored = (text: string) => store.append(letter('a', NOON, text), NOON).then(Boolean, () => false);
    await expect.poll(() => isStored('once it is there')).toBe(true);
    await replica.command('CONFIG', 'SET', 'appendonly', 'no');
    await expect(store.append(letter('a', NOON, 'in memory'), NOON)).rejects.toThrow(
      '0 replicas have the mail on disk',
    );
    await replica.command('CONFIG', 'SET', 'appendonly', 'yes');
    await expect.poll(() => isStored('on disk again')).toBe(true);
    expect(await textsOf(store, 'a', NOON)).toContain('on disk again');
    await store.close();
  });

  test('refuses a server without WAITAOF', {
    ...skipUnless(lacksWaitaof, 'the installed Redis has WAITAOF'),
    ...needs('redis-server'),
  }, async () => {
    const early = await start(undefined);
    await expect(openStore(early.newUrl(), ROOMY, 'create', opening)).rejects.toThrow(
      'the server cannot report what its replicas have on disk, which --store-replicas-on-disk requires. Use Redis 7.2 or later, or Valkey',
    );
    const { store } = await openStore(early.newUrl(), ROOMY, 'create', { ...opening, replicas: 0, onDisk: false });
    await store.close();
  });
});
