// What the service can be run as, from one process to several nodes on a cluster.
import os from 'node:os';
import { startCluster, startRedis, startReplica } from './redis.js';
import { newFolder, startService, UNLIMITED } from './service.js';

const READERS = ['--reading-threads', String(os.availableParallelism())];

/** A limit out of reach that all nodes count together. */
const COUNTED = ['--smtp-limit', '1000000/1m'];

/** The server writes each command to its file before it answers. */
const WRITTEN_DOWN = ['--appendonly', 'yes', '--appendfsync', 'always'];

/**
 * Each has a name and starts itself: `start(keep)` resolves to its nodes, after passing each process through `keep`,
 * which returns it. `redis` are the processes of its store, if it has any.
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
  { name: 'one Redis, one node, mails counted', start: (keep) => onRedis(keep, { nodes: 1, settings: COUNTED }) },
  { name: 'one Redis, two nodes', start: (keep) => onRedis(keep, { nodes: 2 }), isSpread: true },
  {
    name: 'a cluster of three masters, two nodes',
    start: async (keep) => {
      const masters = await startCluster(3);
      for (const master of masters) keep(master);
      const url = `redis+cluster://${masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
      return { nodes: await nodesOn(url, 2, [], keep), redis: masters };
    },
    isSpread: true,
  },
];

/** So many nodes with these settings on a server with these flags. */
async function onRedis(keep, { nodes: count, settings = [], flags = [], replicas = 0 }) {
  const master = keep(await startRedis(...flags));
  const redis = [master];
  for (let n = 0; n < replicas; n++) redis.push(keep(await startReplica(master)));
  if (replicas > 0) settings = [...settings, '--store-replicas', String(replicas)];
  return { nodes: await nodesOn(master.url, count, settings, keep), redis };
}

async function nodesOn(store, count, settings, keep) {
  const nodes = [];
  for (let n = 0; n < count; n++) nodes.push(keep(await startService(settingsWith(settings), { store })));
  return nodes;
}

/** `UNLIMITED`, except for these settings. */
function settingsWith(settings) {
  const isSet = (name) => settings.includes(name);
  return [...UNLIMITED.filter((flag, i) => !isSet(flag) && !isSet(UNLIMITED[i - 1])), ...settings];
}
