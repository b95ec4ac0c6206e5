import { expect } from 'vitest';
import { nodeArgs, startCluster } from '../../../store-redis/test/redis-cluster.js';
import { type RedisServer, startRedis } from '../../../store-redis/test/redis-server.js';
import { freePort } from '../ports.js';
import { NODE_FAULTS } from './nodes.js';
import { type Staged, TAKEN_BACK } from './redis-stages.js';

/**
 * Starts a cluster of three masters without persistence, each with a replica. When a master dies, its replica replaces
 * it, and an empty server starts on the dead master's port as a new replica.
 */
export async function clusterThatFailsOver(): Promise<Staged> {
  const cluster = await startCluster();
  const pairs = cluster.masters.map((master, i) => ({ master, replica: cluster.replicas[i] as RedisServer }));
  const added: RedisServer[] = [];
  return {
    settings: ['--store', cluster.url, '--store-replicas', '1'],
    faults: {
      'master killed': async () => {
        const { master, replica } = pairs.shift() as (typeof pairs)[number];
        await master.end('SIGKILL');
        await expect.poll(() => replica.command('ROLE')).toMatch(/^master/);
        const fresh = await replicaOf(replica, master.port);
        added.push(fresh);
        pairs.push({ master: replica, replica: fresh });
      },
      ...NODE_FAULTS,
    },
    allowed: TAKEN_BACK,
    end: () => Promise.all([cluster.end(), ...added.map((server) => server.end('SIGKILL'))]),
  };
}

/** Adds an empty server to the cluster, and resolves once it has a full copy of its master. */
async function replicaOf(master: RedisServer, port: number): Promise<RedisServer> {
  const busPort = await freePort();
  const fresh = await startRedis({ port, args: nodeArgs(busPort) });
  await master.command('CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${busPort}`);
  const id = await master.command('CLUSTER', 'MYID');
  await expect.poll(() => fresh.command('CLUSTER', 'REPLICATE', id)).toBe('OK');
  await expect.poll(() => fresh.command('INFO', 'replication')).toContain('master_link_status:up');
  return fresh;
}
