import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { freePort } from '../../server/test/ports.js';
import { type RedisServer, startRedis } from './redis-server.js';

const MASTERS = 3;
const SLOTS = 16_384;

const NODE_TIMEOUT_MS = 1_000;

/** Timeout for starting a cluster. */
const UNTIL_MS = 50_000;

/** Three masters, each with at most one replica. */
export interface RedisCluster {
  /** The initial masters, in the order of their slots. */
  readonly masters: readonly RedisServer[];
  /** The initial replicas, in the same order. */
  readonly replicas: readonly RedisServer[];
  readonly url: string;
  /** Restarts a server that has ended. It rejoins the cluster, with the role that the cluster now assigns to it. */
  restart(server: RedisServer): Promise<RedisServer>;
  /** Deletes all mail, and restores all options. */
  reset(): Promise<void>;
  end(): Promise<void>;
}

export interface ClusterOptions {
  readonly replicas?: boolean;
  /** Returns further arguments for a server. Called once per server. */
  readonly args?: () => Promise<readonly string[]>;
}

/** Resolves once every node reports that the cluster is complete. */
export async function startCluster({
  replicas: hasReplicas = true,
  args = async () => [],
}: ClusterOptions = {}): Promise<RedisCluster> {
  const count = hasReplicas ? 2 * MASTERS : MASTERS;
  const nodes = await Promise.all(Array.from({ length: count }, async () => startNode(await args())));
  const [masters, replicas] = [nodes.slice(0, MASTERS), nodes.slice(MASTERS)];
  const [first] = nodes as [ClusterNode];
  for (const [i, { server }] of masters.entries()) {
    const [from, to] = [Math.floor((i * SLOTS) / MASTERS), Math.floor(((i + 1) * SLOTS) / MASTERS) - 1];
    await server.command('CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${to}`);
    // With distinct epochs from the start, the masters need not negotiate them.
    await server.command('CLUSTER', 'SET-CONFIG-EPOCH', `${i + 1}`);
  }
  for (const { server, busPort } of nodes.slice(1)) {
    await first.server.command('CLUSTER', 'MEET', '127.0.0.1', `${server.port}`, `${busPort}`);
  }
  const ids = await Promise.all(masters.map(({ server }) => server.command('CLUSTER', 'MYID')));
  for (const [i, { server }] of replicas.entries()) {
    const id = ids[i % MASTERS] as string;
    await until(async () => (await server.command('CLUSTER', 'REPLICATE', id)) === 'OK');
  }
  const isWhole = async ({ server }: ClusterNode) => {
    const [info, list, own] = await Promise.all([
      server.command('CLUSTER', 'INFO'),
      server.command('CLUSTER', 'SLOTS'),
      server.command('INFO', 'replication'),
    ]);
    const named = nodes.filter((node) => list.includes(`${node.server.port}`)).length;
    return info.includes('cluster_state:ok') && named === nodes.length && !own.includes('master_link_status:down');
  };
  await until(async () => (await Promise.all(nodes.map(isWhole))).every(Boolean));
  const servers = nodes.map(({ server }) => server);
  return {
    masters: servers.slice(0, MASTERS),
    replicas: servers.slice(MASTERS),
    url: `redis+cluster://${masters.map(({ server }) => `127.0.0.1:${server.port}`).join(',')}`,
    reset: async () => {
      await Promise.all(servers.map((server) => server.restore()));
      await Promise.all(servers.map(({ port }) => flushed(port)));
    },
    async restart(server) {
      const node = nodes.find((one) => one.server === server) as ClusterNode;
      const restarted = await startRedis({ args: node.args, folder: node.folder, port: server.port });
      servers.push(restarted);
      return restarted;
    },
    async end() {
      for (const server of servers) server.process.kill('SIGCONT');
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      await Promise.all(nodes.map(({ folder }) => rm(folder, { recursive: true, force: true })));
    },
  };
}

interface ClusterNode {
  readonly server: RedisServer;
  readonly busPort: number;
  readonly folder: string;
  readonly args: readonly string[];
}

/** Arguments of a cluster node. All nodes need the same timeout. */
export function nodeArgs(busPort: number): string[] {
  return ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`, '--cluster-node-timeout', `${NODE_TIMEOUT_MS}`];
}

async function startNode(args: readonly string[]): Promise<ClusterNode> {
  const busPort = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-redis-'));
  const all = [...nodeArgs(busPort), ...args];
  return { server: await startRedis({ args: all, folder }), busPort, folder, args: all };
}

/** Polls in hooks, where `expect.poll` does not work. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + UNTIL_MS; !(await isSo()); await pause(20)) {
    if (Date.now() > end) throw new Error('The cluster did not become whole.');
  }
}

/** Deletes everything on a server. Does not use redis-cli, which would start a process for each of many tests. */
async function flushed(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write('FLUSHALL SYNC\r\n');
  const [answer] = await once(socket, 'data').catch((error) => [error]);
  socket.destroy();
  // A replica refuses the command, but its master's deletion reaches it. An ended server refuses the connection.
  expect(String(answer)).toMatch(/^\+OK|^-READONLY|ECONNREFUSED/);
}
