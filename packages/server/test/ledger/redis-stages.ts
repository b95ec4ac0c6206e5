import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type RedisProxy, startProxy } from '../../../store-redis/test/proxy.js';
import { type RedisServer, startRedis } from '../../../store-redis/test/redis-server.js';
import type { Stage } from './keeping.js';
import { NODE_FAULTS } from './nodes.js';

/** A server with these options loses nothing that it acknowledged. */
const WRITTEN_DOWN = ['--appendonly', 'yes', '--appendfsync', 'always'];

/** A stage, and a function that ends it. */
export type Staged = Stage & { end(): Promise<unknown> };

/** How long a server is suspended, which is longer than a node waits for a reply. */
const STILL_MS = 11_000;

/** A message to several inboxes is rolled back if one inbox fails. If the node dies first, some inboxes keep a copy. */
export const TAKEN_BACK = { unacknowledgedMayVanish: true, unacknowledgedMayBeHalved: true };

/** Starts one server that syncs every write. After a fault, it restarts on the same port with the same data. */
export async function redisThatRestarts(folder: string): Promise<Staged> {
  const options = { args: WRITTEN_DOWN, folder };
  let redis = await startRedis(options);
  const restart = (signal: NodeJS.Signals) => async () => {
    await redis.end(signal);
    redis = await startRedis({ ...options, port: redis.port });
  };
  return {
    settings: ['--store', `redis://127.0.0.1:${redis.port}`],
    faults: {
      'Redis killed': restart('SIGKILL'),
      'Redis stood still': async () => {
        redis.process.kill('SIGSTOP');
        await delay(STILL_MS);
        redis.process.kill('SIGCONT');
      },
      ...NODE_FAULTS,
      'Redis restarted': restart('SIGTERM'),
    },
    allowed: TAKEN_BACK,
    end: () => redis.end(),
  };
}

/** Replication delay, so that a write which does not wait for the replica is lost with the master. */
const LATE_MS = 100;

/**
 * Starts a server and a replica without persistence. When the server dies, the replica takes over its address and gets
 * a new replica.
 */
export async function redisThatFailsOver(): Promise<Staged> {
  let pair = await pairOf(await startRedis());
  const proxy = await startProxy(pair.master.port);
  return {
    settings: ['--store', `redis://127.0.0.1:${proxy.port}`, '--store-replicas', '1'],
    faults: {
      'master killed': async () => {
        const { master, replica, link } = pair;
        await master.end('SIGKILL');
        await link.close();
        await replica.command('REPLICAOF', 'NO', 'ONE');
        proxy.serverPort = replica.port;
        proxy.cut();
        pair = await pairOf(replica);
      },
      'connections cut': async () => proxy.cut(),
      ...NODE_FAULTS,
    },
    allowed: TAKEN_BACK,
    end: async () => {
      await Promise.all([proxy.close(), pair.link.close()]);
      await Promise.all([pair.master.end(), pair.replica.end()]);
    },
  };
}

/** Starts a lagging replica of a master. */
async function pairOf(master: RedisServer): Promise<{ master: RedisServer; replica: RedisServer; link: RedisProxy }> {
  const link = await startProxy(master.port);
  const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', `${link.port}`] });
  await expect.poll(() => replica.command('INFO', 'replication')).toContain('master_link_status:up');
  link.lateMs = LATE_MS;
  return { master, replica, link };
}
