// What the service can be run as, from one process to several nodes on a cluster.
import os from 'node:os';
import { startRedis, startReplica } from './redis.js';
import { newFolder, startService, UNLIMITED } from './service.js';

const READERS = ['--reading-threads', String(os.availableParallelism())];

/** What writes down all that it has answered, before it answers. */
const WRITTEN_DOWN = ['--appendonly', 'yes', '--appendfsync', 'always'];

/**
 * Each has a name and starts itself: `start(keep)` resolves to its nodes, having given whatever runs to `keep`, which returns it.
 * `redis` is what it keeps its mail in, where that is processes of their own.
 */
export const TOPOLOGIES = [
  { name: 'one process, lmdb', start: async (keep) => ({ nodes: [keep(await startService(UNLIMITED))] }) },
  {
    name: 'one process, memory',
    start: async (keep) => ({ nodes: [keep(await startService(UNLIMITED, { store: 'memory' }))] }),
  },
  {
    name: 'one process, lmdb, a reading thread for each core',
    start: async (keep) => ({ nodes: [keep(await startService([...UNLIMITED, ...READERS]))] }),
  },
  {
    name: 'two processes on one folder, lmdb',
    start: async (keep) => {
      const folder = newFolder();
      return {
        nodes: [keep(await startService(UNLIMITED, { folder })), keep(await startService(UNLIMITED, { folder }))],
      };
    },
  },
  { name: 'one Redis, one node', start: (keep) => onRedis(keep, { nodes: 1 }) },
  { name: 'one Redis, one node, all written down', start: (keep) => onRedis(keep, { nodes: 1, flags: WRITTEN_DOWN }) },
  { name: 'one Redis and a replica, one node', start: (keep) => onRedis(keep, { nodes: 1, replicas: 1 }) },
  { name: 'one Redis, two nodes', start: (keep) => onRedis(keep, { nodes: 2 }), isSpread: true },
];

async function onRedis(keep, { nodes: count, flags = [], replicas = 0 }) {
  const master = keep(await startRedis(...flags));
  const redis = [master];
  for (let n = 0; n < replicas; n++) redis.push(keep(await startReplica(master)));
  const demanded = replicas > 0 ? ['--store-replicas', String(replicas)] : [];
  const nodes = [];
  for (let n = 0; n < count; n++) {
    nodes.push(keep(await startService([...UNLIMITED, ...demanded], { store: master.url })));
  }
  return { nodes, redis };
}
