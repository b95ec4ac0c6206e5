import { expect } from 'vitest';
import type { Store } from '../../server/src/store/store.js';
import { ROOMY, storeAt } from '../../server/test/store/mail.js';
import { type RedisProxy, startProxy } from './proxy.js';
import { type RedisServer, startRedis } from './redis-server.js';

/** A master and its replica, which takes its place whenever a test says so; the master becomes its replica then. */
export interface Pair {
  /** What lies between the master and its replica: held, the replica learns nothing. */
  readonly link: RedisProxy;
  /** The address behind which the master is, whichever that is; a database that no test has used. */
  newUrl(): string;
  /** Sends a command to the master's database of the last url. */
  command(...args: string[]): Promise<string>;
  /** Has the replica take the master's place: what it does not have is lost. Resolves once it has a replica itself. */
  failOver(): Promise<void>;
  end(): Promise<unknown>;
}

export async function startPair(): Promise<Pair> {
  let master: RedisServer = await startRedis();
  const [front, link] = await Promise.all([startProxy(master.port), startProxy(master.port)]);
  let replica: RedisServer = await startRedis({ args: ['--replicaof', '127.0.0.1', `${link.port}`] });
  const isLinked = () => expect.poll(() => replica.command('INFO', 'replication')).toContain('master_link_status:up');
  await isLinked();
  let databases = 0;
  return {
    link,
    newUrl: () => `redis://127.0.0.1:${front.port}/${databases++}`,
    command: (...args) => master.command('-n', `${databases - 1}`, ...args),
    async failOver() {
      await replica.command('REPLICAOF', 'NO', 'ONE');
      link.serverPort = replica.port;
      link.cut();
      link.release();
      front.serverPort = replica.port;
      front.cut();
      [master, replica] = [replica, master];
      await replica.command('REPLICAOF', '127.0.0.1', `${link.port}`);
      await isLinked();
    },
    end: () => Promise.all([front.close(), link.close(), master.end('SIGKILL'), replica.end('SIGKILL')]),
  };
}

/** Two nodes on the same store, which ask for so many replicas. */
export function openNodes(url: string, replicas: number): Promise<[Store, Store]> {
  const open = () => storeAt(url, ROOMY, 'create', { warn: () => {}, replicas });
  return Promise.all([open(), open()]);
}
